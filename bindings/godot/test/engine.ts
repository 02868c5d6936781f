// Starts Godot without this machine's own settings, and records its output.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

export type Outcome = { readonly code: number | null; readonly output: string; readonly errors: string[] };

export type Program = { readonly path: string; readonly words: readonly string[]; readonly cwd: string };

/** A line of the error output that starts an error. Indented lines belong to the line before. */
export const isErrorLine = (line: string): boolean => /^\S/.test(line);

/** An environment in which the engine stores all its files below `folder`. */
export function engineEnv(folder: string, more: Record<string, string> = {}): Record<string, string> {
  const home = join(folder, "home");
  const own = Object.fromEntries(["DATA", "CONFIG", "CACHE"].map((name) => [`XDG_${name}_HOME`, join(home, name)]));
  mkdirSync(home, { recursive: true });
  return { PATH: process.env.PATH ?? "", HOME: home, TMPDIR: folder, ...own, ...more };
}

/** Starts `program`. `onLine` gets every printed line at once. The program is killed after `withinMs`. */
export function start(
  program: Program,
  env: Record<string, string>,
  withinMs: number,
  onLine: (line: string, output: "out" | "err") => void,
): { child: ChildProcess; ended: Promise<number | null> } {
  const child = spawn(program.path, ["--headless", ...program.words], {
    cwd: program.cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    killSignal: "SIGKILL",
    timeout: withinMs,
  });
  const read = (stream: Readable, output: "out" | "err") => {
    const lines = createInterface({ input: stream });
    lines.on("line", (line) => onLine(line, output));
    return once(lines, "close");
  };
  const closed = [read(child.stdout, "out"), read(child.stderr, "err")];
  const ended = once(child, "exit").then(async ([code]) => {
    await Promise.all(closed);
    return code as number | null;
  });
  return { child, ended };
}

/** Runs `program` to its end, or until a line of its error output matches `hopeless`. */
export async function run(
  program: Program,
  env: Record<string, string>,
  { withinMs = 120_000, hopeless }: { withinMs?: number; hopeless?: RegExp } = {},
): Promise<Outcome> {
  const lines: string[] = [];
  const errors: string[] = [];
  const { child, ended } = start(program, env, withinMs, (line, output) => {
    lines.push(line);
    if (output === "err" && isErrorLine(line)) errors.push(line);
    if (output === "err" && hopeless?.test(line)) child.kill("SIGKILL");
  });
  const code = await ended;
  return { code, output: lines.join("\n"), errors };
}
