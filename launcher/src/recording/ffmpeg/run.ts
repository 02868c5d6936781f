// Runs ffmpeg for one job, with limits for time, output and messages, and always waits for its exit.
import type { ChildProcess } from "node:child_process";
import { captureNiceness, jobNiceness, readableStderr, startFfmpeg } from "./start.ts";

/** The job failed. The message includes the end of ffmpeg's messages, readable for a person. */
export class FfmpegFailed extends Error {
  override name = "FfmpegFailed";
  /** The end of ffmpeg's messages, unchanged. */
  readonly stderr: string;

  constructor(message: string, stderr = "") {
    super(message);
    this.stderr = stderr;
  }
}

export type FfmpegJob = {
  /** Written to stdin, which is then closed. */
  readonly input?: Uint8Array;
  /** A job with more output fails. */
  readonly outBytesMax: number;
  /** Receives the output in chunks. The result then has no output. */
  readonly onOutput?: (chunk: Buffer) => void;
  readonly timeoutMs: number;
  /** Runs at the priority of the capture, so that a game on every core does not starve it. */
  readonly urgent?: true;
  readonly signal?: AbortSignal;
};

export type FfmpegResult = {
  readonly stdout: Buffer;
  /** The end of ffmpeg's messages, unchanged. */
  readonly stderr: string;
};

const stderrCharsMax = 16_384;

/** Collects stdout. Calls `onTooMuch` if it exceeds `outBytesMax`. */
function collectOutput(child: ChildProcess, job: FfmpegJob, onTooMuch: () => void): () => Buffer {
  const chunks: Buffer[] = [];
  const { outBytesMax, onOutput = (chunk) => chunks.push(chunk) } = job;
  let bytes = 0;
  child.stdout?.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= outBytesMax) onOutput(chunk);
    else onTooMuch();
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

/** Writes to stdin. Ignores errors: ffmpeg may end before it has read everything, and its exit code shows a failure. */
function writeInput({ stdin }: ChildProcess, input: FfmpegJob["input"]): void {
  stdin?.on("error", () => undefined).end(input);
}

/**
 * Runs ffmpeg to its end, at the lowest priority unless the job is urgent. Adds `-hide_banner -nostdin`. Throws FfmpegFailed
 * after the process has exited.
 */
export async function runFfmpeg(
  ffmpeg: { readonly path: string },
  args: readonly string[],
  job: FfmpegJob,
): Promise<FfmpegResult> {
  const { input, outBytesMax, timeoutMs, urgent, signal } = job;
  if (signal?.aborted) throw new FfmpegFailed("The job was cancelled before it started.");
  const niceness = urgent ? captureNiceness : jobNiceness;
  const child = startFfmpeg(ffmpeg, args, { stdin: input === undefined ? "ignore" : "pipe", niceness });
  let reason: string | undefined;
  const end = (why: string) => {
    reason ??= why;
    // SIGKILL, because a stopped or hanging ffmpeg reacts to no other signal.
    child.kill("SIGKILL");
  };
  const stdout = collectOutput(child, job, () => end(`ffmpeg wrote more than ${outBytesMax} bytes`));
  const stderr = collectStderrTail(child);
  const timer = setTimeout(() => end(`ffmpeg did not finish within ${timeoutMs / 1_000} s`), timeoutMs);
  const onAbort = () => end("the job was cancelled");
  signal?.addEventListener("abort", onAbort, { once: true });
  writeInput(child, input);
  try {
    const outcome = await waitForExit(child);
    const why = reason ?? outcome;
    if (why === undefined) return { stdout: stdout(), stderr: stderr() };
    const messages = readableStderr(stderr());
    throw new FfmpegFailed(messages === "" ? `${why}.` : `${why}: ${messages}`, stderr());
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Waits for the exit and returns why it failed, or undefined for a success. */
function waitForExit(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) resolve(`ffmpeg could not be started (${error.code ?? error.message})`);
    });
    child.once("close", (code, signal) => {
      if (code === 0) resolve(undefined);
      else resolve(signal === null ? `ffmpeg ended with code ${code}` : `ffmpeg was ended by ${signal}`);
    });
  });
}
