// The arguments of each input: what the picture is taken from, what the sound, and how their times become the epoch's.
import type { Size } from "./commands-encoder.ts";

export type VideoInput =
  /** A part of an X screen, e.g. one monitor. */
  | { readonly kind: "x11-screen"; readonly display: string; readonly x: number; readonly y: number }
  | { readonly kind: "x11-window"; readonly display: string; readonly window: number }
  /** Windows.Graphics.Capture; null is the first monitor. */
  | { readonly kind: "gfxcapture"; readonly windowTitle: string | null }
  /** Desktop Duplication: the first monitor. */
  | { readonly kind: "ddagrab" }
  /** The desktop by GDI: old, and heavy. */
  | { readonly kind: "gdigrab" }
  /** `screen` as avfoundation lists it, e.g. `Capture screen 0`; `sound` comes with it. */
  | { readonly kind: "avfoundation"; readonly screen: string };

export type SoundInput =
  /** What the machine plays: a sink's monitor, never a microphone. */
  | { readonly kind: "pulse"; readonly device: string }
  | { readonly kind: "dshow"; readonly device: string }
  /** Taken together with the picture. */
  | { readonly kind: "avfoundation"; readonly device: string };

/** A raw 1080p frame is 8 MB: a queue of them grows by 250 MB a second on a machine that cannot keep up. */
const fewFrames = ["-thread_queue_size", "8"];

/** The clock is read as each frame comes by: these sources count from their own start. */
const wallClock = "settb=1/1000000,setpts=time(0)/TB";

/**
 * Part of a window's title as the regular expression gfxcapture takes. Everything but ASCII letters and digits may be
 * anything, so no character of it can mean something to the expression or to ffmpeg's filter syntax.
 */
export const titlePattern = (part: string): string => `(?i).*${part.replaceAll(/[^A-Za-z0-9]/g, ".")}.*`;

/** What stands for an input where a filter is the source; null where it is an input of its own. */
export function filterSource(input: VideoInput, frameRate: number): string | null {
  if (input.kind === "ddagrab") {
    return `ddagrab=output_idx=0:framerate=${frameRate}:draw_mouse=1,${wallClock},hwdownload,format=bgra`;
  }
  if (input.kind !== "gfxcapture") return null;
  const what = input.windowTitle === null ? "monitor_idx=0" : `window_title=${titlePattern(input.windowTitle)}`;
  return `gfxcapture=${what}:max_framerate=${frameRate}:capture_cursor=1,${wallClock},hwdownload,format=bgra`;
}

type Wanted = { readonly inputSize: Size | null; readonly frameRate: number; readonly sound: SoundInput | null };

export function videoArgs(input: VideoInput, { inputSize, frameRate, sound }: Wanted): string[] {
  const rate = ["-framerate", String(frameRate)];
  const size = inputSize === null ? [] : ["-video_size", `${inputSize.width & ~1}x${inputSize.height & ~1}`];
  switch (input.kind) {
    case "x11-screen":
      // The mouse is drawn: without it this input does not notice that the X server is gone.
      return [
        ...fewFrames,
        "-f",
        "x11grab",
        "-draw_mouse",
        "1",
        ...rate,
        ...size,
        "-i",
        `${input.display}+${input.x},${input.y}`,
      ];
    case "x11-window":
      return [
        ...fewFrames,
        "-f",
        "x11grab",
        "-draw_mouse",
        "1",
        ...rate,
        ...size,
        "-window_id",
        `0x${input.window.toString(16)}`,
        "-i",
        input.display,
      ];
    case "gdigrab":
      return [...fewFrames, "-f", "gdigrab", "-draw_mouse", "1", ...rate, "-i", "desktop"];
    case "avfoundation": {
      const device = sound?.kind === "avfoundation" ? sound.device : "none";
      const options = ["-use_wallclock_as_timestamps", "1", "-f", "avfoundation", "-capture_cursor", "1"];
      return [...fewFrames, ...options, ...rate, "-pixel_format", "nv12", "-i", `${input.screen}:${device}`];
    }
    default:
      throw new Error(`${input.kind} is a filter, not an input`);
  }
}

/** Small pieces, so that sound is not later than the picture, and a queue of its own: it may not wait for frames. */
export function soundArgs(sound: SoundInput): string[] {
  const queue = ["-thread_queue_size", "256"];
  if (sound.kind === "pulse") return [...queue, "-f", "pulse", "-fragment_size", "3840", "-i", sound.device];
  if (sound.kind === "avfoundation") return [];
  return [
    ...queue,
    "-use_wallclock_as_timestamps",
    "1",
    "-f",
    "dshow",
    "-audio_buffer_size",
    "50",
    "-i",
    `audio=${sound.device}`,
  ];
}

/** False where a frame comes only when the picture changed, so that silence proves nothing. */
export const isSteady = (input: VideoInput): boolean => input.kind !== "gfxcapture";
