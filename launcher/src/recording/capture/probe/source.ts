// Finds what can be captured on this system: the sources in the order in which to try them, or advice if there are none.
import type { Message } from "@kit/contract";
import { joinSentences, message, reasonOf } from "@kit/contract/messages";
import type { Size, VideoInput } from "./commands.ts";
import { readXDisplay, type XDisplay } from "./x11-display.ts";

export type CaptureSource = {
  readonly input: VideoInput;
  /** Null if only ffmpeg can find out the size. */
  readonly size: Size | null;
  /** What a person calls the source. */
  readonly name: string;
};

export type CaptureSources = { readonly sources: readonly CaptureSource[] } | { readonly refused: Message };

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
