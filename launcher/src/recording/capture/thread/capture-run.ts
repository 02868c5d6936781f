// One run of ffmpeg: starts the process, reads its footage, and reports why it ended.

import type { ChildProcess } from "node:child_process";
import type { Message } from "@kit/contract";
import { message, reasonOf } from "@kit/contract/messages";
import {
  captureNiceness,
  exitCodeText,
  extraPipes,
  lowerRunningPriority,
  readableStderr,
  startFfmpeg,
} from "../../ffmpeg/run.ts";
import type { Fragment } from "../../mp4/fragment.ts";
import { createFragmentReader } from "../../mp4/fragment.ts";
import { countSoundPipes, withSoundStart } from "../probe/commands.ts";
import type { SoundFeed } from "../sound/feed.ts";
import { explainWindowsEnd, explainWindowsFault } from "../windows-faults.ts";
import { addProcessRecord, removeProcessRecord } from "./orphans.ts";
import type { CaptureRun, CaptureRunEvents, FragmentFacts } from "./watched-run.ts";

const tailBytes = 4 * 1024;
const linesMax = 3;

/** Keeps the end of what ffmpeg writes to stderr. The text is parsed only on demand, so a flood costs almost nothing. */
function createStderrTail() {
  let tail: Buffer = Buffer.alloc(0);
  let totalBytes = 0;
  return {
    push(chunk: Buffer) {
      totalBytes += chunk.length;
      tail = Buffer.concat([tail, chunk.subarray(-tailBytes)]).subarray(-tailBytes);
    },
    text: () => tail.toString("utf8"),
    /** Returns the last meaningful lines, or an empty string. */
    lastLines: () => readableStderr(tail.toString("utf8"), linesMax),
    totalBytes: () => totalBytes,
  };
}

export type CapturedFragment = FragmentFacts & { readonly fragment: Fragment };

export type CaptureCommand = {
  readonly ffmpeg: string;
  readonly args: readonly string[];
  /** The file that records the process while it runs. */
  readonly captureFile: string;
  readonly sound: SoundFeed;
  /** True if nothing is captured until this run delivers. */
  readonly isUrgent: boolean;
};

/** A larger MP4 box cannot be footage: a second of footage has about 1 MB. */
const boxBytesMax = 32 * 1024 * 1024;
/** Maximum output to stderr between two fragments. A run with more is ended. */
const stderrBytesMax = 4 * 1024 * 1024;
/** How long the pipes may stay open after the exit, because a child process of ffmpeg may keep them open. */
const closeTimeoutMs = 500;
/** How long an urgent run may keep the priority of a game: on a busy computer, its start would otherwise take seconds. */
const urgentMs = 3_000;

export function startCaptureRun(
  { ffmpeg, args, captureFile, sound, isUrgent }: CaptureCommand,
  events: CaptureRunEvents<CapturedFragment>,
): CaptureRun {
  const stderr = createStderrTail();
  const pipes = countSoundPipes(args);
  const session = pipes === 0 ? undefined : sound.open();
  const niceness = isUrgent ? 0 : captureNiceness;
  const child = startFfmpeg({ path: ffmpeg }, withSoundStart(args, session?.startSeconds ?? "0"), { niceness, pipes });
  let urgentTimer: NodeJS.Timeout | undefined;
  const endUrgency = () => {
    if (urgentTimer === undefined) return;
    clearTimeout(urgentTimer);
    urgentTimer = undefined;
    if (child.pid !== undefined) lowerRunningPriority(child.pid);
  };
  if (isUrgent) urgentTimer = setTimeout(endUrgency, urgentMs);
  session?.connect(extraPipes(child));
  let stderrBytesAtFragment = 0;
  let failure: Message | undefined;
  const fail = (reason: Message) => {
    failure ??= reason;
    // SIGKILL, because ffmpeg has nothing to finish, and a stopped process reacts to no other signal.
    child.kill("SIGKILL");
  };
  const reader = createFragmentReader({
    boxBytesMax,
    onFragment(fragment) {
      stderrBytesAtFragment = stderr.totalBytes();
      if (fragment.video.length > 0) endUrgency();
      events.onFragment(withFacts(fragment));
    },
  });
  child.stdout?.on("data", (chunk: Buffer) => {
    if (failure !== undefined) return;
    try {
      reader.push(chunk);
    } catch (error) {
      fail(message("capture.not_footage", { why: reasonOf(error) }));
    }
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr.push(chunk);
    if (stderr.totalBytes() - stderrBytesAtFragment > stderrBytesMax) fail(message("capture.too_many_messages"));
  });
  let hasEnded = false;
  if (child.pid !== undefined) void addProcessRecord(captureFile, child.pid, () => hasEnded);
  void waitForEnd(child).then(({ exit, code }) => {
    hasEnded = true;
    clearTimeout(urgentTimer);
    session?.close();
    removeProcessRecord(captureFile, child.pid);
    const explained = explainWindowsFault(stderr.text()) ?? explainWindowsEnd(args, code);
    if (failure === undefined && explained !== undefined) return events.onEnd(explained);
    const what = failure ?? exit;
    // Drops the full stop, because the text becomes part of a sentence.
    const why = stderr.lastLines().replace(/[.\s]+$/, "");
    events.onEnd(why === "" ? what : message("join.reason", { what, why }));
  });
  return { end: () => child.kill("SIGKILL") };
}

/** Resolves to how ffmpeg ended, once it has exited and its output has been read. */
function waitForEnd(child: ChildProcess): Promise<{ readonly exit: Message; readonly code: number | null }> {
  return new Promise((resolve) => {
    child.once("error", (error) => {
      const exit = message("ffmpeg.cannot_be_started", { why: error.message });
      if (child.pid === undefined) resolve({ exit, code: null });
    });
    child.once("exit", (code, signal) => {
      const timer = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, closeTimeoutMs);
      child.once("close", () => {
        clearTimeout(timer);
        resolve({ exit: message("ffmpeg.ended_with", { how: signal ?? exitCodeText(code) }), code });
      });
    });
  });
}

function withFacts(fragment: Fragment): CapturedFragment {
  const deltas = fragment.video.filter((sample) => !sample.sync).map((sample) => sample.bytes);
  return {
    fragment,
    startMs: fragment.startMs,
    endMs: fragment.endMs,
    frames: fragment.video.length,
    deltaBytes: deltas.length === 0 ? null : Math.max(...deltas),
  };
}
