// Starts the game as a child process, passes signals on to it, and keeps its last lines of output if possible.
//
// If the output is a terminal, the game inherits it, so that it can draw in it or ask for its size. If it is a pipe or a
// file, the game writes to a pipe, and its bytes are copied unchanged. If stdout and stderr are the same file, the game
// inherits both, and no output is kept, because two pipes would change the order of the lines.
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { fstatSync } from "node:fs";
import { constants } from "node:os";
import { isatty } from "node:tty";

const linesMax = 200;
const bytesMax = 32 * 1024;

type OutputTail = {
  add(chunk: Buffer): void;
  text(): string;
};

/** Keeps the last lines of output, up to a maximum of lines and bytes. */
export function createOutputTail(): OutputTail {
  let chunks: Buffer[] = [];
  let bytes = 0;
  const joined = () => Buffer.concat(chunks).subarray(-bytesMax);
  return {
    add(chunk) {
      chunks.push(chunk);
      bytes += chunk.length;
      // Cuts only at twice the maximum size, so that bytes are copied rarely.
      if (bytes < 2 * bytesMax) return;
      chunks = [Buffer.from(joined())];
      bytes = bytesMax;
    },
    text() {
      const end = joined();
      // Leaves out the rest of a character that was cut in two.
      const from = end.length < bytesMax ? 0 : end.findIndex((byte) => (byte & 0xc0) !== 0x80);
      return end.subarray(Math.max(0, from)).toString().trimEnd().split("\n").slice(-linesMax).join("\n");
    },
  };
}

export type GameExit = { readonly exitCode: number | null; readonly signal: NodeJS.Signals | null };

export type GameProcess = {
  readonly pid: number;
  /** Resolves when the game has exited. */
  readonly ended: Promise<GameExit>;
  /** Resolves when all output was copied. Child processes of the game can delay that, because they share its pipes. */
  readonly written: Promise<void>;
  lastLines(): string;
};

/** Thrown when the program could not be started. */
export class GameNotStarted extends Error {
  override name = "GameNotStarted";
  /** The exit code of a shell in this case: 127 if the program does not exist, otherwise 126. */
  readonly exitCode: number;

  constructor(program: string, cause: NodeJS.ErrnoException) {
    const isMissing = cause.code === "ENOENT";
    const why = isMissing
      ? "the program or the working folder does not exist"
      : `the program cannot be run (${cause.code})`;
    super(`${program}: ${why}.`, { cause });
    this.exitCode = isMissing ? 127 : 126;
  }
}

function isSameFile(): boolean {
  try {
    const out = fstatSync(1);
    const err = fstatSync(2);
    return out.dev === err.dev && out.ino === err.ino;
  } catch {
    return true;
  }
}

const hasTerminal = () => [0, 1, 2].some((descriptor) => isatty(descriptor));

/** Returns the signals to pass on. Not SIGINT in a terminal, because the terminal sends it to the game, too. */
function forwardedSignals(): readonly NodeJS.Signals[] {
  if (process.platform === "win32") return [];
  return hasTerminal() ? ["SIGTERM", "SIGHUP"] : ["SIGTERM", "SIGHUP", "SIGINT"];
}

function forwardSignals(child: ChildProcess): void {
  const passed = forwardedSignals();
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) {
    // Every signal has a handler, even if it is not passed on, so that none ends this process before the game.
    process.on(signal, () => passed.includes(signal) && child.kill(signal));
  }
}

function pipeOutput(
  from: NodeJS.ReadableStream & { destroy(): void },
  to: NodeJS.WriteStream,
  seen: (chunk: Buffer) => void,
) {
  from.on("data", seen);
  from.pipe(to, { end: false });
  // When the reader is gone, the game's next write fails, as it would without this process in between.
  to.on("error", () => from.destroy());
}

/** Starts the program with the game's umask. Nothing else can create a file meanwhile, because spawning is synchronous. */
function spawnWithUmask(program: string, args: readonly string[], options: SpawnOptions, umask: number): ChildProcess {
  const ownUmask = process.umask(umask);
  try {
    return spawn(program, args, options);
  } catch (error) {
    // `spawn` itself throws for some programs, e.g. for a .cmd file on Windows.
    throw new GameNotStarted(program, error as NodeJS.ErrnoException);
  } finally {
    process.umask(ownUmask);
  }
}

export type GameOptions = {
  readonly env: NodeJS.ProcessEnv;
  readonly umask: number;
  /** Whether nobody reads the output. Then Kit keeps its last lines even if stdout and stderr are the same file. */
  readonly unseen: boolean;
};

/** Starts the game. Throws GameNotStarted if the program does not run. */
export async function startGame(
  [program = "", ...args]: readonly string[],
  { env, umask, unseen }: GameOptions,
): Promise<GameProcess> {
  const last = createOutputTail();
  const isOne = !unseen && isSameFile();
  const streamOf = (descriptor: number) => (isOne || isatty(descriptor) ? "inherit" : "pipe");
  const child = spawnWithUmask(program, args, { env, stdio: ["inherit", streamOf(1), streamOf(2)] }, umask);
  const ended = Promise.withResolvers<GameExit>();
  const written = Promise.withResolvers<void>();
  child.once("exit", (exitCode, signal) => ended.resolve({ exitCode, signal }));
  child.once("close", () => written.resolve());
  if (child.stdout) pipeOutput(child.stdout, process.stdout, last.add);
  if (child.stderr) pipeOutput(child.stderr, process.stderr, last.add);
  forwardSignals(child);
  try {
    await once(child, "spawn");
  } catch (error) {
    throw new GameNotStarted(program, error as NodeJS.ErrnoException);
  }
  return { pid: child.pid ?? 0, ended: ended.promise, written: written.promise, lastLines: last.text };
}

/** Returns the exit code that a shell would have: the game's own, or 128 plus the number of the signal that ended it. */
export const shellExitCode = ({ exitCode, signal }: GameExit): number =>
  exitCode ?? 128 + (signal === null ? 0 : constants.signals[signal]);
