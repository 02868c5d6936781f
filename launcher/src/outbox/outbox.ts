// Queues of what goes to other servers, one for each destination: in order, one item at a time, later after a failure, and not
// before the time that the server named.
import { changeTexts, type Message, type MessageOrText, textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { ExponentialBackoff, type IBackoff } from "cockatiel";
import { type StepLoop, sleepUntilWoken, startStepLoop } from "../async.ts";
import type { Statement } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import { type AttemptResult, isRepeatSafe } from "./attempt-once.ts";
import { type DestinationTable, destinationStatements, readDestinationWaitMs } from "./destination-store.ts";

/** An item that fails for this long is given up, so that it no longer blocks those behind it. */
const patienceMs = 24 * 3_600_000;
/** Minimum number of failures before an item is given up. */
const failuresMin = 8;
const saysCharsMax = 500;
const storageRetryMs = 10_000;

const firstBackoffMs = 1_000;
const longestBackoffMs = 600_000;
/** After this many steps, the delay has reached its maximum. */
const backoffStepsMax = 16;

/**
 * Returns the delay after this many failures in a row. It grows exponentially, with jitter, so that many launchers do not
 * return at once.
 */
export function backoffMs(failures: number): number {
  const options = { initialDelay: firstBackoffMs, maxDelay: longestBackoffMs };
  let step: IBackoff<unknown> = new ExponentialBackoff(options).next();
  for (let count = 1; count < Math.min(failures, backoffStepsMax); count += 1) step = step.next(undefined);
  return Math.round(Math.max(firstBackoffMs, step.duration));
}

const shortestLimitMs = 60_000;
const longestLimitMs = 3_600_000;

/** Until when a server wants no requests, and from whom. */
export type RequestLimit = { readonly untilMs: number; readonly of: "destination" | "host" };

/**
 * Returns the limit that a response asks for; undefined if it asks for none. Without a time, it lasts a minute, and each time
 * as long again as the failures have lasted, up to an hour.
 */
export function requestLimit(
  { notBeforeMs, limits }: { readonly notBeforeMs: number | null; readonly limits?: RequestLimit["of"] | undefined },
  nowMs: number,
  failingMs: number,
): RequestLimit | undefined {
  if (notBeforeMs === null && limits === undefined) return undefined;
  const waitMs = Math.min(longestLimitMs, shortestLimitMs + nowMs - failingMs);
  return { untilMs: notBeforeMs ?? nowMs + waitMs, of: limits ?? "destination" };
}

export const requestUnanswered = message("attempt.unanswered");

/** Saved credentials that cannot be parsed. The parser's own error would contain a part of the secret. */
export class CredentialsDamaged extends Error {
  readonly detail: Message;

  constructor(detail: Message) {
    super(textOf(detail));
    this.detail = detail;
  }
}

/** Credentials that a person has to enter. Nothing is sent before. */
export class CredentialsMissing extends CredentialsDamaged {}

/** Says why credentials could not be read. */
export const credentialsProblem = (error: Error): MessageOrText =>
  error instanceof CredentialsDamaged ? error.detail : error.message;

export type OutboxItem = {
  /** When the first request was made that may have created something; null if there is none. */
  readonly committedMs: number | null;
  /** When its current series of failures began; null if that is not stored. Such an item is never given up. */
  readonly failingMs: number | null;
};

/** The result of an attempt. `details` is what `record` stores about it besides the result. */
type Outcome<Details> = AttemptResult & { readonly details?: Details };
type Failure = Extract<AttemptResult, { outcome: "later" }>;
/** What is recorded instead of a failure: when the item is tried again. */
type Retry = Omit<Failure, "notBeforeMs" | "limits"> & { readonly nextTryMs: number; readonly failingMs: number };
type Settled<Details> = (Exclude<AttemptResult, Failure> | Retry) & { readonly details?: Details };

/** What posts and forwarding supply for one destination. */
export type Destination<I extends OutboxItem, Access, Details> = {
  /** Returns the oldest item that is not finished. */
  next(): Promise<I | undefined>;
  /** Reads the credentials: undefined if there are none. Rejects if they cannot be read now. */
  open(): Promise<Access | undefined>;
  readonly says: { readonly missing: Message; unreadable(problem: MessageOrText): Message };
  readonly idempotentForMs: number;
  /**
   * Prepares an item and sends it with `attemptOnce`. A number means that nothing was sent and nothing failed: the milliseconds
   * until the next step.
   */
  attempt(item: I, access: Access, stopSignal: AbortSignal): Promise<Outcome<Details> | number>;
  /** Commits what an outcome means for the item, then the statements for the destination, in one transaction. */
  record(item: I, settled: Settled<Details>, destination: readonly Statement[]): Promise<void>;
};

export type OutboxDeps = {
  /** The database table that stores the state of each destination. */
  readonly table: DestinationTable;
  readonly storage: Pick<Storage, "read">;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
};

export type Outbox = {
  /** Starts the queue of a destination, unless it has one. */
  start<I extends OutboxItem, Access, Details>(id: string, destination: Destination<I, Access, Details>): void;
  /** To be called when there may be something to send to this destination, or without `id` to any. */
  wake(id?: string): void;
  /** Aborts the running attempt, and runs a task before the next one. */
  runBetween(id: string, task: () => Promise<void>): Promise<void>;
  /** Ends the queue of a destination. */
  remove(id: string): Promise<void>;
  /** Ends all queues within seconds. */
  stop(): Promise<void>;
};

/** Shortens what a server says to what is stored and shown. */
export const shortenMessage = (says: Message): Message =>
  changeTexts(says, (text) => text.slice(0, saysCharsMax).toWellFormed());

/** Creates the steps of one destination. Counts its consecutive failures. */
function createStep<I extends OutboxItem, Access, Details>(
  id: string,
  destination: Destination<I, Access, Details>,
  { table, storage, write, now, onFailure }: OutboxDeps,
) {
  const statements = destinationStatements(table);
  let failures = 0;
  /** After an attempt that could not store something, for example on a full disk. */
  let notBeforeMs = 0;

  type Ending = readonly [Settled<Details>, ...Statement[]];
  const settleFailure = (item: I, { notBeforeMs, limits, committedMs, ...outcome }: Failure): Ending => {
    failures += 1;
    const says = shortenMessage(outcome.says);
    const fault = statements.recordError(id, says, now());
    // A time that is still to come was stored while the clock was ahead.
    const failingMs = Math.min(item.failingMs ?? now(), now());
    if (now() - failingMs >= patienceMs && failures >= failuresMin) {
      failures = 0;
      return committedMs === null
        ? [{ outcome: "refused", says: message("attempt.failed_for_a_day", { problem: says }) }, fault]
        : [{ outcome: "maybe", says: message("attempt.unanswered_for_a_day", { problem: says }) }, fault];
    }
    const limit = requestLimit({ notBeforeMs, limits }, now(), failingMs);
    const nextTryMs = limit?.untilMs ?? now() + backoffMs(failures);
    const wait =
      limit?.of === "host"
        ? statements.delayHost(id, nextTryMs, now())
        : statements.delayAfter(id, nextTryMs, limit === undefined ? "failure" : "rate-limit", now());
    return [{ outcome: "later", says, committedMs, nextTryMs, failingMs }, wait, fault];
  };
  const settle = (item: I, outcome: Outcome<Details>): Ending => {
    if (outcome.outcome === "later") return settleFailure(item, outcome);
    failures = 0;
    if (outcome.outcome === "sent") return [outcome, statements.recordSent(id, outcome.restUntilMs, now())];
    const says = shortenMessage(outcome.says);
    const end = outcome.outcome === "stopped" ? statements.stop : statements.recordError;
    return [{ ...outcome, says }, end(id, says, now())];
  };
  const attempt = async (item: I, stopSignal: AbortSignal): Promise<Outcome<Details> | number> => {
    const access = await destination.open().catch((error: Error) => error);
    if (access instanceof CredentialsMissing) {
      await write(statements.stop(id, access.detail, now()));
      return 0;
    }
    if (access instanceof Error) {
      const says = destination.says.unreadable(credentialsProblem(access));
      return { outcome: "later", says, notBeforeMs: null, committedMs: item.committedMs };
    }
    if (access !== undefined) return destination.attempt(item, access, stopSignal);
    await write(statements.stop(id, destination.says.missing, now()));
    return 0;
  };
  /** Retries until the outcome is stored: without it, the item would be sent again. */
  const store = async (item: I, [settled, ...rest]: Ending, stopSignal: AbortSignal) => {
    for (;;) {
      try {
        return await destination.record(item, settled, rest);
      } catch (error) {
        if (stopSignal.aborted) throw error;
        onFailure(error);
        await sleepUntilWoken(storageRetryMs, stopSignal);
      }
    }
  };

  return async (stopSignal: AbortSignal): Promise<number | null> => {
    const waitMs = await readDestinationWaitMs(storage, table, id, now());
    if (waitMs !== 0) return waitMs;
    const restMs = notBeforeMs - now();
    // A longer one began before the clock was set back.
    if (restMs > 0 && restMs <= longestBackoffMs) return restMs;
    const item = await destination.next();
    if (item === undefined) return null;
    if (!isRepeatSafe(item.committedMs, destination.idempotentForMs, now())) {
      await destination.record(item, { outcome: "maybe", says: requestUnanswered }, []);
      return 0;
    }
    const outcome = await attempt(item, stopSignal).catch((error: unknown) => {
      failures += 1;
      notBeforeMs = now() + backoffMs(failures);
      throw error;
    });
    if (typeof outcome === "number") return outcome;
    await store(item, settle(item, outcome), stopSignal);
    return 0;
  };
}

export function createOutbox(needs: OutboxDeps): Outbox {
  const queues = new Map<string, StepLoop>();
  let isStopped = false;
  return {
    start(id, destination) {
      if (isStopped || queues.has(id)) return;
      queues.set(id, startStepLoop({ step: createStep(id, destination, needs), onFailure: needs.onFailure }));
    },
    wake(id) {
      for (const [each, queue] of queues) if (id === undefined || each === id) queue.wake();
    },
    runBetween: (id, task) => queues.get(id)?.runBetween(task) ?? task(),
    async remove(id) {
      const queue = queues.get(id);
      queues.delete(id);
      await queue?.stop();
    },
    async stop() {
      isStopped = true;
      await Promise.all([...queues.values()].map((queue) => queue.stop()));
    },
  };
}
