// Finds what can be captured on this system: the sources in the order in which to try them, or advice if there are none. Reads the
// size of an X screen and of its primary monitor.

import { setTimeout } from "node:timers/promises";
import { type Message, MessageError } from "@kit/contract";
import { joinSentences, message, reasonOf } from "@kit/contract/messages";
import type { FfmpegFeatures } from "../../ffmpeg/features.ts";
import type { Ffmpeg } from "../../ffmpeg/find.ts";
import { type Connected, connectToDisplay, isXwayland } from "../../x11/connection.ts";
import { type Area, readMonitors, readWindowByTitle, type XWindow } from "../../x11/screen.ts";
import { findDesktopWindow } from "../desktop-windows.ts";
import type { CapturedWindow, DesktopMonitor, WindowsDesktop } from "../window.ts";
import type { Size, VideoInput } from "./commands.ts";

export type XDisplay = {
  /** The monitor to capture: the wanted one, otherwise the primary one. */
  readonly monitor: Area;
  /** True if the wanted monitor is not connected. */
  readonly isMissing: boolean;
  /** True if the screen spans more than `monitor`. */
  readonly spansMore: boolean;
  /** True for Xwayland, which contains only the windows of X11 programs. */
  readonly isXwayland: boolean;
  /** The largest visible window whose title contains the requested text; undefined if there is none. */
  readonly window: XWindow | undefined;
};

/** Rejects if the display cannot be opened or does not answer in time. */
export async function readXDisplay(
  display: string,
  titlePart: string | null,
  { monitor = null, timeoutMs = 5_000 }: { readonly monitor?: string | null; readonly timeoutMs?: number } = {},
): Promise<XDisplay> {
  const abort = new AbortController();
  const tooLate = setTimeout(timeoutMs, undefined, { signal: abort.signal }).then(() => {
    throw new MessageError(message("display.no_answer"));
  });
  tooLate.catch(() => undefined);
  const reading = connectToDisplay(display, abort.signal).then((connected) =>
    Promise.race([readScreen(connected, titlePart, monitor), connected.lost]),
  );
  reading.catch(() => undefined);
  try {
    return await Promise.race([reading, tooLate]);
  } finally {
    abort.abort();
  }
}

async function readScreen(connected: Connected, titlePart: string | null, wanted: string | null): Promise<XDisplay> {
  const { x, screen } = connected;
  const whole = { x: 0, y: 0, width: screen.pixel_width, height: screen.pixel_height };
  const { monitor, isMissing } = chooseMonitor(await readMonitors(connected), wanted, whole);
  const isPart = monitor.width < whole.width || monitor.height < whole.height;
  const window = titlePart === null ? undefined : await readWindowByTitle(connected, titlePart);
  return { monitor, isMissing, spansMore: isPart, isXwayland: await isXwayland(x), window };
}

/**
 * `monitors` has the primary one first. A screen of several monitors is never chosen as a whole: it could show more than anybody
 * wants to record.
 */
export function chooseMonitor(
  monitors: readonly (Area & { readonly name: string })[],
  wanted: string | null,
  whole: Area,
): { readonly monitor: Area; readonly isMissing: boolean } {
  const found = monitors.find(({ name }) => name === wanted);
  return { monitor: found ?? monitors[0] ?? whole, isMissing: wanted !== null && found === undefined };
}

export type CaptureSource = {
  readonly input: VideoInput;
  /** Null if only ffmpeg can find out the size. */
  readonly size: Size | null;
  /** The size that the system listed, if ffmpeg finds out the size. */
  readonly listedSize?: Size | undefined;
  /** What a person calls the source. */
  readonly name: string;
  /** Why it is not the source that was chosen. */
  readonly warning?: Message;
};
type PrimaryInstead = Required<Pick<CaptureSource, "warning">>;
const primaryInstead = (name: string): PrimaryInstead => ({ warning: message("source.primary_monitor", { name }) });

export type CaptureSources = { readonly sources: readonly CaptureSource[] } | { readonly refused: Message };

export type CaptureSourceRequest = {
  readonly platform: NodeJS.Platform;
  readonly display: string | undefined;
  readonly wayland: boolean;
  /** Part of the title of the window to capture; null for the screen. */
  readonly window: string | null;
  /** Name of the monitor to capture as the screen; null for the primary one. */
  readonly monitor: string | null;
  /** Returns what ffmpeg prints about the devices of a format. */
  readonly listDevices: (format: "avfoundation" | "dshow") => Promise<string>;
  readonly readXDisplay?: typeof readXDisplay;
  /** Returns what ffmpeg was built with. Asked on Windows only, like the following. */
  readonly features: () => Promise<Pick<FfmpegFeatures, "filters" | "devices">>;
  /** True if gdigrab finds a window by its handle, as since ffmpeg 7. */
  readonly hasWindowHandles: boolean;
  /** The window to capture, if one is followed. */
  readonly followed?: CapturedWindow | undefined;
  /** Undefined where Kit cannot list windows and monitors. */
  readonly windowsDesktop?: WindowsDesktop | undefined;
};

/** Kit does not capture the screen instead: a person chose one window so that nothing else is recorded. */
const windowNotFound = (part: string) => message("source.no_window", { title: part });

export async function findCaptureSources(request: CaptureSourceRequest): Promise<CaptureSources> {
  if (request.platform === "win32") return windowsSources(request);
  if (request.platform === "darwin") return macSources(request);
  if (request.display !== undefined && request.display !== "") return x11Sources(request, request.display);
  if (request.wayland) return { refused: message("source.wayland") };
  return { refused: message("source.no_screen") };
}

const windowName = (title: string) => (title === "" ? "the game's window" : `window "${title.slice(0, 100)}"`);

/** For a window that Windows scales, the listed size is not what ffmpeg gets, so ffmpeg scales what arrives. */
async function windowsSources(request: CaptureSourceRequest): Promise<CaptureSources> {
  const { followed, window: part, windowsDesktop, features } = request;
  let window = followed;
  if (window === undefined && part !== null && windowsDesktop !== undefined) {
    window = findDesktopWindow(await windowsDesktop.listWindows(), part);
    if (window === undefined) return { refused: windowNotFound(part) };
  }
  const title = window?.title ?? part;
  const screen = title === null ? await findMonitor(request) : {};
  if ("refused" in screen) return screen;
  const monitor = screen.isOnly ? undefined : screen.monitor;
  const { width, height } = window ?? screen.monitor ?? {};
  const listedSize = width === undefined || height === undefined ? undefined : { width, height };
  const wanted =
    window === undefined && part !== null
      ? titledInputs(part)
      : windowsInputs(window === undefined ? { monitor } : { window }, request.hasWindowHandles);
  const existing = inputsInBuild(wanted, await features());
  if (existing.length === 0) {
    const what = wanted.map(({ kind }) => kind).join(", ");
    return { refused: message("source.not_in_build", { what }) };
  }
  const { warning } = screen;
  const screenName = (kind: VideoInput["kind"]) => {
    if (request.monitor !== null && warning === undefined) return `monitor ${request.monitor}`;
    return kind === "gdigrab" && monitor === undefined ? "desktop" : "first monitor";
  };
  const sources = existing.map((input) => {
    return {
      input,
      size: null,
      listedSize,
      name: title === null ? screenName(input.kind) : windowName(title),
      ...warning,
    };
  });
  return { sources };
}

/** A capture does not wait longer for a list that it can do without: the process that lists may be slow to start. */
const listWithinMs = 5_000;

type FoundMonitor = {
  readonly monitor?: DesktopMonitor | undefined;
  /** True if nobody chose the monitor, and there is no other. */
  readonly isOnly?: boolean;
  readonly warning?: PrimaryInstead;
};

/** Returns the monitor that is set, or the primary one, unless nobody chose one and none can be listed. */
async function findMonitor({
  monitor: name,
  windowsDesktop,
}: CaptureSourceRequest): Promise<FoundMonitor | { readonly refused: Message }> {
  if (name === null) {
    const listed = windowsDesktop?.listMonitors().catch(() => []) ?? [];
    const monitors = await Promise.race([listed, setTimeout(listWithinMs, [], { ref: false })]);
    return { monitor: monitors.find(({ isPrimary }) => isPrimary), isOnly: monitors.length === 1 };
  }
  const monitors = (await windowsDesktop?.listMonitors()) ?? [];
  const monitor = monitors.find((one) => one.name === name);
  if (monitor !== undefined) return { monitor };
  const primary = monitors.find(({ isPrimary }) => isPrimary);
  if (primary === undefined) return { refused: message("source.no_monitor", { name }) };
  return { monitor: primary, warning: primaryInstead(name) };
}

/** gdigrab finds a window by its handle since ffmpeg 7. */
export const hasWindowHandles = ({ version: { major } }: Pick<Ffmpeg, "version">): boolean => major === 0 || major >= 7;

const titledInputs = (part: string): VideoInput[] => [
  { kind: "gfxcapture", window: part },
  { kind: "gdigrab", window: part },
];

/** Returns the inputs that show a window or a monitor, in the order in which to try them. */
export function windowsInputs(
  {
    window,
    monitor,
  }: { readonly window?: Pick<CapturedWindow, "id" | "title">; readonly monitor?: DesktopMonitor | undefined },
  hasHandles: boolean,
): VideoInput[] {
  if (window !== undefined) {
    const { id, title } = window;
    return [
      { kind: "gfxcapture", window: id },
      { kind: "gdigrab", window: hasHandles ? id : title },
    ];
  }
  // Desktop Duplication first: its frame rate is constant, and it draws no border around what it captures. Its first output is the
  // primary monitor; which of the others has which number, only Direct3D knows.
  const ddagrab: VideoInput[] = monitor?.isPrimary === false ? [] : [{ kind: "ddagrab" }];
  if (monitor === undefined)
    return [...ddagrab, { kind: "gfxcapture", window: null }, { kind: "gdigrab", window: null }];
  const { id, x, y, width, height } = monitor;
  return [
    ...ddagrab,
    { kind: "gfxcapture", window: null, monitor: id },
    { kind: "gdigrab", window: null, area: { x, y, width, height } },
  ];
}

/** Returns those of the inputs that this build of ffmpeg has. */
export const inputsInBuild = (
  inputs: readonly VideoInput[],
  { filters, devices }: Pick<FfmpegFeatures, "filters" | "devices">,
): VideoInput[] => inputs.filter(({ kind }) => (kind === "gdigrab" ? devices : filters).has(kind));

async function macSources({ window, listDevices }: CaptureSourceRequest): Promise<CaptureSources> {
  if (window !== null) return { refused: message("source.no_window_on_macos") };
  const screens = [...(await listDevices("avfoundation")).matchAll(/\] (Capture screen \d+)\s*$/gm)];
  const screen = screens[0]?.[1];
  if (screen !== undefined) return { sources: [{ input: { kind: "avfoundation", screen }, size: null, name: screen }] };
  return { refused: message("source.no_screen_on_macos") };
}

async function x11Sources(
  { window, monitor, readXDisplay: lookAt }: CaptureSourceRequest,
  display: string,
): Promise<CaptureSources> {
  let screen: XDisplay;
  try {
    screen = await (lookAt ?? readXDisplay)(display, window, { monitor });
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
  const first = screen.spansMore ? ", first monitor" : "";
  const isChosen = monitor !== null && !screen.isMissing;
  const name = `screen ${display}${isChosen ? `, monitor ${monitor}` : first}`;
  const warning = monitor !== null && screen.isMissing ? primaryInstead(monitor) : {};
  return { sources: [{ input: { kind: "x11-screen", display, x, y }, size: { width, height }, name, ...warning }] };
}

/** The source for a window that is followed. */
export const followedSource = (display: string, { id, title, width, height }: CapturedWindow): CaptureSource => ({
  input: { kind: "x11-window", display, window: id },
  size: { width, height },
  name: windowName(title),
});

function windowSource({ window }: XDisplay, display: string, part: string): CaptureSources {
  if (window === undefined) return { refused: windowNotFound(part) };
  const { id, title, width, height } = window;
  const name = windowName(title);
  return { sources: [{ input: { kind: "x11-window", display, window: id }, size: { width, height }, name }] };
}
