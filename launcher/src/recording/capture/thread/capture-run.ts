// One run of ffmpeg: from its start until its process is gone, and the footage between.
import type { ChildProcess } from "node:child_process";
import { readableSaying, startFfmpeg } from "../../ffmpeg/start.ts";
import type { Fragment } from "../../mp4/fragment.ts";
import { createFragmentReader } from "../../mp4/fragment-reader.ts";
import type { Delivered, Run, RunEvents } from "./live-run.ts";
import { forgetProcess, noteProcess } from "./orphans.ts";

// What a running ffmpeg says on stderr, kept short: its end is what matters when it fails.

const keptBytes = 4 * 1024;
const linesMax = 3;

type Saying = {
  push(chunk: Buffer): void;
  /** Its last lines that mean something; empty when it said nothing. */
  last(): string;
  /** All it ever said. */
  bytes(): number;
};

/** Keeps the end only, and reads it only when asked: a flood costs next to nothing. */
function createSaying(): Saying {
  let kept: Buffer = Buffer.alloc(0);
  let bytes = 0;
  return {
    push(chunk) {
      bytes += chunk.length;
      kept = Buffer.concat([kept, chunk.subarray(-keptBytes)]).subarray(-keptBytes);
    },
    last: () => readableSaying(kept.toString("utf8"), linesMax),
    bytes: () => bytes,
  };
}

export type CapturedFragment = Delivered & { readonly fragment: Fragment };

export type CaptureRunOrder = {
  readonly ffmpeg: string;
  readonly args: readonly string[];
  /** Notes the process while it runs. */
  readonly captureFile: string;
};

/** A second of footage has 1 MB at most; what claims to be larger is no footage. */
const boxBytesMax = 32 * 1024 * 1024;
/** Said since the last footage: nobody with anything to say says more. */
const sayingBytesMax = 4 * 1024 * 1024;
/** A child of the child may keep the pipe open. */
const closeMs = 500;
const niceness = 10;

export function startCaptureRun(order: CaptureRunOrder, events: RunEvents<CapturedFragment>): Run {
  const saying = createSaying();
  const child = startFfmpeg({ path: order.ffmpeg }, order.args, { niceness });
  let saidBytes = 0;
  let failed: string | undefined;
  const fail = (why: string) => {
    failed ??= why;
    // Never asked kindly: there is nothing to finish, and a stopped process hears nothing else.
    child.kill("SIGKILL");
  };
  const reader = createFragmentReader({
    boxBytesMax,
    onFragment(fragment) {
      saidBytes = saying.bytes();
      events.onFragment(capturedOf(fragment));
    },
  });
  child.stdout?.on("data", (chunk: Buffer) => {
    if (failed !== undefined) return;
    try {
      reader.push(chunk);
    } catch (error) {
      fail(`what it wrote is no footage (${(error as Error).message})`);
    }
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    saying.push(chunk);
    if (saying.bytes() - saidBytes > sayingBytesMax) fail("it said far too much");
  });
  let isOver = false;
  if (child.pid !== undefined) void noteProcess(order.captureFile, child.pid, () => isOver);
  void endOf(child).then((how) => {
    isOver = true;
    forgetProcess(order.captureFile, child.pid);
    const last = saying.last();
    events.onEnd([failed ?? how, last].filter((part) => part !== "").join(": "));
  });
  return { end: () => child.kill("SIGKILL") };
}

/** Resolves to how it ended, once the process is reaped and what it wrote is read. */
function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let how = "";
    child.once("error", (error) => {
      if (child.pid === undefined) resolve(`ffmpeg cannot be started (${error.message})`);
    });
    child.once("exit", (code, signal) => {
      how = `ffmpeg ended with ${signal ?? code}`;
      const timer = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, closeMs);
      child.once("close", () => {
        clearTimeout(timer);
        resolve(how);
      });
    });
  });
}

function capturedOf(fragment: Fragment): CapturedFragment {
  const deltas = fragment.video.filter((sample) => !sample.sync).map((sample) => sample.bytes);
  return {
    fragment,
    startMs: fragment.startMs,
    endMs: fragment.endMs,
    frames: fragment.video.length,
    deltaBytes: deltas.length === 0 ? null : Math.max(...deltas),
  };
}
