// Finds what can be captured on this system: the sources in the order in which to try them, or advice if there are none. Reads an X
// display without native code: the size of its screen and of its primary monitor, and the window with a title.

import { setTimeout } from "node:timers/promises";
import { type Message, MessageError } from "@kit/contract";
import { joinSentences, message, reasonOf } from "@kit/contract/messages";
import type { Size, VideoInput } from "./commands.ts";

type XWindow = Size & { readonly id: number; readonly title: string };

export type XDisplay = {
  /** Position and size of the monitor to capture. */
  readonly monitor: Size & { readonly x: number; readonly y: number };
  /** True if the screen spans more than `monitor`. */
  readonly spansMore: boolean;
  /** True for Xwayland, which contains only the windows of X11 programs. */
  readonly isXwayland: boolean;
  /** The largest visible window whose title contains the requested text; undefined if there is none. */
  readonly window: XWindow | undefined;
};

/** The part of the x11 package that this file uses. The package has no types. */
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
  /** Undefined until connected. */
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
/** Smaller windows are skipped: tooltips and tray icons have titles, too. */
const sideMin = 64;

/** Sends a request. Resolves to undefined if it fails, for example because the window is gone. */
function query<T>(question: (reply: Reply<T>) => void): Promise<T | undefined> {
  return new Promise((resolve) => {
    // Returning true marks the error as handled.
    question(((error: Error | null, reply: T) => {
      resolve(error ? undefined : reply);
      return true;
    }) as Reply<T>);
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const clean = (text: string) => text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, " ").trim();

/** Reads the title of a window from _NET_WM_NAME, or from WM_NAME for old programs. */
async function readTitle(x: Connection, window: number, netWmName: number): Promise<string> {
  const read = (name: number) =>
    query<{ data: Buffer }>((reply) => x.GetProperty(0, window, name, anyType, 0, titleWordsMax, reply));
  const [modern, old] = await Promise.all([netWmName === 0 ? undefined : read(netWmName), read(wmName)]);
  return clean(modern?.data.toString("utf8") || old?.data.toString("latin1") || "");
}

async function readWindow(x: Connection, id: number, netWmName: number): Promise<XWindow | undefined> {
  const [attributes, size, title] = await Promise.all([
    query<{ mapState: number; klass: number }>((reply) => x.GetWindowAttributes(id, reply)),
    query<Size>((reply) => x.GetGeometry(id, reply)),
    readTitle(x, id, netWmName),
  ]);
  if (attributes?.mapState !== isViewable || attributes.klass !== inputOutput || size === undefined) return undefined;
  return { id, title, width: size.width, height: size.height };
}

/** Returns all visible windows below `root`, at any depth: a window manager puts the window of a game into one of its own. */
async function windowsBelow(x: Connection, root: number): Promise<XWindow[]> {
  const netWmName = (await query<number>((reply) => x.InternAtom(true, "_NET_WM_NAME", reply))) ?? 0;
  const found: XWindow[] = [];
  let level = [root];
  for (let depth = 0; depth < depthMax && level.length > 0 && found.length < windowsMax; depth += 1) {
    const trees = await Promise.all(
      level.map((id) => query<{ children: number[] }>((reply) => x.QueryTree(id, reply))),
    );
    const children = trees.flatMap((tree) => tree?.children ?? []).slice(0, windowsMax);
    const windows = await Promise.all(children.map((id) => readWindow(x, id, netWmName)));
    const visible = windows.filter((window) => window !== undefined);
    found.push(...visible);
    level = visible.map(({ id }) => id);
  }
  return found;
}

/** Returns the largest window whose title contains the text in any case; of equally large ones, the outermost. */
export function findWindowByTitle(windows: readonly XWindow[], part: string): XWindow | undefined {
  const wanted = part.trim().toLowerCase();
  const area = ({ width, height }: Size) => width * height;
  return windows
    .filter(({ title, width, height }) => title.toLowerCase().includes(wanted) && Math.min(width, height) >= sideMin)
    .reduce<XWindow | undefined>(
      (best, next) => (best === undefined || area(next) > area(best) ? next : best),
      undefined,
    );
}

/** Returns the primary monitor, or the whole screen if none is set. */
async function readMonitor(x: Connection, screen: Screen): Promise<XDisplay["monitor"]> {
  const whole = { x: 0, y: 0, width: screen.pixel_width, height: screen.pixel_height };
  const randr = (await query<unknown>((reply) => x.require("randr", reply))) as RandR | undefined;
  const output = await query<number>((reply) => (randr ? randr.GetOutputPrimary(screen.root, reply) : reply(null, 0)));
  if (randr === undefined || !output) return whole;
  const info = await query<{ crtc: number }>((reply) => randr.GetOutputInfo(output, 0, reply));
  if (!info?.crtc) return whole;
  const part = await query<XDisplay["monitor"]>((reply) => randr.GetCrtcInfo(info.crtc, 0, reply));
  if (part === undefined || part.width < sideMin || part.height < sideMin) return whole;
  return { x: part.x, y: part.y, width: part.width, height: part.height };
}

type Connected = { readonly x: Connection; readonly screen: Screen; readonly lost: Promise<never> };

async function connectOnce(display: string, abort: AbortSignal): Promise<Connected> {
  // Loaded only when needed, because the package is large.
  const { createClient } = await import("x11");
  const { promise: lost, reject } = Promise.withResolvers<never>();
  lost.catch(() => undefined);
  return new Promise<Connected>((resolve, rejectConnect) => {
    const client = createClient({ display }, (error, answer) => {
      if (error) return rejectConnect(error);
      // Later connection errors reject `lost`.
      const x = client as unknown as Connection;
      resolve({ x, screen: answer.screen[0] as unknown as Screen, lost });
    });
    client.on("error", (error) => {
      rejectConnect(error);
      reject(error);
    });
    client.on("end", () => reject(new MessageError(message("display.closed_connection"))));
    abort.addEventListener("abort", () => (client as unknown as Connection).stream?.destroy(), { once: true });
  });
}

/** Connects. Retries, because an X server resets when its last client leaves, and then drops a connection made at that moment. */
async function connect(display: string, abort: AbortSignal, triesMax = 3): Promise<Connected> {
  try {
    return await connectOnce(display, abort);
  } catch (error) {
    const isDropped = error instanceof Error && error.message.includes("closed before setup");
    if (!isDropped || triesMax <= 1 || abort.aborted) throw error;
    await setTimeout(100);
    return connect(display, abort, triesMax - 1);
  }
}

/** Rejects if the display cannot be opened or does not answer in time. */
export async function readXDisplay(display: string, titlePart: string | null, timeoutMs = 5_000): Promise<XDisplay> {
  const abort = new AbortController();
  const tooLate = setTimeout(timeoutMs, undefined, { signal: abort.signal }).then(() => {
    throw new MessageError(message("display.no_answer"));
  });
  tooLate.catch(() => undefined);
  const reading = connect(display, abort.signal).then(({ x, screen, lost }) =>
    Promise.race([readScreen(x, screen, titlePart), lost]),
  );
  reading.catch(() => undefined);
  try {
    return await Promise.race([reading, tooLate]);
  } finally {
    abort.abort();
  }
}

async function readScreen(x: Connection, screen: Screen, titlePart: string | null): Promise<XDisplay> {
  const monitor = await readMonitor(x, screen);
  const isPart = monitor.width < screen.pixel_width || monitor.height < screen.pixel_height;
  const window = titlePart === null ? undefined : findWindowByTitle(await windowsBelow(x, screen.root), titlePart);
  const xwayland = await query<{ present: number }>((reply) => x.QueryExtension("XWAYLAND", reply));
  return { monitor, spansMore: isPart, isXwayland: Boolean(xwayland?.present), window };
}

export type CaptureSource = {
  readonly input: VideoInput;
  /** Null if only ffmpeg can find out the size. */
  readonly size: Size | null;
  /** What a person calls the source. */
  readonly name: string;
};

type CaptureSources = { readonly sources: readonly CaptureSource[] } | { readonly refused: Message };

export type CaptureSourceRequest = {
  readonly platform: NodeJS.Platform;
  readonly display: string | undefined;
  readonly wayland: boolean;
  /** Part of the title of the window to capture; null for the screen. */
  readonly window: string | null;
  /** Returns what ffmpeg prints about the devices of a format. */
  readonly listDevices: (format: "avfoundation" | "dshow") => Promise<string>;
  readonly readXDisplay?: typeof readXDisplay;
};

/** Kit does not capture the screen instead: a person chose one window so that nothing else is recorded. */
const windowNotFound = (part: string) => message("source.no_window", { title: part });

export async function findCaptureSources(request: CaptureSourceRequest): Promise<CaptureSources> {
  if (request.platform === "win32") return { sources: windowsSources(request.window) };
  if (request.platform === "darwin") return macSources(request);
  if (request.display !== undefined && request.display !== "") return x11Sources(request, request.display);
  if (request.wayland) return { refused: message("source.wayland") };
  return { refused: message("source.no_screen") };
}

/** The sizes are unknown before the capture, so ffmpeg scales what arrives. */
function windowsSources(window: string | null): CaptureSource[] {
  if (window !== null) {
    return [{ input: { kind: "gfxcapture", windowTitle: window }, size: null, name: `window "${window}"` }];
  }
  const name = "first monitor";
  // Desktop Duplication first: its frame rate is constant, and it draws no border around what it captures.
  return [
    { input: { kind: "ddagrab" }, size: null, name },
    { input: { kind: "gfxcapture", windowTitle: null }, size: null, name },
    { input: { kind: "gdigrab" }, size: null, name: "desktop" },
  ];
}

async function macSources({ window, listDevices }: CaptureSourceRequest): Promise<CaptureSources> {
  if (window !== null) return { refused: message("source.no_window_on_macos") };
  const screens = [...(await listDevices("avfoundation")).matchAll(/\] (Capture screen \d+)\s*$/gm)];
  const screen = screens[0]?.[1];
  if (screen !== undefined) return { sources: [{ input: { kind: "avfoundation", screen }, size: null, name: screen }] };
  return { refused: message("source.no_screen_on_macos") };
}

async function x11Sources(
  { window, readXDisplay: lookAt }: CaptureSourceRequest,
  display: string,
): Promise<CaptureSources> {
  let screen: XDisplay;
  try {
    screen = await (lookAt ?? readXDisplay)(display, window);
  } catch (error) {
    const why = reasonOf(error);
    return {
      refused: message("source.display_not_opened", { display, why }),
    };
  }
  if (window !== null) return windowSource(screen, display, window);
  // The root window of Xwayland does not contain other programs, so every clip would be black.
  if (screen.isXwayland)
    return { refused: joinSentences(message("source.wayland"), message("source.x11_game_by_title")) };
  const { x, y, width, height } = screen.monitor;
  const name = `screen ${display}${screen.spansMore ? ", first monitor" : ""}`;
  return { sources: [{ input: { kind: "x11-screen", display, x, y }, size: { width, height }, name }] };
}

function windowSource({ window }: XDisplay, display: string, part: string): CaptureSources {
  if (window === undefined) return { refused: windowNotFound(part) };
  const { id, title, width, height } = window;
  const name = `window "${title.slice(0, 100)}"`;
  return { sources: [{ input: { kind: "x11-window", display, window: id }, size: { width, height }, name }] };
}
