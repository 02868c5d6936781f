// The launcher's side of the capture thread: starts the thread, sends messages, and notices when the thread dies.

import { Worker } from "node:worker_threads";
import { type Message, MessageError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type Footage, NoFootage } from "../../plans/footage.ts";
import type { ClipPlan } from "../../plans/plan.ts";
import type {
  CaptureThreadOptions,
  CaptureThreadStatus,
  MessageFromThread,
  MessageToThread,
} from "./thread-messages.ts";

/** A small heap: footage is stored outside the heap, and the game needs the memory. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

export type CaptureThreadEvents = {
  readonly onStatus: (status: CaptureThreadStatus, hasChanged: boolean) => void;
  /** See CaptureSupervisorDeps, also for `onChoiceFailed`. */
  readonly onRunEnded: (reason: Message, restartInMs: number | null) => void;
  readonly onChoiceFailed: () => void;
  /** Called if the thread ends without `close`. Its cuts were rejected, and its footage is lost. */
  readonly onDied: (reason: string) => void;
};

export class CaptureThread {
  readonly #worker: Worker;
  readonly #cuts = new Map<number, PromiseWithResolvers<Footage>>();
  readonly #exited = Promise.withResolvers<void>();
  #lastCutId = 0;
  #isClosing = false;
  #stopped = Promise.withResolvers<void>();
  #endReason = "the capture thread ended";

  constructor(options: CaptureThreadOptions, events: CaptureThreadEvents) {
    const file = import.meta.url.endsWith(".ts") ? "./capture-thread.ts" : "./capture-thread.js";
    this.#worker = new Worker(new URL(file, import.meta.url), { workerData: options, resourceLimits });
    this.#worker.on("message", (message: MessageFromThread) => this.#receive(message, events));
    this.#worker.on("error", (error) => {
      this.#endReason = (error as Error).message;
    });
    this.#worker.on("exit", () => {
      const lost = new NoFootage(message("capture.ended_before_cut"));
      for (const id of [...this.#cuts.keys()]) this.#takeCut(id)?.reject(lost);
      this.#stopped.resolve();
      this.#exited.resolve();
      if (!this.#isClosing) events.onDied(this.#endReason);
    });
  }

  send(message: MessageToThread): void {
    this.#worker.postMessage(message);
  }

  cut(plan: ClipPlan, file: string): Promise<Footage> {
    const cut = Promise.withResolvers<Footage>();
    this.#lastCutId += 1;
    this.#cuts.set(this.#lastCutId, cut);
    this.send({ type: "cut", id: this.#lastCutId, plan, file });
    return cut.promise;
  }

  /** Resolves when ffmpeg has exited. The buffered footage is kept. */
  stopCapture(): Promise<void> {
    this.#stopped = Promise.withResolvers();
    this.send({ type: "stop-capture" });
    return Promise.race([this.#stopped.promise, this.#exited.promise]);
  }

  /** Resolves when ffmpeg and the thread have exited. */
  close(): Promise<void> {
    this.#isClosing = true;
    this.send({ type: "close" });
    return this.#exited.promise;
  }

  #receive(message: MessageFromThread, events: CaptureThreadEvents): void {
    if (message.type === "status") events.onStatus(message.status, message.hasChanged);
    else if (message.type === "run-ended") events.onRunEnded(message.reason, message.restartInMs);
    else if (message.type === "choice-failed") events.onChoiceFailed();
    else if (message.type === "cut") this.#takeCut(message.id)?.resolve(message.footage);
    else if (message.type === "cut-failed") this.#takeCut(message.id)?.reject(cutError(message));
    else if (message.type === "capture-stopped") this.#stopped.resolve();
    else this.#endReason = message.reason;
  }

  #takeCut(id: number): PromiseWithResolvers<Footage> | undefined {
    const cut = this.#cuts.get(id);
    this.#cuts.delete(id);
    return cut;
  }
}

function cutError({ noFootage, detail, code }: Extract<MessageFromThread, { type: "cut-failed" }>): Error {
  if (noFootage) return new NoFootage(detail);
  return code === null ? new MessageError(detail) : Object.assign(new MessageError(detail), { code });
}
