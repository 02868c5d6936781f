// A strip across the top of the screen that shows a machine-readable clock, painted by a process of its own.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Part of the title of the strip's window. */
export const stripTitle = "Kit selftest clock";
/** Kit finds only windows that are at least 64 pixels high, and some encoders refuse flat pictures. */
export const stripHeight = 144;

/** Where the strip is. On Windows, it finds the first monitor by itself. */
export type StripPlace = {
  readonly display: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
};

/** One painted clock: what it shows, and when the screen showed it. */
export type PaintedClock = { readonly clockMs: number; readonly shownMs: number };

/** Paints on one system. */
export type StripPainter = {
  /** Resolves when the screen shows the cells; true is white. */
  paint(cells: readonly boolean[]): Promise<void>;
};

export type Strip = {
  /** Returns the clocks since the last call. */
  takePainted(): Promise<readonly PaintedClock[]>;
  close(): Promise<void>;
};

const opensWithinMs = 15_000;

const program = () =>
  fileURLToPath(
    new URL(import.meta.url.endsWith(".ts") ? "./strip-process.ts" : "./strip-process.js", import.meta.url),
  );

async function answerOf(child: ChildProcess, ended: Promise<unknown[]>): Promise<unknown> {
  const [answer] = await Promise.race([
    once(child, "message", { signal: AbortSignal.timeout(opensWithinMs) }),
    ended.then(([code]) => Promise.reject(new Error(`the window ended with ${code}`))),
  ]);
  if (typeof answer === "object" && answer !== null && "failed" in answer) throw new Error(String(answer.failed));
  return answer;
}

/** Resolves when the strip is visible. Rejects if the system shows no window. */
export async function openStrip(place: StripPlace): Promise<Strip> {
  const child = fork(program(), [], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    execArgv: ["--disable-warning=ExperimentalWarning"],
    windowsHide: true,
  });
  const ended = once(child, "exit");
  const close = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  try {
    const shown = answerOf(child, ended);
    // Not as an argument: an executable passes none on to its processes.
    child.send(place);
    await shown;
  } catch (error) {
    await close();
    throw error;
  }
  return {
    async takePainted() {
      const answer = answerOf(child, ended);
      child.send("painted");
      return (await answer) as PaintedClock[];
    },
    close,
  };
}
