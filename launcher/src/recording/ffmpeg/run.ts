// Runs ffmpeg for one job: bounded in time, in bytes and in what it may say, and never left behind.
import type { ChildProcess } from "node:child_process";
import { captureNiceness, jobNiceness, readableSaying, startFfmpeg } from "./start.ts";

/** The job failed; the message ends with what ffmpeg said, fit to be shown. */
export class FfmpegFailed extends Error {
  override name = "FfmpegFailed";
  /** The end of what it said, as it said it. */
  readonly said: string;

  constructor(message: string, said = "") {
    super(message);
    this.said = said;
  }
}

export type FfmpegJob = {
  /** Written to its stdin, which is closed then. */
  readonly input?: Uint8Array;
  /** Beyond it the job is ended and has failed. */
  readonly outBytesMax: number;
  /** Takes what it writes as it comes; the result has none of it then. */
  readonly onOutput?: (chunk: Buffer) => void;
  readonly timeoutMs: number;
  /** Somebody waits for it: it runs as the capture does, and is not starved by a game that fills every core. */
  readonly awaited?: true;
  readonly signal?: AbortSignal;
};

export type FfmpegResult = {
  readonly stdout: Buffer;
  /** The end of what it said, as it said it. */
  readonly stderr: string;
};

const saidCharsMax = 16_384;

/** Gathers one pipe. `onTooMuch` is called once more than `outBytesMax` came. */
function gather(child: ChildProcess, job: FfmpegJob, onTooMuch: () => void): () => Buffer {
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

function gatherEnd(child: ChildProcess): () => string {
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-saidCharsMax);
  });
  return () => said;
}

/** It may end before it has read everything; its exit code says whether that was a failure. */
function feed({ stdin }: ChildProcess, input: FfmpegJob["input"]): void {
  stdin?.on("error", () => undefined).end(input);
}

/**
 * Runs it to its end, at the lowest priority unless it is awaited; `-hide_banner -nostdin` are given by this. Throws FfmpegFailed, and has
 * then waited for the process to be gone.
 */
export async function runFfmpeg(
  ffmpeg: { readonly path: string },
  args: readonly string[],
  job: FfmpegJob,
): Promise<FfmpegResult> {
  const { input, outBytesMax, timeoutMs, awaited, signal } = job;
  if (signal?.aborted) throw new FfmpegFailed("The job was called off before it began.");
  const niceness = awaited ? captureNiceness : jobNiceness;
  const child = startFfmpeg(ffmpeg, args, { stdin: input === undefined ? "ignore" : "pipe", niceness });
  let reason: string | undefined;
  const end = (why: string) => {
    reason ??= why;
    // SIGKILL: a stopped or hanging ffmpeg hears nothing else.
    child.kill("SIGKILL");
  };
  const stdout = gather(child, job, () => end(`ffmpeg wrote more than ${outBytesMax} bytes`));
  const stderr = gatherEnd(child);
  const timer = setTimeout(() => end(`ffmpeg was not done after ${timeoutMs / 1_000} s`), timeoutMs);
  const onAbort = () => end("the job was called off");
  signal?.addEventListener("abort", onAbort, { once: true });
  feed(child, input);
  try {
    const outcome = await outcomeOf(child);
    const why = reason ?? outcome;
    if (why === undefined) return { stdout: stdout(), stderr: stderr() };
    const said = readableSaying(stderr());
    throw new FfmpegFailed(said === "" ? `${why}.` : `${why}: ${said}`, stderr());
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Why it failed, once process and pipes are closed; undefined when it did not. */
function outcomeOf(child: ChildProcess): Promise<string | undefined> {
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
