// The thread that captures: owns ffmpeg, the footage of the last seconds, and the cut. No byte of video leaves it but into files.
import { availableParallelism, loadavg } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { createReplayBuffer, type ReplayBuffer } from "../../buffer/replay-buffer.ts";
import { NoFootage } from "../backend.ts";
import { type CapturedFragment, startCaptureRun } from "./capture-run.ts";
import { createCutter } from "./cutter.ts";
import type { Clock } from "./live-run.ts";
import type { BufferBounds, CaptureThreadOptions, FromThread, ThreadStatus, ToThread } from "./messages.ts";
import { createSupervisor } from "./supervisor.ts";

/** How often figures alone are told. */
const figuresMs = 1_000;
const { ffmpeg, captureFile, bounds, patience } = workerData as CaptureThreadOptions;
const say = (message: FromThread) => parentPort?.postMessage(message);
const clock: Clock = {
  wallMs: Date.now,
  monoMs: () => performance.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

const bufferOf = (wanted: BufferBounds) => createReplayBuffer({ ...wanted, now: clock.monoMs });
let buffer: ReplayBuffer = bufferOf(bounds);
const holds = new Map<string, number>();
let pictureEndMs: number | null = null;
let toldMs = 0;

const supervisor = createSupervisor<CapturedFragment>({
  startRun: ({ args }, events) => startCaptureRun({ ffmpeg, args, captureFile }, events),
  clock,
  patience,
  // Windows does not say, and counts as calm.
  load: () => (loadavg()[0] ?? 0) / availableParallelism(),
  isHeld,
  onFragment({ fragment, frames, endMs }) {
    buffer.add(fragment);
    if (frames === 0) return;
    pictureEndMs = endMs;
    cutter.advanced();
    if (clock.monoMs() - toldMs >= figuresMs) tellStatus(false);
  },
  onChanged: () => tellStatus(true),
  onRunEnded: (why, againInMs) => say({ type: "run-ended", why, againInMs }),
  onStale: () => say({ type: "stale" }),
});
const cutter = createCutter({
  select: (fromMs, toMs) => buffer.select(fromMs, toMs),
  endMs: () => pictureEndMs,
  isCapturing: () => supervisor.status().phase !== "idle",
  clock,
  whyNone: () => "There is no footage of that time",
});

function tellStatus(changed: boolean): void {
  toldMs = clock.monoMs();
  const { seconds, bytes } = buffer.held();
  const status: ThreadStatus = { ...supervisor.status(), heldSeconds: seconds, heldBytes: bytes };
  say({ type: "status", status, changed });
}

/** What is in the buffer goes over into one of the other size. */
function resize(wanted: BufferBounds): void {
  const larger = bufferOf(wanted);
  for (const [id, fromMs] of holds) larger.hold(id, fromMs);
  for (const fragment of buffer.select(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)) larger.add(fragment);
  buffer = larger;
}

function isHeld(): boolean {
  return holds.size > 0 || cutter.busy() > 0;
}

function lookWhetherHeld(): void {
  if (!isHeld()) supervisor.nothingHeld();
}

async function cut({ id, order }: Extract<ToThread, { type: "cut" }>): Promise<void> {
  try {
    say({ type: "cut", id, footage: await cutter.cut(order) });
  } catch (error) {
    const { message, code = null } = error as NodeJS.ErrnoException;
    say({ type: "not-cut", id, noFootage: error instanceof NoFootage, message, code });
  }
  lookWhetherHeld();
}

async function rest(): Promise<void> {
  await supervisor.rest();
  if (supervisor.status().phase === "idle") cutter.finished();
  tellStatus(true);
  say({ type: "rested" });
}

async function close(): Promise<void> {
  await supervisor.rest();
  parentPort?.close();
}

/** A thread that dies must not leave a process that nobody reaps: it ends first, then the error has its way. */
process.on("uncaughtException", (error) => {
  void supervisor.rest().then(() => {
    say({ type: "died", why: error.stack ?? error.message });
    process.exit(1);
  });
});

parentPort?.on("message", (message: ToThread) => {
  switch (message.type) {
    case "capture":
      return supervisor.capture(message.offer);
    case "resize":
      return resize(message.bounds);
    case "hold":
      holds.set(message.id, message.fromMs);
      buffer.hold(message.id, message.fromMs);
      return supervisor.eventArrived();
    case "release":
      holds.delete(message.id);
      buffer.release(message.id);
      return lookWhetherHeld();
    case "cut":
      return void cut(message);
    case "rest":
      return void rest();
    case "close":
      return void close();
  }
});
