// The launcher's side of the capture thread: starts it, passes orders on, and knows when it is gone.
import { Worker } from "node:worker_threads";
import { type CutOrder, type Footage, NoFootage } from "../backend.ts";
import type { CaptureThreadOptions, FromThread, ThreadStatus, ToThread } from "./messages.ts";

/** Footage lies outside this heap: the thread keeps little in it, and the launcher's memory is the player's. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

export type ThreadEvents = {
  readonly onStatus: (status: ThreadStatus, changed: boolean) => void;
  /** See SupervisorNeeds. */
  readonly onRunEnded: (why: string, againInMs: number | null) => void;
  readonly onStale: () => void;
  /** It ended without having been asked to. Every cut that waited is rejected, and all footage is gone. */
  readonly onDied: (why: string) => void;
};

export type ThreadClient = {
  tell(message: Exclude<ToThread, { type: "cut" | "rest" | "close" }>): void;
  cut(order: CutOrder): Promise<Footage>;
  /** Resolves when ffmpeg is gone; what is held stays. */
  rest(): Promise<void>;
  /** Resolves when ffmpeg and the thread are gone. */
  close(): Promise<void>;
};

export function startCaptureThread(options: CaptureThreadOptions, events: ThreadEvents): ThreadClient {
  const file = import.meta.url.endsWith(".ts") ? "./capture-thread.ts" : "./capture-thread.js";
  const worker = new Worker(new URL(file, import.meta.url), { workerData: options, resourceLimits });
  const cuts = new Map<number, PromiseWithResolvers<Footage>>();
  const exited = Promise.withResolvers<void>();
  let lastCut = 0;
  let isClosing = false;
  let rested = Promise.withResolvers<void>();
  let why = "the capture thread ended";

  const settle = (id: number) => {
    const cut = cuts.get(id);
    cuts.delete(id);
    return cut;
  };
  worker.on("message", (message: FromThread) => {
    if (message.type === "status") events.onStatus(message.status, message.changed);
    else if (message.type === "run-ended") events.onRunEnded(message.why, message.againInMs);
    else if (message.type === "stale") events.onStale();
    else if (message.type === "cut") settle(message.id)?.resolve(message.footage);
    else if (message.type === "not-cut") settle(message.id)?.reject(errorOf(message));
    else if (message.type === "rested") rested.resolve();
    else why = message.why;
  });
  worker.on("error", (error) => {
    why = (error as Error).message;
  });
  worker.on("exit", () => {
    for (const id of [...cuts.keys()]) {
      settle(id)?.reject(new NoFootage("The capture ended before the clip could be cut; its footage is gone"));
    }
    rested.resolve();
    exited.resolve();
    if (!isClosing) events.onDied(why);
  });
  const post = (message: ToThread) => worker.postMessage(message);
  return {
    tell: post,
    cut(order) {
      const id = ++lastCut;
      const settled = Promise.withResolvers<Footage>();
      cuts.set(id, settled);
      post({ type: "cut", id, order });
      return settled.promise;
    },
    rest() {
      rested = Promise.withResolvers();
      post({ type: "rest" });
      return Promise.race([rested.promise, exited.promise]);
    },
    close() {
      isClosing = true;
      post({ type: "close" });
      return exited.promise;
    },
  };
}

function errorOf({ noFootage, message, code }: Extract<FromThread, { type: "not-cut" }>): Error {
  if (noFootage) return new NoFootage(message);
  return code === null ? new Error(message) : Object.assign(new Error(message), { code });
}
