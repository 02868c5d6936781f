// Looks at an X display without native code: how large its screen and its first monitor are, and which window has a title.
import { setTimeout } from "node:timers/promises";
import type { Size } from "./commands-encoder.ts";

export type XWindow = Size & { readonly id: number; readonly title: string };

export type XDisplay = {
  /** The monitor to capture, as a part of the whole screen. */
  readonly monitor: Size & { readonly x: number; readonly y: number };
  /** True when the screen spans more than that monitor. */
  readonly isPart: boolean;
  /** A guest of a Wayland session, which sees only what draws by X. */
  readonly isXwayland: boolean;
  /** The largest visible window whose title has the part asked for; undefined when none has, or none was asked for. */
  readonly window: XWindow | undefined;
};

/** What is asked of the x11 package, which brings no types. */
type Reply<T> = (error: Error | null, reply: T) => void;
type Connection = {
  QueryTree(window: number, reply: Reply<{ children: number[] }>): void;
  GetWindowAttributes(window: number, reply: Reply<{ mapState: number; klass: number }>): void;
  GetGeometry(drawable: number, reply: Reply<{ width: number; height: number }>): void;
  InternAtom(onlyIfExists: boolean, name: string, reply: Reply<number>): void;
  GetProperty(
    remove: number,
    window: number,
    ...rest: [name: number, type: number, offset: number, words: number, reply: Reply<{ data: Buffer }>]
  ): void;
  QueryExtension(name: string, reply: Reply<{ present: number }>): void;
  require(extension: string, reply: Reply<unknown>): void;
  on(event: "error" | "end", listener: (error: Error) => void): void;
  /** Absent until it is connected. */
  stream?: { destroy(): void };
};
type RandR = {
  GetOutputPrimary(window: number, reply: Reply<number>): void;
  GetOutputInfo(output: number, at: number, reply: Reply<{ crtc: number }>): void;
  GetCrtcInfo(crtc: number, at: number, reply: Reply<XDisplay["monitor"]>): void;
};
type Screen = { root: number; pixel_width: number; pixel_height: number };

const wmName = 39;
const isViewable = 2;
const inputOutput = 1;
const anyType = 0;
const titleWordsMax = 128;
const windowsMax = 2_000;
const depthMax = 10;
/** Tooltips and tray icons have titles too. */
const sideMin = 64;

/** One question; undefined when the window went away meanwhile. */
function ask<T>(question: (reply: Reply<T>) => void): Promise<T | undefined> {
  return new Promise((resolve) => {
    // True says that the error was taken care of.
    question(((error: Error | null, reply: T) => {
      resolve(error ? undefined : reply);
      return true;
    }) as Reply<T>);
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const plain = (text: string) => text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, " ").trim();

/** The title as programs of today set it, else as those of old did. */
async function titleOf(x: Connection, window: number, netWmName: number): Promise<string> {
  const read = (name: number) =>
    ask<{ data: Buffer }>((reply) => x.GetProperty(0, window, name, anyType, 0, titleWordsMax, reply));
  const [modern, old] = await Promise.all([netWmName === 0 ? undefined : read(netWmName), read(wmName)]);
  return plain(modern?.data.toString("utf8") || old?.data.toString("latin1") || "");
}

async function lookAt(x: Connection, id: number, netWmName: number): Promise<XWindow | undefined> {
  const [attributes, size, title] = await Promise.all([
    ask<{ mapState: number; klass: number }>((reply) => x.GetWindowAttributes(id, reply)),
    ask<Size>((reply) => x.GetGeometry(id, reply)),
    titleOf(x, id, netWmName),
  ]);
  if (attributes?.mapState !== isViewable || attributes.klass !== inputOutput || size === undefined) return undefined;
  return { id, title, width: size.width, height: size.height };
}

/** Every visible window below `root`: with a window manager the games' own lie below its frames, without one below the root. */
async function windowsBelow(x: Connection, root: number): Promise<XWindow[]> {
  const netWmName = (await ask<number>((reply) => x.InternAtom(true, "_NET_WM_NAME", reply))) ?? 0;
  const found: XWindow[] = [];
  let level = [root];
  for (let depth = 0; depth < depthMax && level.length > 0 && found.length < windowsMax; depth += 1) {
    const trees = await Promise.all(level.map((id) => ask<{ children: number[] }>((reply) => x.QueryTree(id, reply))));
    const children = trees.flatMap((tree) => tree?.children ?? []).slice(0, windowsMax);
    const windows = await Promise.all(children.map((id) => lookAt(x, id, netWmName)));
    const visible = windows.filter((window) => window !== undefined);
    found.push(...visible);
    level = visible.map(({ id }) => id);
  }
  return found;
}

/** The largest window whose title has that part, whatever the case; of two alike the outer one. */
export function windowByTitle(windows: readonly XWindow[], part: string): XWindow | undefined {
  const wanted = part.trim().toLowerCase();
  const area = ({ width, height }: Size) => width * height;
  return windows
    .filter(({ title, width, height }) => title.toLowerCase().includes(wanted) && Math.min(width, height) >= sideMin)
    .reduce<XWindow | undefined>(
      (best, next) => (best === undefined || area(next) > area(best) ? next : best),
      undefined,
    );
}

/** The monitor its owner called the first; where none is, the whole screen. */
async function monitorOf(x: Connection, screen: Screen): Promise<XDisplay["monitor"]> {
  const whole = { x: 0, y: 0, width: screen.pixel_width, height: screen.pixel_height };
  const randr = (await ask<unknown>((reply) => x.require("randr", reply))) as RandR | undefined;
  const output = await ask<number>((reply) => (randr ? randr.GetOutputPrimary(screen.root, reply) : reply(null, 0)));
  if (randr === undefined || !output) return whole;
  const info = await ask<{ crtc: number }>((reply) => randr.GetOutputInfo(output, 0, reply));
  if (!info?.crtc) return whole;
  const part = await ask<XDisplay["monitor"]>((reply) => randr.GetCrtcInfo(info.crtc, 0, reply));
  if (part === undefined || part.width < sideMin || part.height < sideMin) return whole;
  return { x: part.x, y: part.y, width: part.width, height: part.height };
}

type Connected = { readonly x: Connection; readonly screen: Screen; readonly lost: Promise<never> };

async function connectOnce(display: string, over: AbortSignal): Promise<Connected> {
  // Only where a screen is captured: the package is larger than what is used of it.
  const { createClient } = await import("x11");
  const { promise: lost, reject } = Promise.withResolvers<never>();
  lost.catch(() => undefined);
  return new Promise<Connected>((resolve, refuse) => {
    const client = createClient({ display }, (error, answer) => {
      if (error) return refuse(error);
      // One that cannot be written to any more says so by `lost`.
      const x = client as unknown as Connection;
      resolve({ x, screen: answer.screen[0] as unknown as Screen, lost });
    });
    client.on("error", (error) => {
      refuse(error);
      reject(error);
    });
    client.on("end", () => reject(new Error("the X server closed the connection")));
    over.addEventListener("abort", () => (client as unknown as Connection).stream?.destroy(), { once: true });
  });
}

/** A server without clients starts itself anew as the last one leaves, and drops whoever comes at that moment. */
async function connect(display: string, over: AbortSignal, triesMax = 3): Promise<Connected> {
  try {
    return await connectOnce(display, over);
  } catch (error) {
    const isDropped = error instanceof Error && error.message.includes("closed before setup");
    if (!isDropped || triesMax <= 1 || over.aborted) throw error;
    await setTimeout(100);
    return connect(display, over, triesMax - 1);
  }
}

/** Rejects when the display cannot be opened, or does not answer in time. */
export async function readDisplay(display: string, titlePart: string | null, timeoutMs = 5_000): Promise<XDisplay> {
  const over = new AbortController();
  const tooLate = setTimeout(timeoutMs, undefined, { signal: over.signal }).then(() => {
    throw new Error("the X server did not answer");
  });
  tooLate.catch(() => undefined);
  const looking = connect(display, over.signal).then(({ x, screen, lost }) =>
    Promise.race([look(x, screen, titlePart), lost]),
  );
  looking.catch(() => undefined);
  try {
    return await Promise.race([looking, tooLate]);
  } finally {
    over.abort();
  }
}

async function look(x: Connection, screen: Screen, titlePart: string | null): Promise<XDisplay> {
  const monitor = await monitorOf(x, screen);
  const isPart = monitor.width < screen.pixel_width || monitor.height < screen.pixel_height;
  const window = titlePart === null ? undefined : windowByTitle(await windowsBelow(x, screen.root), titlePart);
  const xwayland = await ask<{ present: number }>((reply) => x.QueryExtension("XWAYLAND", reply));
  return { monitor, isPart, isXwayland: Boolean(xwayland?.present), window };
}
