// The launcher's side of the capture thread: starts the thread, sends messages, and notices when the thread dies.
import { Worker } from "node:worker_threads";
import { type CutRequest, type Footage, NoFootage } from "../backend.ts";
import type { CaptureThreadOptions, MessageFromThread, MessageToThread, ThreadStatus } from "./messages.ts";

/** A small heap, because footage is stored outside the heap and the player needs the memory. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

export type ThreadEvents = {
  readonly onStatus: (status: ThreadStatus, hasChanged: boolean) => void;
  /** See CaptureSupervisorDeps. */
  readonly onRunEnded: (reason: string, restartInMs: number | null) => void;
  readonly onChoiceFailed: () => void;
  /** Called if the thread ends without `close`. Waiting cuts are rejected, and all footage is lost. */
  readonly onDied: (reason: string) => void;
};

export type ThreadClient = {
  send(message: Exclude<MessageToThread, { type: "cut" | "stop-capture" | "close" }>): void;
  cut(request: CutRequest): Promise<Footage>;
  /** Resolves when ffmpeg has exited. The buffered footage is kept. */
  stopCapture(): Promise<void>;
  /** Resolves when ffmpeg and the thread have exited. */
  close(): Promise<void>;
};

export function startCaptureThread(options: CaptureThreadOptions, events: ThreadEvents): ThreadClient {
  const file = import.meta.url.endsWith(".ts") ? "./capture-thread.ts" : "./capture-thread.js";
  const worker = new Worker(new URL(file, import.meta.url), { workerData: options, resourceLimits });
  const cuts = new Map<number, PromiseWithResolvers<Footage>>();
  const exited = Promise.withResolvers<void>();
  let lastCutId = 0;
  let isClosing = false;
  let stopped = Promise.withResolvers<void>();
  let endReason = "the capture thread ended";

  const removeCut = (id: number) => {
    const cut = cuts.get(id);
    cuts.delete(id);
    return cut;
  };
  worker.on("message", (message: MessageFromThread) => {
    if (message.type === "status") events.onStatus(message.status, message.hasChanged);
    else if (message.type === "run-ended") events.onRunEnded(message.reason, message.restartInMs);
    else if (message.type === "choice-failed") events.onChoiceFailed();
    else if (message.type === "cut") removeCut(message.id)?.resolve(message.footage);
    else if (message.type === "cut-failed") removeCut(message.id)?.reject(cutError(message));
    else if (message.type === "capture-stopped") stopped.resolve();
    else endReason = message.reason;
  });
  worker.on("error", (error) => {
    endReason = (error as Error).message;
  });
  worker.on("exit", () => {
    for (const id of [...cuts.keys()]) {
      removeCut(id)?.reject(new NoFootage("The capture ended before the clip could be cut; its footage is gone"));
    }
    stopped.resolve();
    exited.resolve();
    if (!isClosing) events.onDied(endReason);
  });
  const send = (message: MessageToThread) => worker.postMessage(message);
  return {
    send,
    cut(request) {
      const id = ++lastCutId;
      const cut = Promise.withResolvers<Footage>();
      cuts.set(id, cut);
      send({ type: "cut", id, request });
      return cut.promise;
    },
    stopCapture() {
      stopped = Promise.withResolvers();
      send({ type: "stop-capture" });
      return Promise.race([stopped.promise, exited.promise]);
    },
    close() {
      isClosing = true;
      send({ type: "close" });
      return exited.promise;
    },
  };
}

function cutError({ noFootage, message, code }: Extract<MessageFromThread, { type: "cut-failed" }>): Error {
  if (noFootage) return new NoFootage(message);
  return code === null ? new Error(message) : Object.assign(new Error(message), { code });
}
