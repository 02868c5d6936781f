// The game as a child: its streams are its own, its signals are passed on, its last lines are remembered where that costs nothing.
//
// A terminal is handed on as it is, so that a game that draws in it or asks it for its size finds it. What is a pipe or a file
// already becomes a pipe whose bytes are passed on unchanged, and their end is remembered. Where stdout and stderr are one
// and the same file nothing is remembered: two pipes would change the order of what is written to it.
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { fstatSync } from "node:fs";
import { constants } from "node:os";
import { isatty } from "node:tty";

const linesMax = 200;
const bytesMax = 32 * 1024;

type LastLines = {
  add(chunk: Buffer): void;
  text(): string;
};

/** The last lines a game wrote, while it writes on: bounded in lines and bytes. */
export function createLastLines(): LastLines {
  let chunks: Buffer[] = [];
  let bytes = 0;
  const joined = () => Buffer.concat(chunks).subarray(-bytesMax);
  return {
    add(chunk) {
      chunks.push(chunk);
      bytes += chunk.length;
      // Copied now and then only, and never more than twice the bound.
      if (bytes < 2 * bytesMax) return;
      chunks = [Buffer.from(joined())];
      bytes = bytesMax;
    },
    text() {
      const end = joined();
      // A character that was cut in two is left out.
      const from = end.length < bytesMax ? 0 : end.findIndex((byte) => (byte & 0xc0) !== 0x80);
      return end.subarray(Math.max(0, from)).toString().trimEnd().split("\n").slice(-linesMax).join("\n");
    },
  };
}

export type Ended = { readonly exitCode: number | null; readonly signal: NodeJS.Signals | null };

export type Game = {
  readonly pid: number;
  /** Resolves when the process is gone. */
  readonly ended: Promise<Ended>;
  /** Resolves when all it wrote was passed on; a program that it left behind may go on writing. */
  readonly written: Promise<void>;
  lastLines(): string;
};

/** The program could not be started at all. */
export class NotStarted extends Error {
  override name = "NotStarted";
  /** As a shell ends: 127 where there is none, else 126. */
  readonly exitCode: number;

  constructor(program: string, cause: NodeJS.ErrnoException) {
    const isMissing = cause.code === "ENOENT";
    const why = isMissing ? "there is no such program, or its folder is gone" : `it cannot be run (${cause.code})`;
    super(`${program}: ${why}.`, { cause });
    this.exitCode = isMissing ? 127 : 126;
  }
}

function isOneFile(): boolean {
  try {
    const out = fstatSync(1);
    const err = fstatSync(2);
    return out.dev === err.dev && out.ino === err.ino;
  } catch {
    return true;
  }
}

const terminal = () => [0, 1, 2].some((descriptor) => isatty(descriptor));

/** What a terminal sends it sends to the game as well: passed on, the game would have it twice. */
function signalsToPass(): readonly NodeJS.Signals[] {
  if (process.platform === "win32") return [];
  return terminal() ? ["SIGTERM", "SIGHUP"] : ["SIGTERM", "SIGHUP", "SIGINT"];
}

function passSignals(child: ChildProcess): void {
  const passed = signalsToPass();
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) {
    // Always listened to: it is the game that ends, and this after it.
    process.on(signal, () => passed.includes(signal) && child.kill(signal));
  }
}

function passOn(
  from: NodeJS.ReadableStream & { destroy(): void },
  to: NodeJS.WriteStream,
  seen: (chunk: Buffer) => void,
) {
  from.on("data", seen);
  from.pipe(to, { end: false });
  // The reader is gone: the game is told as it would be without this in between.
  to.on("error", () => from.destroy());
}

/** Starting is done when this returns: nothing else of this process is written with the game's umask. */
function begin(program: string, words: readonly string[], options: SpawnOptions, umask: number): ChildProcess {
  const own = process.umask(umask);
  try {
    return spawn(program, words, options);
  } catch (error) {
    throw new NotStarted(program, error as NodeJS.ErrnoException); // Windows runs no .cmd this way.
  } finally {
    process.umask(own);
  }
}

export type GameStart = {
  readonly env: NodeJS.ProcessEnv;
  readonly umask: number;
  /** Nobody reads what it writes. */
  readonly unseen: boolean;
};

/** Starts it. Throws NotStarted. */
export async function startGame(
  [program = "", ...words]: readonly string[],
  { env, umask, unseen }: GameStart,
): Promise<Game> {
  const last = createLastLines();
  const isOne = !unseen && isOneFile();
  const streamOf = (descriptor: number) => (isOne || isatty(descriptor) ? "inherit" : "pipe");
  const child = begin(program, words, { env, stdio: ["inherit", streamOf(1), streamOf(2)] }, umask);
  const ended = Promise.withResolvers<Ended>();
  const written = Promise.withResolvers<void>();
  child.once("exit", (exitCode, signal) => ended.resolve({ exitCode, signal }));
  child.once("close", () => written.resolve());
  if (child.stdout) passOn(child.stdout, process.stdout, last.add);
  if (child.stderr) passOn(child.stderr, process.stderr, last.add);
  passSignals(child);
  try {
    await once(child, "spawn");
  } catch (error) {
    throw new NotStarted(program, error as NodeJS.ErrnoException);
  }
  return { pid: child.pid ?? 0, ended: ended.promise, written: written.promise, lastLines: last.text };
}

/** What this ends with: the game's own code, or what a shell makes of its signal. */
export const exitCodeOf = ({ exitCode, signal }: Ended): number =>
  exitCode ?? 128 + (signal === null ? 0 : constants.signals[signal]);
