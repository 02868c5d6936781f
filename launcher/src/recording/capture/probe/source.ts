// What can be captured on this system: inputs in the order they are tried, or what to do where there is none.
import type { Size, VideoInput } from "./commands.ts";
import { readDisplay, type XDisplay } from "./windows-of-x11.ts";

export type Source = {
  readonly input: VideoInput;
  /** Null where only ffmpeg will find out. */
  readonly size: Size | null;
  /** For a person. */
  readonly name: string;
};

export type Sources = { readonly sources: readonly Source[] } | { readonly refused: string };

export type SourceWish = {
  readonly platform: NodeJS.Platform;
  readonly display: string | undefined;
  readonly wayland: boolean;
  /** Part of a window's title; null is the screen. Where that window cannot be had, the screen is never taken instead. */
  readonly window: string | null;
  /** What ffmpeg says of the devices it lists. */
  readonly listDevices: (format: "avfoundation" | "dshow") => Promise<string>;
  readonly lookAt?: typeof readDisplay;
};

const useObs = "Start OBS with its WebSocket server switched on: Kit then records through it.";
const waylandSays = `ffmpeg cannot capture a Wayland session. ${useObs} gpu-screen-recorder can record it too, but without Kit's clips.`;

/** A person chose one window so that nothing else is ever recorded. */
const noSuchWindow = (part: string) =>
  `No visible window has "${part}" in its title. Open the game, or set the recorder to another window or to the whole screen.`;

export async function findSources(wish: SourceWish): Promise<Sources> {
  if (wish.platform === "win32") return { sources: sourcesOfWindows(wish.window) };
  if (wish.platform === "darwin") return sourcesOfMac(wish);
  if (wish.display !== undefined && wish.display !== "") return sourcesOfX11(wish, wish.display);
  if (wish.wayland) return { refused: waylandSays };
  return { refused: "There is no screen here to record: neither an X display nor a Wayland session is open." };
}

/** The size says nothing to gfxcapture's caller beforehand; ffmpeg scales by what arrives. */
function sourcesOfWindows(window: string | null): Source[] {
  if (window !== null) {
    return [{ input: { kind: "gfxcapture", windowTitle: window }, size: null, name: `window "${window}"` }];
  }
  const name = "first monitor";
  // Duplication keeps a steady rate and shows no frame around what is captured.
  return [
    { input: { kind: "ddagrab" }, size: null, name },
    { input: { kind: "gfxcapture", windowTitle: null }, size: null, name },
    { input: { kind: "gdigrab" }, size: null, name: "desktop" },
  ];
}

async function sourcesOfMac({ window, listDevices }: SourceWish): Promise<Sources> {
  if (window !== null) return { refused: `ffmpeg cannot capture a single window on macOS. ${useObs}` };
  const screens = [...(await listDevices("avfoundation")).matchAll(/\] (Capture screen \d+)\s*$/gm)];
  const screen = screens[0]?.[1];
  if (screen !== undefined) return { sources: [{ input: { kind: "avfoundation", screen }, size: null, name: screen }] };
  const allow = "allow it under System Settings, Privacy & Security, Screen Recording, for what started Kit";
  return { refused: `macOS lists no screen to ffmpeg: ${allow}. Or: ${useObs}` };
}

async function sourcesOfX11({ window, lookAt }: SourceWish, display: string): Promise<Sources> {
  let seen: XDisplay;
  try {
    seen = await (lookAt ?? readDisplay)(display, window);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      refused: `The X display ${display} cannot be opened (${why}). Start Kit from within the desktop session.`,
    };
  }
  if (window !== null) return sourceOfWindow(seen, display, window);
  // Its root shows nothing of what other programs draw: every clip would be black.
  if (seen.isXwayland)
    return { refused: `${waylandSays} A game that draws by X can be captured by its window's title.` };
  const { x, y, width, height } = seen.monitor;
  const name = `screen ${display}${seen.isPart ? ", first monitor" : ""}`;
  return { sources: [{ input: { kind: "x11-screen", display, x, y }, size: { width, height }, name }] };
}

function sourceOfWindow({ window }: XDisplay, display: string, part: string): Sources {
  if (window === undefined) return { refused: noSuchWindow(part) };
  const { id, title, width, height } = window;
  const name = `window "${title.slice(0, 100)}"`;
  return { sources: [{ input: { kind: "x11-window", display, window: id }, size: { width, height }, name }] };
}
