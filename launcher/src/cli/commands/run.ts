// `kit run -- COMMAND`: starts a game, passes its input and output through, and reports how it ended.

import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { accessSync, fstatSync } from "node:fs";
import { constants } from "node:os";
import { basename } from "node:path";
import { cwd, getBuiltinModule } from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { isatty } from "node:tty";
import {
  buildCharsMax,
  type GameSession,
  type Message,
  MessageError,
  type MessageOrText,
  type RunReport,
  reportRun,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type Config, kitCommandInWords } from "../../config.ts";
import { watchSessionEnd } from "../../process/session-end.ts";
import { letChildrenOutlive } from "../../process/windows-job.ts";
import { type CommandContext, command, hiddenFlag, parameter, parsedFlag, textFlag, toggleFlag } from "../command.ts";
import { connectToLauncher, launcherPort, Unreachable } from "../connection.ts";
import { escapeInvisible, printError, say } from "../output.ts";
import { setExitCode, terminal } from "../terminal.ts";

/** Maximum wait for the launcher's response to the report of a start, and to both reports once the game has ended. */
const startWithinMs = 5_000;
const endWithinMs = 4_000;
/** How long the report of a start may then still take, so that the report of the end has time. */
const lateStartMs = 2_000;
/** How long a game has to end by itself when its user signs out. Windows gives each program 5 s. */
const sessionGraceMs = 2_000;
/** After the game exits, how long to wait for the end of its output, because child processes may keep the pipes open. */
const outputGraceMs = 1_000;

const help = `
The game gets two additional environment variables:
  KIT_URL  the launcher's address. Bindings do not read it: they send to http://127.0.0.1:9876 unless the game sets
           another address. With --port, let the game read KIT_URL and pass it to the binding.
  KIT_RUN  identifies the run. On Linux, the launcher uses it to assign events to the run. On Windows
           and macOS, it looks up which process kit run started.

In a terminal, the game's output is not captured. If its output goes to a pipe or a file, Kit keeps the last 200 lines
(32 KiB) and adds them to the error report if the game crashes: through a signal such as SIGSEGV, or on Windows a status
such as 0xC0000005. Other exit codes are recorded but are not crashes, nor are signals from a person, such as Ctrl-C.
A game that still runs 2 s after its user has signed out of Windows is recorded as ended by SIGTERM.

Exits with the game's exit code, or 128 plus the signal's number; with 127 if the program does not exist, and 126 if it
cannot be run. If no launcher answers, the game runs anyway; the run is recorded if a launcher answers when the game ends.`;

// The game is a child process. If the output is a terminal, the game inherits it, so that it can draw in it or ask for its size.
// If it is a pipe or a file, the game writes to a pipe, and its bytes are copied unchanged. If stdout and stderr are the same
// file, the game inherits both, and no output is kept, because two pipes would change the order of the lines.

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

type GameExit = { readonly exitCode: number | null; readonly signal: NodeJS.Signals | null };

type GameProcess = {
  readonly pid: number;
  /** Resolves when the game has exited. */
  readonly ended: Promise<GameExit>;
  /** Resolves when all output was copied. Child processes of the game can delay that, because they share its pipes. */
  readonly written: Promise<void>;
  lastLines(): string;
};

const unsafeWords = "UNSAFE_WORDS";

/**
 * Returns the command line for Windows' command interpreter that runs a batch file, with each word in quotes. Throws for words
 * that the interpreter would change. A batch file can take the quotes away, and then some characters begin another command.
 */
export function batchCommandLine(program: string, args: readonly string[]): string {
  if (/["%\r\n]/.test(program) || args.some((word) => /["%&|<>^\r\n]/.test(word))) {
    throw Object.assign(new Error(unsafeWords), { code: unsafeWords });
  }
  return `"${[program, ...args].map((word) => `"${word}"`).join(" ")}"`;
}

/**
 * `isHidden` hides the console of the batch file. Under Wine, windows of the programs that it starts stay visible; nobody tried a real
 * Windows.
 */
function spawnBatch(program: string, args: readonly string[], options: SpawnOptions, isHidden: boolean): ChildProcess {
  accessSync(program);
  const words = ["/d", "/s", "/c", batchCommandLine(program, args)];
  return spawn(options.env?.ComSpec ?? options.env?.COMSPEC ?? "cmd.exe", words, {
    ...options,
    windowsVerbatimArguments: true,
    windowsHide: isHidden,
  });
}

/** Returns why the program did not start. Node calls it EACCES if Windows asks for an administrator. */
function whyNotStarted(program: string, { code = "" }: NodeJS.ErrnoException, platform: NodeJS.Platform): Message {
  if (code === "ENOENT") return message("run.program_missing", { program });
  if (code === unsafeWords) return message("run.unsafe_words", { program });
  if (code === "EACCES" && platform === "win32") return message("run.needs_administrator", { program });
  return message("run.program_refused", { program, code });
}

/** Thrown when the program could not be started. */
export class GameNotStarted extends MessageError {
  override name = "GameNotStarted";
  /** The exit code of a shell in this case: 127 if the program does not exist, otherwise 126. */
  readonly exitCode: number;

  constructor(program: string, cause: NodeJS.ErrnoException, platform: NodeJS.Platform = process.platform) {
    super(whyNotStarted(program, cause, platform), { cause });
    this.exitCode = cause.code === "ENOENT" ? 127 : 126;
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

const handledSignals: readonly NodeJS.Signals[] = [
  ...(["SIGTERM", "SIGHUP", "SIGINT"] as const),
  ...(process.platform === "win32" ? (["SIGBREAK"] as const) : []),
];

function forwardSignals(child: ChildProcess): void {
  const passed = forwardedSignals();
  for (const signal of handledSignals) {
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
function spawnWithUmask(
  [program = "", ...args]: readonly string[],
  options: SpawnOptions,
  { umask, unseen }: Pick<GameOptions, "umask" | "unseen">,
): ChildProcess {
  const ownUmask = process.umask(umask);
  try {
    // Without a terminal, Windows would open an empty console, and Kit could take it for the game's window.
    if (process.platform === "win32" && /\.(?:bat|cmd)$/i.test(program))
      return spawnBatch(program, args, options, unseen);
    // Hiding would hide the game's own window.
    return spawn(program, args, { ...options, windowsHide: false });
  } catch (error) {
    // `spawn` itself throws for some programs.
    throw new GameNotStarted(program, error as NodeJS.ErrnoException);
  } finally {
    process.umask(ownUmask);
  }
}

type GameOptions = {
  readonly env: NodeJS.ProcessEnv;
  readonly umask: number;
  /** Whether nobody reads the output. Then Kit keeps its last lines even if stdout and stderr are the same file. */
  readonly unseen: boolean;
};

/** Starts the game. Throws GameNotStarted if the program does not run. */
async function startGame(command: readonly string[], { env, umask, unseen }: GameOptions): Promise<GameProcess> {
  const last = createOutputTail();
  const isOne = !unseen && isSameFile();
  const streamOf = (descriptor: number) => (isOne || isatty(descriptor) ? "inherit" : "pipe");
  const child = spawnWithUmask(command, { env, stdio: ["inherit", streamOf(1), streamOf(2)] }, { umask, unseen });
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
    throw new GameNotStarted(command[0] ?? "", error as NodeJS.ErrnoException);
  }
  letChildrenOutlive();
  return { pid: child.pid ?? 0, ended: ended.promise, written: written.promise, lastLines: last.text };
}

/** Returns the exit code that a shell would have: the game's own, or 128 plus the number of the signal that ended it. */
const shellExitCode = ({ exitCode, signal }: GameExit): number =>
  exitCode ?? 128 + (signal === null ? 0 : constants.signals[signal]);

/** The end that Windows then gives the game. */
const endedBySession: GameExit = { exitCode: null, signal: "SIGTERM" };

/** Resolves some time after the user of Windows has signed out. A console tells that only to programs without user32.dll. */
function sessionEnds(): Promise<GameExit> {
  return new Promise((resolve) => {
    watchSessionEnd({
      title: "KitRun",
      onSessionEnd: () => void setTimeout(() => resolve(endedBySession), sessionGraceMs),
      onFailure: printWarning("a sign-out will not be recorded"),
    });
  });
}

// The reports to the launcher.

type LaunchResult = { readonly runs: true } | { readonly failed: MessageOrText };

/**
 * If a launcher started this `kit run`, tells the launcher whether the game runs. The launcher then disconnects. Does nothing if
 * a person started it.
 */
function sendLaunchResult(result: LaunchResult): void {
  if (process.send === undefined || !process.connected) return;
  // Without a callback, a failure would be thrown: the launcher may be gone.
  process.send(result, undefined, {}, () => undefined);
}

const now = () => new Date().toISOString();

/** The signal ends the request, because one that waits for a launcher that hangs would keep `kit run` from ending. */
async function sendReport(config: Config, report: RunReport, signal: AbortSignal): Promise<GameSession> {
  try {
    const { client } = await connectToLauncher(config, signal);
    return await client.call(reportRun, { body: report });
  } catch (error) {
    const isLate = signal.aborted && !(error instanceof Unreachable);
    throw isLate ? new Error("the launcher did not respond in time.", { cause: error }) : error;
  }
}

/**
 * Returns a hash of the command, which tells only whether two runs had the same command. The command itself may contain
 * secrets.
 */
const commandHash = (command: readonly string[]) =>
  createHash("sha256")
    .update(JSON.stringify([command, cwd()]))
    .digest("base64url");

const printWarning = (what: string) => (error: unknown) => {
  printError(escapeInvisible(`kit run: ${what}: ${(error as Error).message}`));
  return undefined;
};

const runFlags = {
  game: textFlag("--game <prefix>", "the game's prefix (default: found from its events)"),
  build: textFlag("--build <build>", "the game's version, e.g. 1.4.2, with which its error reports are marked"),
  unseen: hiddenFlag(toggleFlag("--unseen", "capture the output, because nobody reads it")),
  run: hiddenFlag(textFlag("--run <id>", "the id of this run (default: a random one)")),
  umask: hiddenFlag(parsedFlag("--umask <umask>", "the game's umask (default: that of this command)", Number)),
};

/** On Windows, tells the setup that this program watches a game, until it ends: the setup then leaves Kit and its footage alone. */
function tellSetup(program = ""): void {
  const ffi = process.platform === "win32" ? getBuiltinModule("node:ffi") : undefined;
  const kernel = ffi?.dlopen("kernel32.dll", {
    CreateMutexW: { arguments: ["pointer", "i32", "buffer"], return: "pointer" },
  });
  kernel?.functions.CreateMutexW(0n, 0, Buffer.from(`KitRun ${program.replaceAll("\\", "/")}\0`, "utf16le"));
}

async function run(words: readonly string[], { config, flags }: CommandContext<typeof runFlags>): Promise<void> {
  const { game, build, unseen = false, umask, run: id = randomUUID() } = flags;
  const startedAt = now();
  tellSetup(config.ownCommand[0]);
  // Starts the game before contacting the launcher, so that the game never waits.
  const env = { ...terminal().env, KIT_URL: `http://127.0.0.1:${launcherPort(config)}`, KIT_RUN: id };
  const child = await startGame(words, { env, umask: umask ?? config.umask, unseen });
  if (unseen) sendLaunchResult({ runs: true });
  const program = basename(words[0] ?? "").slice(0, 200) || "game";
  const named = { ...(game && { game }), ...(build && { build: build.slice(0, buildCharsMax) }) };
  const runInfo = { run: id, ...named, program, likeness: commandHash(words), pid: child.pid, startedAt };
  const startOver = new AbortController();
  const startLimit = AbortSignal.any([AbortSignal.timeout(startWithinMs), startOver.signal]);
  const startReported = sendReport(config, runInfo, startLimit).catch(
    printWarning("the game runs, but its start was not recorded"),
  );
  const ended = await Promise.race([child.ended, sessionEnds()]);
  const at = now();
  const endLimit = AbortSignal.timeout(endWithinMs);
  const late = setTimeout(() => startOver.abort(), lateStartMs);
  await Promise.race([child.written, pause(outputGraceMs, undefined, { ref: false })]);
  const output = child.lastLines();
  await startReported;
  clearTimeout(late);
  const ending = { at, ...ended, ...(output && { output }) };
  const session = await sendReport(config, { ...runInfo, ended: ending }, endLimit).catch(
    printWarning("this run was not recorded"),
  );
  if (session?.ending === "crashed") {
    const show = kitCommandInWords(config, `show ${session.crash}`);
    printError(escapeInvisible(`kit run: ${session.game ?? program} crashed. Error report: ${show}`));
  }
  // Windows ends the game and waits for this process.
  if (ended === endedBySession) process.exit(shellExitCode(ended));
  // Reads on until the pipes close, because child processes of the game may still write.
  await child.written;
  setExitCode(shellExitCode(ended));
}

export const runCommand = command("run", "Start a game and record how it ends: kit run -- ./my_game --windowed", {
  parameters: [parameter("<command...>", "the game and its arguments, after --")],
  flags: runFlags,
  help,
  async run(context, words) {
    try {
      await run(words, context);
    } catch (error) {
      if (!(error instanceof GameNotStarted)) throw error;
      printError(escapeInvisible(`kit run: ${say(error.detail)}`));
      if (context.flags.unseen) sendLaunchResult({ failed: error.detail });
      setExitCode(error.exitCode);
    }
  },
});
