// The demo game's window, drawn with the X11 protocol without native code.
import { setTimeout as pause } from "node:timers/promises";
import type { FillRectangle } from "./scene.ts";
import { demoPictureSize, drawScene, type SceneTime } from "./scene.ts";

/** Types for the part of the package x11 that Kit uses. The package comes without types. */
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
  /** Undefined until the display is connected. */
  stream?: { destroy(): void };
};
type Display = {
  client: X;
  screen: readonly { root: number; root_depth: number; pixel_width: number; pixel_height: number }[];
  min_keycode: number;
  max_keycode: number;
};

export type DemoWindow = {
  /** Aborts when a person closes the window or presses Escape. */
  readonly closed: AbortSignal;
  /** Draws at 30 frames a second. Resolves when the window is closed or the display disconnects. */
  play(now: () => SceneTime): Promise<void>;
  close(): void;
};

const framesPerSecond = 30;
const answerWithinMs = 5_000;
const escapeSymbol = 0xff1b;
const events = { keyPress: 1 };
/** Maximum rectangles in one request. */
const rectanglesMax = 1_000;
const title = "Kit's demo";

function connect(display: string): Promise<Display> {
  return import("x11").then(
    ({ createClient }) =>
      new Promise((resolve, reject) => {
        const timeout = setTimeout(() => {
          (client as unknown as X).stream?.destroy();
          reject(new Error(`${display} does not answer`));
        }, answerWithinMs);
        const client = createClient({ display, bufferRequests: true }, (error, connected) => {
          clearTimeout(timeout);
          if (error || connected === undefined) reject(error ?? new Error(`${display} has no screen`));
          else resolve(connected as unknown as Display);
        });
        // Until the display is connected, an error is the reason why connecting failed. Later errors are handled with `end`,
        // in `openDemoWindow`.
        client.on("error", (error) => {
          clearTimeout(timeout);
          reject(error);
        });
      }),
  );
}

const sendRequest = <T>(question: (reply: Reply<T>) => void): Promise<T> =>
  new Promise((resolve, reject) => question((error, reply) => (error ? reject(error) : resolve(reply))));

/** Draws consecutive rectangles of one colour with one request. */
function createBrush(display: X, picture: number, context: number, scale: number) {
  let ink = -1;
  let waiting: number[] = [];
  const flush = () => {
    if (waiting.length > 0) display.PolyFillRectangle(picture, context, waiting);
    waiting = [];
  };
  const fill: FillRectangle = (colour, left, top, width, height) => {
    if (colour !== ink || waiting.length >= rectanglesMax * 4) {
      flush();
      if (colour !== ink) display.ChangeGC(context, { foreground: colour });
      ink = colour;
    }
    // Rectangles are cut off at the left and top edges, because the package x11 cannot send negative numbers.
    const x = Math.max(0, left);
    const y = Math.max(0, top);
    const wide = width - (x - left);
    const high = height - (y - top);
    if (wide > 0 && high > 0) waiting.push(x * scale, y * scale, wide * scale, high * scale);
  };
  return { fill, flush };
}

async function setWindowTitle(x: X, window: number): Promise<number> {
  const [protocols, closing, netName, utf8] = await Promise.all(
    ["WM_PROTOCOLS", "WM_DELETE_WINDOW", "_NET_WM_NAME", "UTF8_STRING"].map((atom) =>
      sendRequest<number>((reply) => x.InternAtom(false, atom, reply)),
    ),
  );
  x.ChangeProperty(0, window, x.atoms.WM_NAME ?? 0, x.atoms.STRING ?? 0, 8, title);
  x.ChangeProperty(0, window, netName ?? 0, utf8 ?? 0, 8, title);
  x.ChangeProperty(0, window, x.atoms.WM_CLASS ?? 0, x.atoms.STRING ?? 0, 8, "kit-demo\0Kit demo\0");
  x.ChangeProperty(0, window, protocols ?? 0, x.atoms.ATOM ?? 0, 32, [closing ?? 0]);
  return closing ?? 0;
}

/** Opens the window. Rejects if the display does not answer. */
export async function openDemoWindow(display: string): Promise<DemoWindow> {
  const { client: x, screen, min_keycode: first, max_keycode: last } = await connect(display);
  const [display0] = screen;
  if (display0 === undefined) throw new Error(`${display} has no screen`);
  const scale = Math.max(1, Math.min(3, Math.floor(Math.min(display0.pixel_width / 330, display0.pixel_height / 190))));
  const width = demoPictureSize.width * scale;
  const height = demoPictureSize.height * scale;
  const window = x.AllocID();
  const picture = x.AllocID();
  const context = x.AllocID();
  const left = Math.floor((display0.pixel_width - width) / 2);
  const top = Math.floor((display0.pixel_height - height) / 2);
  const attributes = { backgroundPixel: 0, eventMask: events.keyPress };
  x.CreateWindow(window, display0.root, left, top, width, height, 0, 0, 0, 0, attributes);
  const closing = await setWindowTitle(x, window);
  const keys = await sendRequest<readonly (readonly number[])[]>((reply) =>
    x.GetKeyboardMapping(first, last - first + 1, reply),
  );
  const closed = new AbortController();
  const disconnected = new AbortController();
  x.on("end", () => disconnected.abort());
  x.on("error", () => disconnected.abort());
  x.on("event", ({ name: kind, keycode = 0, data }) => {
    if (kind === "KeyPress" && keys[keycode - first]?.includes(escapeSymbol)) closed.abort();
    if (kind === "ClientMessage" && data?.[0] === closing) closed.abort();
  });
  x.CreatePixmap(picture, window, display0.root_depth, width, height);
  x.CreateGC(context, window, { foreground: 0, graphicsExposures: 0 });
  x.MapWindow(window);
  const { fill, flush } = createBrush(x, picture, context, scale);
  const onDisconnect = whenAborted(disconnected.signal);
  const ended = () => closed.signal.aborted || disconnected.signal.aborted;
  /** Draws the frame off screen and shows it with one request, so that no recording contains half a frame. */
  const paint = async (time: SceneTime) => {
    drawScene(fill, time);
    flush();
    x.CopyArea(picture, window, context, 0, 0, 0, 0, width, height);
    // A display that was disconnected never answers.
    await Promise.race([x.sync().catch(() => undefined), onDisconnect]);
  };
  return {
    closed: closed.signal,
    async play(now) {
      let dueMs = performance.now();
      while (!ended()) {
        await paint(now());
        // After a late frame, the frames that were missed are left out.
        dueMs = Math.max(dueMs + 1_000 / framesPerSecond, performance.now());
        await pause(Math.max(0, dueMs - performance.now()));
      }
    },
    close() {
      disconnected.abort();
      x.stream?.destroy();
    },
  };
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
