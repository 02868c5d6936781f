// Runs ffmpeg for one job. Limits its silence, output and messages, and waits for its exit.

import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { constants, homedir, setPriority } from "node:os";
import type { Writable } from "node:stream";
import { type Message, MessageError } from "@kit/contract/message";
import { message, reasonOf } from "@kit/contract/messages";

/** The job failed. The message tells a person why, with the last messages of ffmpeg. */
export class FfmpegFailed extends MessageError {
  override name = "FfmpegFailed";
  /** The end of what ffmpeg wrote to stderr, as it is. */
  readonly stderr: string;

  constructor(detail: Message, stderr = "") {
    super(detail);
    this.stderr = stderr;
  }
}

export type FfmpegJob = {
  /** Written to stdin, which is then closed. */
  readonly input?: Uint8Array;
  /** Written to each of the pipes from file descriptor 3 on. */
  readonly silence?: { readonly pipes: number; readonly bytes: number };
  /** If ffmpeg writes more to stdout, the job fails. */
  readonly outBytesMax: number;
  /** Receives the output in chunks; the result then has none. If it throws, the job ends with that error as the reason. */
  readonly onOutput?: (chunk: Buffer) => void;
  /** Only for a trial: Kit goes on without what does not work in time. Any other job may take as long as it needs. */
  readonly timeoutMs?: number;
  /** For exports and reels: runs at the lowest priority. A user waits for any other job, so no game may starve it. */
  readonly isBackground?: true;
  readonly signal?: AbortSignal;
};

export type FfmpegResult = {
  readonly stdout: Buffer;
  /** The end of what ffmpeg wrote to stderr, as it is. */
  readonly stderr: string;
};

const stderrCharsMax = 16_384;
/** Not a limit of the whole time: beside a game, a minute of work may take an hour. */
const silenceMinutesMax = 10;
/** A killed ffmpeg is waited for no longer: a driver may keep it, or a program that it started may keep its output open. */
const killedWithinMs = 2_000;

/** Returns a timer that calls `end` when ffmpeg hangs or exceeds its time. Must be told of each output. */
function watchTime(timeoutMs: number | undefined, end: (why: Message) => void) {
  const start = () =>
    timeoutMs === undefined
      ? setTimeout(() => end(message("ffmpeg.hangs", { minutes: silenceMinutesMax })), silenceMinutesMax * 60_000)
      : setTimeout(() => end(message("ffmpeg.did_not_finish", { seconds: timeoutMs / 1_000 })), timeoutMs);
  let timer = start();
  return {
    noteOutput() {
      if (timeoutMs !== undefined) return;
      clearTimeout(timer);
      timer = start();
    },
    stop: () => clearTimeout(timer),
  };
}

/** Collects stdout. Calls `end` with the reason if it exceeds `outBytesMax`, or if `onOutput` throws. */
function collectOutput(child: ChildProcess, job: FfmpegJob, end: (why: Message) => void): () => Buffer {
  const chunks: Buffer[] = [];
  const { outBytesMax, onOutput = (chunk) => chunks.push(chunk) } = job;
  let bytes = 0;
  child.stdout?.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > outBytesMax) return end(message("ffmpeg.wrote_too_much", { limit: outBytesMax }));
    try {
      onOutput(chunk);
    } catch (error) {
      end(reasonOf(error));
    }
  });
  return () => Buffer.concat(chunks);
}

function collectStderrTail(child: ChildProcess): () => string {
  let tail = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    tail = (tail + text).slice(-stderrCharsMax);
  });
  return () => tail;
}

/** Writes to stdin. Ignores errors: ffmpeg may end before it has read everything, and its exit code shows whether it failed. */
function writeInput({ stdin }: ChildProcess, input: FfmpegJob["input"]): void {
  stdin?.on("error", () => undefined).end(input);
}

/**
 * Runs ffmpeg to its end. Adds `-hide_banner -nostdin`. Throws FfmpegFailed after the process has exited, or two seconds after it
 * was killed.
 */
export async function runFfmpeg(
  ffmpeg: { readonly path: string },
  args: readonly string[],
  job: FfmpegJob,
): Promise<FfmpegResult> {
  const { input, timeoutMs, isBackground = false, signal, silence } = job;
  if (signal?.aborted) throw new FfmpegFailed(message("ffmpeg.failed", { why: message("job.cancelled_before_start") }));
  const niceness = isBackground ? lowestNiceness : captureNiceness;
  const stdin = input === undefined ? "ignore" : "pipe";
  const child = startFfmpeg(ffmpeg, args, { stdin, niceness, pipes: silence?.pipes ?? 0 });
  let reason: Message | undefined;
  let givesUp: NodeJS.Timeout | undefined;
  const givenUp = Promise.withResolvers<undefined>();
  const end = (why: Message) => {
    reason ??= why;
    // SIGKILL, because a suspended or hanging ffmpeg reacts to no other signal.
    child.kill("SIGKILL");
    givesUp ??= setTimeout(() => givenUp.resolve(undefined), killedWithinMs);
  };
  const stdout = collectOutput(child, job, end);
  const stderr = collectStderrTail(child);
  const time = watchTime(timeoutMs, end);
  child.stdout?.on("data", time.noteOutput);
  const onAbort = () => end(message("job.was_cancelled"));
  signal?.addEventListener("abort", onAbort, { once: true });
  writeInput(child, input);
  for (const pipe of extraPipes(child)) pipe.on("error", () => undefined).end(Buffer.alloc(silence?.bytes ?? 0));
  try {
    const outcome = await Promise.race([waitForExit(child), givenUp.promise]);
    const why = reason ?? outcome;
    if (why === undefined) return { stdout: stdout(), stderr: stderr() };
    const said = readableStderr(stderr());
    throw new FfmpegFailed(
      said === "" ? message("ffmpeg.failed", { why }) : message("ffmpeg.failed_saying", { why, said }),
      stderr(),
    );
  } finally {
    time.stop();
    clearTimeout(givesUp);
    for (const stream of child.stdio) stream?.destroy();
    child.unref();
    signal?.removeEventListener("abort", onAbort);
  }
}

/**
 * Returns an exit code as documentation writes it. Windows reports it without a sign: a fault of the program is written in
 * hexadecimal, and an error of ffmpeg is a negative number.
 */
export function exitCodeText(code: number | null): string {
  if (code === null || code < 2 ** 31) return String(code);
  const isFault = code >= 0xc000_0000 && code <= 0xcfff_ffff;
  return isFault ? `0x${code.toString(16).toUpperCase()}` : String(code | 0);
}

/** Waits for the exit. Resolves to why ffmpeg failed; undefined if it succeeded. */
function waitForExit(child: ChildProcess): Promise<Message | undefined> {
  return new Promise((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined)
        resolve(message("ffmpeg.could_not_be_started", { why: error.code ?? error.message }));
    });
    child.once("close", (code, signal) => {
      if (code === 0) resolve(undefined);
      else
        resolve(
          signal === null
            ? message("ffmpeg.ended_with_code", { code: exitCodeText(code) })
            : message("ffmpeg.was_ended_by", { signal }),
        );
    });
  });
}

/** Niceness of the capture and of most jobs: a game goes first, but the capture still gets every frame. */
export const captureNiceness = 10;
const lowestNiceness = 19;

const lineCharsMax = 300;

function lowerPriority(pid: number, niceness: number): void {
  const isWindows = process.platform === "win32";
  const lowest =
    niceness >= lowestNiceness ? constants.priority.PRIORITY_LOW : constants.priority.PRIORITY_BELOW_NORMAL;
  try {
    setPriority(pid, isWindows ? lowest : niceness);
  } catch {
    // The process has already ended. Its exit is handled elsewhere.
  }
}

const listingsMax = 3;

/** Lowers the priority of a process that runs already. On Linux, each of its threads has a priority of its own. */
export function lowerRunningPriority(pid: number): void {
  if (process.platform !== "linux") return lowerPriority(pid, captureNiceness);
  const lowered = new Set<string>();
  // A thread that starts meanwhile is in the next listing.
  for (let listing = 0; listing < listingsMax; listing += 1) {
    const threads = listThreads(pid).filter((thread) => !lowered.has(thread));
    for (const thread of threads) {
      lowered.add(thread);
      lowerPriority(Number(thread), captureNiceness);
    }
    if (threads.length === 0) return;
  }
}

function listThreads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // The process has ended.
  }
}

/**
 * Starts ffmpeg without a shell or window, and lowers its priority before it creates threads; a niceness of 0 leaves it as it is.
 * Adds `-hide_banner -nostdin`. `pipes` more pipes lead to it, from file descriptor 3 on. The caller must read the pipes of stdout and stderr. A failed start emits the child's `error` event.
 */
export function startFfmpeg(
  ffmpeg: { readonly path: string },
  args: readonly string[],
  options: { readonly stdin?: "ignore" | "pipe"; readonly niceness?: number; readonly pipes?: number } = {},
): ChildProcess {
  const child = spawn(ffmpeg.path, ["-hide_banner", "-nostdin", ...args], {
    shell: false,
    windowsHide: true,
    stdio: [
      options.stdin ?? "ignore",
      "pipe",
      "pipe",
      ...Array.from({ length: options.pipes ?? 0 }, () => "pipe" as const),
    ],
  });
  const { niceness = captureNiceness } = options;
  if (child.pid !== undefined && niceness > 0) lowerPriority(child.pid, niceness);
  return child;
}

/** Returns the pipes from file descriptor 3 on. */
export const extraPipes = ({ stdio }: ChildProcess): Writable[] => stdio.slice(3) as Writable[];

/** Messages without a meaning, which ffmpeg prints for every live input and for epoch times. */
const harmlessMessages =
  /No meaningful edit list|not enough frames to estimate rate|Last message repeated|Thread message queue blocking|deprecated pixel format/;

const home = homedir();

/** Returns the last lines for a person: printable and short, without harmless messages and the path of the home folder. */
export function readableStderr(stderr: string, linesMax = 4): string {
  const lines = stderr
    .split(/[\r\n]+/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
    .map((line) => line.replaceAll(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, " ").trim())
    .map((line) => (home.length > 1 ? line.replaceAll(home, "~") : line))
    // Drops the memory addresses that ffmpeg adds to names.
    .map((line) => line.replace(/^\[([^\]]+?) @ (0x)?[0-9a-f]+\]/i, "[$1]").slice(0, lineCharsMax))
    .filter((line) => line !== "" && !harmlessMessages.test(line));
  return lines.slice(-linesMax).join(" · ");
}
