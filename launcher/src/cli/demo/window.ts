// The made-up game's window: drawn by X without native code, closed by Escape or by its frame.
import { setTimeout as pause } from "node:timers/promises";
import type { Fill } from "./letters.ts";
import { drawScene, pictureSize, type SceneTime } from "./scene.ts";

/** What is asked of the x11 package, which brings no types. */
type Reply<T> = (error: Error | null, reply: T) => void;
type XEvent = { name?: string; keycode?: number; message_type?: number; data?: readonly number[] };
type X = {
  AllocID(): number;
  CreateWindow(...values: readonly [...numbers: number[], values: object]): void;
  ChangeProperty(
    mode: number,
    window: number,
    name: number,
    type: number,
    format: number,
    data: string | number[],
  ): void;
  MapWindow(window: number): void;
  CreatePixmap(id: number, drawable: number, depth: number, width: number, height: number): void;
  CreateGC(id: number, drawable: number, values: object): void;
  ChangeGC(id: number, values: object): void;
  PolyFillRectangle(drawable: number, context: number, rectangles: readonly number[]): void;
  CopyArea(from: number, to: number, context: number, ...places: number[]): void;
  InternAtom(onlyIfExists: boolean, name: string, reply: Reply<number>): void;
  GetKeyboardMapping(from: number, count: number, reply: Reply<readonly (readonly number[])[]>): void;
  sync(): Promise<void>;
  on(event: "error" | "end", listener: (error?: Error) => void): void;
  on(event: "event", listener: (event: XEvent) => void): void;
  readonly atoms: Readonly<Record<string, number>>;
  /** Absent until it is connected. */
  stream?: { destroy(): void };
};
type Display = {
  client: X;
  screen: readonly { root: number; root_depth: number; pixel_width: number; pixel_height: number }[];
  min_keycode: number;
  max_keycode: number;
};

export type DemoWindow = {
  /** Aborts when a person closed it. */
  readonly closed: AbortSignal;
  /** Draws at 30 frames a second until it is closed. Resolves then, or when the display went away. */
  play(now: () => SceneTime): Promise<void>;
  close(): void;
};

const framesPerSecond = 30;
const answerWithinMs = 5_000;
const escapeSymbol = 0xff1b;
const events = { keyPress: 1 };
/** One request holds this many. */
const rectanglesMax = 1_000;
const title = "Kit's demo";

function connect(display: string): Promise<Display> {
  return import("x11").then(
    ({ createClient }) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          (client as unknown as X).stream?.destroy();
          reject(new Error(`${display} does not answer`));
        }, answerWithinMs);
        const client = createClient({ display, bufferRequests: true }, (error, connected) => {
          clearTimeout(late);
          if (error || connected === undefined) reject(error ?? new Error(`${display} has no screen`));
          else resolve(connected as unknown as Display);
        });
        // Before it is connected this says why it cannot be; afterwards the display went away, which `end` tells, too.
        client.on("error", (error) => {
          clearTimeout(late);
          reject(error);
        });
      }),
  );
}

const asked = <T>(question: (reply: Reply<T>) => void): Promise<T> =>
  new Promise((resolve, reject) => question((error, reply) => (error ? reject(error) : resolve(reply))));

/** Rectangles of one colour that follow each other go out as one request. */
function createBrush(display: X, picture: number, context: number, scale: number) {
  let ink = -1;
  let waiting: number[] = [];
  const flush = () => {
    if (waiting.length > 0) display.PolyFillRectangle(picture, context, waiting);
    waiting = [];
  };
  const fill: Fill = (colour, left, top, width, height) => {
    if (colour !== ink || waiting.length >= rectanglesMax * 4) {
      flush();
      if (colour !== ink) display.ChangeGC(context, { foreground: colour });
      ink = colour;
    }
    // What is left of or above the picture is cut off: the package packs no negative numbers.
    const x = Math.max(0, left);
    const y = Math.max(0, top);
    const wide = width - (x - left);
    const high = height - (y - top);
    if (wide > 0 && high > 0) waiting.push(x * scale, y * scale, wide * scale, high * scale);
  };
  return { fill, flush };
}

async function name(x: X, window: number): Promise<number> {
  const [protocols, closing, netName, utf8] = await Promise.all(
    ["WM_PROTOCOLS", "WM_DELETE_WINDOW", "_NET_WM_NAME", "UTF8_STRING"].map((atom) =>
      asked<number>((reply) => x.InternAtom(false, atom, reply)),
    ),
  );
  x.ChangeProperty(0, window, x.atoms.WM_NAME ?? 0, x.atoms.STRING ?? 0, 8, title);
  x.ChangeProperty(0, window, netName ?? 0, utf8 ?? 0, 8, title);
  x.ChangeProperty(0, window, x.atoms.WM_CLASS ?? 0, x.atoms.STRING ?? 0, 8, "kit-demo\0Kit demo\0");
  x.ChangeProperty(0, window, protocols ?? 0, x.atoms.ATOM ?? 0, 32, [closing ?? 0]);
  return closing ?? 0;
}

/** Opens it. Rejects where there is no display that answers. */
export async function openWindow(display: string): Promise<DemoWindow> {
  const { client: x, screen, min_keycode: first, max_keycode: last } = await connect(display);
  const [on] = screen;
  if (on === undefined) throw new Error(`${display} has no screen`);
  const scale = Math.max(1, Math.min(3, Math.floor(Math.min(on.pixel_width / 330, on.pixel_height / 190))));
  const width = pictureSize.width * scale;
  const height = pictureSize.height * scale;
  const window = x.AllocID();
  const picture = x.AllocID();
  const context = x.AllocID();
  const left = Math.floor((on.pixel_width - width) / 2);
  const top = Math.floor((on.pixel_height - height) / 2);
  const look = { backgroundPixel: 0, eventMask: events.keyPress };
  x.CreateWindow(window, on.root, left, top, width, height, 0, 0, 0, 0, look);
  const closing = await name(x, window);
  const keys = await asked<readonly (readonly number[])[]>((reply) =>
    x.GetKeyboardMapping(first, last - first + 1, reply),
  );
  const closed = new AbortController();
  const gone = new AbortController();
  x.on("end", () => gone.abort());
  x.on("error", () => gone.abort());
  x.on("event", ({ name: kind, keycode = 0, data }) => {
    if (kind === "KeyPress" && keys[keycode - first]?.includes(escapeSymbol)) closed.abort();
    if (kind === "ClientMessage" && data?.[0] === closing) closed.abort();
  });
  x.CreatePixmap(picture, window, on.root_depth, width, height);
  x.CreateGC(context, window, { foreground: 0, graphicsExposures: 0 });
  x.MapWindow(window);
  const { fill, flush } = createBrush(x, picture, context, scale);
  const goneAway = over(gone.signal);
  const ended = () => closed.signal.aborted || gone.signal.aborted;
  /** The whole picture is made elsewhere and shown by one request: no capture meets half a frame. */
  const paint = async (time: SceneTime) => {
    drawScene(fill, time);
    flush();
    x.CopyArea(picture, window, context, 0, 0, 0, 0, width, height);
    // A display that went away answers no more.
    await Promise.race([x.sync().catch(() => undefined), goneAway]);
  };
  return {
    closed: closed.signal,
    async play(now) {
      let dueMs = performance.now();
      while (!ended()) {
        await paint(now());
        // A frame that is late is left out; the ones after it keep their times.
        dueMs = Math.max(dueMs + 1_000 / framesPerSecond, performance.now());
        await pause(Math.max(0, dueMs - performance.now()));
      }
    },
    close() {
      gone.abort();
      x.stream?.destroy();
    },
  };
}

function over(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
