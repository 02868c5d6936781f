// Support: a program with a window of one colour, which it moves, resizes and hides, and which sends events like a game.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export type PaintedWindowOptions = {
  readonly display: string;
  readonly title: string;
  /** Red, green and blue, e.g. 0x00ff00. */
  readonly colour: number;
  readonly width: number;
  readonly height: number;
  readonly x?: number;
  readonly y?: number;
  /** Opens the window in a child process of the program that sends the events. */
  readonly inChild?: boolean;
};

export type WindowCommand =
  | { readonly do: "move"; readonly x: number; readonly y: number }
  | { readonly do: "resize"; readonly width: number; readonly height: number }
  | { readonly do: "raise" | "minimise" | "show" | "fullscreen" | "close" | "reopen" }
  | { readonly do: "send"; readonly url: string; readonly eventId: string };

export type PaintedWindow = {
  readonly pid: number;
  /** Resolves when the X server has got the command, or with the id of the event when the launcher has answered. */
  order(command: WindowCommand): Promise<string>;
  end(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
};

/** Resolves when the window is shown. */
export async function openPaintedWindow(options: PaintedWindowOptions): Promise<PaintedWindow> {
  const child = fork(join(import.meta.dirname, "painted-window-process.ts"), [JSON.stringify(options)], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const ended = once(child, "exit");
  const answer = () =>
    Promise.race([
      once(child, "message"),
      ended.then(([code]) => Promise.reject(new Error(`the painted window ended with ${code}`))),
    ]);
  await answer();
  return {
    pid: child.pid as number,
    async order(command) {
      const answered = answer();
      child.send(command);
      const [said] = await answered;
      return String(said);
    },
    async end(signal = "SIGTERM") {
      child.kill(signal);
      await ended;
    },
  };
}
