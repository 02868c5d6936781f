// The launcher's side of the capture thread: starts the thread, sends messages, and notices when the thread dies. Messages contain
// plain data, never footage.

import { Worker } from "node:worker_threads";
import { type Message, MessageError, type RecorderSettings } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type ClipPlan, type Footage, NoFootage } from "../../plans/plan.ts";
import type { SoundTracks } from "../sound/tracks.ts";
import type { CaptureTimeouts } from "./timeouts.ts";
import type { QualityLevel } from "./watched-run.ts";

export type CaptureConfig = {
  /** From the best quality to the lowest. */
  readonly levels: readonly QualityLevel[];
  /** Index of the level to use. */
  readonly level: number;
  /** Id of the choice that the levels come from. */
  readonly choiceId: number;
};

export type BufferLimits = { readonly secondsMax: number; readonly bytesMax: number };

/** Size of a second in the buffer: the encoder is limited to 8 Mbit/s, and the rest is for sound and the container. */
const bytesPerSecond = 1_250_000;

/** Two seconds more than the setting: the buffer drops whole groups of pictures, which last a second each. */
export const bufferLimits = ({ bufferSeconds }: RecorderSettings): BufferLimits => ({
  secondsMax: bufferSeconds + 2,
  bytesMax: (bufferSeconds + 2) * bytesPerSecond,
});

export type CaptureThreadOptions = {
  readonly ffmpeg: string;
  readonly captureFile: string;
  readonly bufferLimits: BufferLimits;
  readonly timeouts: CaptureTimeouts;
};

export type CaptureThreadStatus = {
  readonly phase: "idle" | "starting" | "recording" | "broken";
  /** Why the last run ended, worded as part of a sentence. Null as soon as the next run delivers footage. */
  readonly why: Message | null;
  /** Index of the quality level in use. */
  readonly level: number;
  readonly choiceId: number;
  readonly frameRate: number;
  readonly restarts: number;
  readonly lostSeconds: number;
  /** How long the picture has not changed although the game sends events; 0 while the picture does not count as frozen. */
  readonly unchangedSeconds: number;
  readonly heldSeconds: number;
  readonly heldBytes: number;
};

export type MessageToThread =
  | { type: "capture"; config: CaptureConfig }
  /** What to record the sound tracks from. */
  | { type: "sound"; tracks: SoundTracks }
  | { type: "hold"; id: string; fromMs: number }
  | { type: "release"; id: string }
  | { type: "cut"; id: number; plan: ClipPlan; file: string }
  /** Drops the buffered footage that no clip holds. */
  | { type: "forget" }
  | { type: "resize"; limits: BufferLimits }
  /** Stops the capture and keeps the buffered footage. */
  | { type: "stop-capture" }
  /** Stops the capture and the thread. */
  | { type: "close" };

export type MessageFromThread =
  /** `hasChanged` is false if only numbers changed. */
  | { type: "status"; status: CaptureThreadStatus; hasChanged: boolean }
  | { type: "run-ended"; reason: Message; restartInMs: number | null }
  | { type: "choice-failed" }
  | { type: "cut"; id: number; footage: Footage }
  | { type: "cut-failed"; id: number; noFootage: boolean; detail: Message; code: string | null }
  | { type: "capture-stopped" }
  /** The last thing that a thread sends. */
  | { type: "died"; reason: string };

/** A small heap: footage is stored outside the heap, and the game needs the memory. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

type CaptureThreadEvents = {
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
    const earlier = this.#stopped;
    this.#stopped = Promise.withResolvers();
    void this.#stopped.promise.then(earlier.resolve);
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
