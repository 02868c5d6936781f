// A window that shows what time it is, in every frame, for a machine to read: what a capture really saw, and when.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { cellCount } from "./clock-code.ts";

/** One frame as it was painted. */
export type ClockFrame = {
  /** Epoch milliseconds, as the cells say it. */
  readonly clockMs: number;
  /** When the X server had shown it. */
  readonly shownMs: number;
  /** From the first request of the frame until the X server had done the last. */
  readonly workMs: number;
};

export type ClockWindow = {
  readonly pid: number;
  /** The frames since the last time this was asked; at most the newest 108,000. */
  takeFrames(): Promise<ClockFrame[]>;
  close(): Promise<void>;
};

export type ClockWindowOptions = {
  /** Name of the display, e.g. `:7`. */
  readonly display: string;
  /** A multiple of 64 pixels: each cell is as wide as the others. */
  readonly width?: number;
  readonly height?: number;
  readonly title?: string;
  readonly framesPerSecond?: number;
};

/** Resolves when the first frame is on the screen. The window lies in the upper left corner. */
export async function openClockWindow(options: ClockWindowOptions): Promise<ClockWindow> {
  const { display, width = 1280, height = 720, title = "Clock window", framesPerSecond = 60 } = options;
  if (width % cellCount !== 0) throw new Error(`${width} pixels are no multiple of ${cellCount}`);
  const words = [display, title, ...[width, height, framesPerSecond].map(String)];
  const child = fork(join(import.meta.dirname, "clock-window-process.ts"), words, {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const ended = once(child, "exit");
  const said = async () => {
    const [message] = await Promise.race([
      once(child, "message"),
      ended.then(([code]) => Promise.reject(new Error(`the clock window ended with ${code}`))),
    ]);
    return message as unknown;
  };
  await said();
  return {
    pid: child.pid as number,
    async takeFrames() {
      const answer = said();
      child.send("frames");
      return (await answer) as ClockFrame[];
    },
    async close() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
