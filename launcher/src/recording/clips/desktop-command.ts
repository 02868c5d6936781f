// Runs a program of the desktop: to show a file, or to put it on the clipboard.

import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { withUmask } from "../../process/umask.ts";

export type DesktopCommand = {
  readonly program: string;
  readonly args: readonly string[];
  /** True for a Windows program that parses its command line itself, so that Node must not quote it. */
  readonly isVerbatim?: boolean;
  /** True if the exit code means nothing, or the program runs until its window is closed. */
  readonly ignoresExit?: boolean;
  /** Written to stdin, which is then closed. */
  readonly input?: string;
};

/** Maximum wait for the desktop to answer. */
const answerMs = 6_000;
/** A program whose exit does not count has succeeded if it still runs after this time. */
const openedMs = 1_500;

/** Searches anew with each call, because a person may have installed the program since. */
function findProgram(program: string, searchPath: string): string | undefined {
  const folders = searchPath.split(delimiter).filter((folder) => isAbsolute(folder));
  const paths = isAbsolute(program) ? [program] : folders.map((folder) => join(folder, program));
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Resolves to true if the command reports success. Never rejects. */
function runProgram(
  words: readonly string[],
  { isVerbatim = false, ignoresExit = false, input }: DesktopCommand,
): Promise<boolean> {
  return new Promise((resolve) => {
    // Detached, so that a file manager that the command starts stays open when the launcher stops.
    const options = { detached: true, windowsVerbatimArguments: isVerbatim } as const;
    const [program = "", ...args] = words;
    const child = spawn(program, args, {
      ...options,
      stdio: [input === undefined ? "ignore" : "pipe", "ignore", "ignore"],
      windowsHide: false,
    });
    // Its exit code says whether it took the input.
    child.stdin?.on("error", () => undefined).end(input);
    const timer = setTimeout(
      () => {
        if (!ignoresExit) child.kill("SIGKILL");
        resolve(ignoresExit);
      },
      ignoresExit ? openedMs : answerMs,
    );
    const end = (isDone: boolean) => {
      clearTimeout(timer);
      resolve(isDone);
    };
    child.once("error", () => end(false));
    child.once("exit", (code) => end(code === 0 || (ignoresExit && process.platform === "win32")));
    child.unref();
  });
}

/** Resolves to `missing` if PATH has no such program. Never rejects. The program starts with the user's umask. */
export async function runDesktopCommand(
  command: DesktopCommand,
  { searchPath, umask }: { readonly searchPath: string; readonly umask: number },
): Promise<"done" | "failed" | "missing"> {
  const program = findProgram(command.program, searchPath);
  if (program === undefined) return "missing";
  return (await runProgram(withUmask(umask, [program, ...command.args]), command)) ? "done" : "failed";
}
