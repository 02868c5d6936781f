// A window that shows a machine-readable time in every frame, to verify captures.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { cellCount } from "./clock-code.ts";

/** One painted frame. */
export type ClockFrame = {
  /** Encoded time in epoch milliseconds. */
  readonly clockMs: number;
  /** When the X server had drawn the frame. */
  readonly shownMs: number;
  /** Duration of all drawing requests of the frame. */
  readonly workMs: number;
};

export type ClockWindow = {
  readonly pid: number;
  /** Returns the frames since the last call, at most the newest 108,000. */
  takeFrames(): Promise<ClockFrame[]>;
  close(): Promise<void>;
};

export type ClockWindowOptions = {
  /** Name of the display, e.g. `:7`. */
  readonly display: string;
  /** Width in pixels, a multiple of 64. */
  readonly width?: number;
  readonly height?: number;
  readonly title?: string;
  readonly framesPerSecond?: number;
};

/** Opens the window in the upper left corner. Resolves when the first frame is visible. */
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
