// The capture thread: runs ffmpeg, holds the replay buffer and writes clips. Video leaves it only in files.

import { availableParallelism, loadavg } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { reasonOf } from "@kit/contract/messages";
import { NoFootage } from "../../plans/plan.ts";
import { SoundFeed } from "../sound/feed.ts";
import { type CapturedFragment, startCaptureRun } from "./capture-run.ts";
import { FootageCutter, ReplayBuffer } from "./replay-buffer.ts";
import { CaptureSupervisor } from "./supervisor.ts";
import type { CaptureThreadOptions, CaptureThreadStatus, MessageFromThread, MessageToThread } from "./thread-client.ts";
import { type Clock, openSteadyClock } from "./timeouts.ts";

/** How often the status is sent if only numbers changed. */
const statusIntervalMs = 1_000;
const { ffmpeg, captureFile, bufferLimits, timeouts } = workerData as CaptureThreadOptions;
const send = (message: MessageFromThread) => parentPort?.postMessage(message);
const clock: Clock = {
  wallMs: Date.now,
  monoMs: openSteadyClock(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

const sound = new SoundFeed({ clock });
const buffer = new ReplayBuffer(bufferLimits, clock.monoMs);
let statusSentMs = 0;

const supervisor = new CaptureSupervisor<CapturedFragment>({
  startRun: ({ args }, events, isUrgent) => startCaptureRun({ ffmpeg, args, captureFile, sound, isUrgent }, events),
  clock,
  timeouts,
  // On Windows the load average is always 0, so the machine counts as idle.
  load: () => (loadavg()[0] ?? 0) / availableParallelism(),
  isHeld,
  onFragment({ fragment, frames }) {
    buffer.add(fragment);
    if (frames === 0) return;
    cutter.checkWaiting();
    if (clock.monoMs() - statusSentMs >= statusIntervalMs) sendStatus(false);
  },
  onChanged: () => sendStatus(true),
  onRunEnded: (reason, restartInMs) => send({ type: "run-ended", reason, restartInMs }),
  onChoiceFailed: () => send({ type: "choice-failed" }),
});
const cutter = new FootageCutter({ buffer, isCapturing: () => supervisor.status().phase !== "idle", clock });

function sendStatus(hasChanged: boolean): void {
  statusSentMs = clock.monoMs();
  const { seconds, bytes } = buffer.amount();
  const status: CaptureThreadStatus = { ...supervisor.status(), heldSeconds: seconds, heldBytes: bytes };
  send({ type: "status", status, hasChanged });
}

function isHeld(): boolean {
  return buffer.hasHolds() || cutter.cutsInProgress > 0;
}

async function cut({ id, plan, file }: Extract<MessageToThread, { type: "cut" }>): Promise<void> {
  try {
    send({ type: "cut", id, footage: await cutter.cut(plan, file) });
  } catch (error) {
    const { code = null } = error as NodeJS.ErrnoException;
    send({ type: "cut-failed", id, noFootage: error instanceof NoFootage, detail: reasonOf(error), code });
  }
}

async function stopCapture(): Promise<void> {
  await supervisor.stop();
  if (supervisor.status().phase === "idle") cutter.stopWaiting();
  sendStatus(true);
  send({ type: "capture-stopped" });
}

async function close(): Promise<void> {
  await supervisor.stop();
  parentPort?.close();
}

// A thread that dies stops ffmpeg first, so that no process is left running.
process.on("uncaughtException", (error) => {
  void supervisor.stop().then(() => {
    send({ type: "died", reason: error.stack ?? error.message });
    process.exit(1);
  });
});

parentPort?.on("message", (message: MessageToThread) => {
  switch (message.type) {
    case "capture":
      return supervisor.capture(message.config);
    case "resize":
      return buffer.resize(message.limits);
    case "sound":
      return sound.want(message.tracks);
    case "hold":
      buffer.hold(message.id, message.fromMs);
      return supervisor.noteGameEvent();
    case "release":
      return buffer.release(message.id);
    case "forget":
      return buffer.forget();
    case "cut":
      return void cut(message);
    case "stop-capture":
      return void stopCapture();
    case "close":
      return void close();
  }
});
