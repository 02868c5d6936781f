// Sends questions to the lookup process. Restarts it after a failure, with backoff.
import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startSeparateProcess } from "../../../process/separate-process.ts";
import type { Question, Reply, Request } from "./lookup-process.ts";
import type { SystemProcesses } from "./system-processes.ts";

/** Maximum wait for an answer. If it is exceeded, the lookup process is killed. */
const answerWithinMs = 5_000;
/** The same while the process starts, which a busy computer or a virus scanner delays. */
const startWithinMs = 30_000;
const waitingMax = 1_000;
const pauseMsMin = 1_000;
const pauseMsMax = 600_000;

/** The system cannot be asked at present. Nothing is known about any process, and nothing must be concluded. */
export class LookupUnavailable extends Error {
  override name = "LookupUnavailable";
}

export type LookupClient = {
  /** Rejects with LookupUnavailable if the process does not run or does not answer. */
  ask<Name extends keyof SystemProcesses>(
    name: Name,
    about: Parameters<SystemProcesses[Name]>[0],
  ): Promise<ReturnType<SystemProcesses[Name]>>;
  stop(): void;
};

export type LookupClientDeps = {
  /** Called once for each fault of the process. */
  readonly onFailure: (error: unknown) => void;
  /** Path of the program of the process. */
  readonly program?: string;
  readonly now?: () => number;
};

type Waiting = {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
  late: NodeJS.Timeout;
};

const ownProgram = () => {
  const file = import.meta.url.endsWith(".ts") ? "./lookup-process.ts" : "./lookup-process.js";
  return fileURLToPath(new URL(file, import.meta.url));
};

export function createLookupClient({
  onFailure,
  program = ownProgram(),
  now = performance.now.bind(performance),
}: LookupClientDeps): LookupClient {
  const waiting = new Map<number, Waiting>();
  let child: ChildProcess | undefined;
  let isReady = false;
  let lastId = 0;
  let isStopped = false;
  let pauseMs = 0;
  let startAgainAtMs = 0;

  function rejectAll(why: string): void {
    for (const { reject } of waiting.values()) reject(new LookupUnavailable(why));
    waiting.clear();
  }

  function failed(which: ChildProcess, why: string): void {
    if (child !== which) return;
    child = undefined;
    which.kill("SIGKILL");
    rejectAll(why);
    pauseMs = Math.min(pauseMsMax, Math.max(pauseMsMin, pauseMs * 2));
    startAgainAtMs = now() + pauseMs;
    if (!isStopped) onFailure(new Error(why));
  }

  const failLater = (which: ChildProcess) =>
    setTimeout(() => failed(which, "the lookup process did not answer"), isReady ? answerWithinMs : startWithinMs);

  function markReady(which: ChildProcess): void {
    isReady = true;
    for (const question of waiting.values()) {
      clearTimeout(question.late);
      question.late = failLater(which);
    }
  }

  function receive(reply: Reply): void {
    if (child !== undefined && !isReady) markReady(child);
    if ("isReady" in reply) return;
    const question = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ("failed" in reply) return question?.reject(new Error(reply.failed));
    pauseMs = 0;
    question?.resolve(reply.answer as never);
  }

  const start = () =>
    startSeparateProcess<Reply>(program, {
      received: receive,
      ended: (which, why) => failed(which, `the lookup process ${why}`),
    });

  return {
    async ask(name, about) {
      if (isStopped || now() < startAgainAtMs) throw new LookupUnavailable("the lookup process does not run");
      if (waiting.size >= waitingMax) throw new LookupUnavailable("too many questions wait for the lookup process");
      if (child === undefined) isReady = false;
      child ??= start();
      const asked = child;
      lastId += 1;
      const id = lastId;
      const { promise, resolve, reject } = Promise.withResolvers<never>();
      const question: Waiting = { resolve, reject, late: failLater(asked) };
      waiting.set(id, question);
      // A failed send is reported by the end of the process.
      asked.send({ id, question: { name, about } as Question } satisfies Request, () => undefined);
      return promise.finally(() => clearTimeout(question.late));
    },
    stop() {
      isStopped = true;
      child?.kill("SIGKILL");
      rejectAll("the launcher stops");
    },
  };
}
