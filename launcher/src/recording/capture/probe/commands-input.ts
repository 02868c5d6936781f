// The arguments of each input: the picture source, the sound source, and timestamps in epoch time.
import type { Size } from "./commands-encoder.ts";

export type VideoInput =
  /** A region of an X screen, e.g. one monitor. */
  | { readonly kind: "x11-screen"; readonly display: string; readonly x: number; readonly y: number }
  | { readonly kind: "x11-window"; readonly display: string; readonly window: number }
  /** Windows.Graphics.Capture. A null title captures the first monitor. */
  | { readonly kind: "gfxcapture"; readonly windowTitle: string | null }
  /** Desktop Duplication of the first monitor. */
  | { readonly kind: "ddagrab" }
  /** GDI capture of the desktop: old and slow. */
  | { readonly kind: "gdigrab" }
  /** `screen` is a name from avfoundation's list, e.g. `Capture screen 0`. The same input also delivers sound. */
  | { readonly kind: "avfoundation"; readonly screen: string };

export type SoundInput =
  /** The monitor of an output, never a microphone. */
  | { readonly kind: "pulse"; readonly device: string }
  | { readonly kind: "dshow"; readonly device: string }
  /** Captured by the input of the picture. */
  | { readonly kind: "avfoundation"; readonly device: string };

/** A raw 1080p frame has 8 MB, so a long queue would grow by 250 MB a second on a machine that cannot keep up. */
const shortQueue = ["-thread_queue_size", "8"];

/** Stamps each frame with the wall clock, because these sources count from their own start. */
const wallClockFilter = "settb=1/1000000,setpts=time(0)/TB";

/**
 * Converts part of a window's title to a regular expression for gfxcapture. Every character except ASCII letters and digits
 * becomes a dot, so that none has a meaning in the expression or in ffmpeg's filter syntax.
 */
export const titlePattern = (part: string): string => `(?i).*${part.replaceAll(/[^A-Za-z0-9]/g, ".")}.*`;

/** Returns the source filter, or null if the input is a real ffmpeg input. */
export function filterSource(input: VideoInput, frameRate: number): string | null {
  if (input.kind === "ddagrab") {
    return `ddagrab=output_idx=0:framerate=${frameRate}:draw_mouse=1,${wallClockFilter},hwdownload,format=bgra`;
  }
  if (input.kind !== "gfxcapture") return null;
  const what = input.windowTitle === null ? "monitor_idx=0" : `window_title=${titlePattern(input.windowTitle)}`;
  return `gfxcapture=${what}:max_framerate=${frameRate}:capture_cursor=1,${wallClockFilter},hwdownload,format=bgra`;
}

type VideoOptions = { readonly inputSize: Size | null; readonly frameRate: number; readonly sound: SoundInput | null };

export function videoArgs(input: VideoInput, { inputSize, frameRate, sound }: VideoOptions): string[] {
  const rate = ["-framerate", String(frameRate)];
  const size = inputSize === null ? [] : ["-video_size", `${inputSize.width & ~1}x${inputSize.height & ~1}`];
  switch (input.kind) {
    case "x11-screen":
      // With -draw_mouse 1: without it, x11grab does not notice that the X server is gone.
      return [
        ...shortQueue,
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
        ...shortQueue,
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
      return [...shortQueue, "-f", "gdigrab", "-draw_mouse", "1", ...rate, "-i", "desktop"];
    case "avfoundation": {
      const device = sound?.kind === "avfoundation" ? sound.device : "none";
      const options = ["-use_wallclock_as_timestamps", "1", "-f", "avfoundation", "-capture_cursor", "1"];
      return [...shortQueue, ...options, ...rate, "-pixel_format", "nv12", "-i", `${input.screen}:${device}`];
    }
    default:
      throw new Error(`${input.kind} is a filter, not an input`);
  }
}

/** Small fragments keep sound in time with the picture; a queue of its own keeps it from waiting for frames. */
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

/** Returns false if a frame comes only when the picture changed, so that silence is no failure. */
export const hasConstantRate = (input: VideoInput): boolean => input.kind !== "gfxcapture";
