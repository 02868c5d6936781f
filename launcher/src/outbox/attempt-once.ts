// Makes one attempt to send something. Marks it on disk right before the request that creates something on the server, and
// decides what a missing answer means.
import type { Message } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { failureMessage, isNothingSent } from "../outbound/failure.ts";

/** Maximum time of an attempt. Each request has a shorter limit of its own. */
const attemptTimeoutMs = 30 * 60_000;
/** How long shutdown waits for a running request that creates something. */
const graceMs = 2_000;
/** How long an aborted attempt may take to end. */
const abortTimeoutMs = 200;
/** Safety margin, because a repeat arrives some time after the decision that it is safe. */
const marginMs = 60_000;

/** The server confirmed, and wants no request before `restUntilMs`. `Said`: what else its answer says. */
type Confirmed<Said> = Said & { readonly outcome: "sent"; readonly restUntilMs: number | null };
/** Nothing was created, for certain. Retry, not before `notBeforeMs` if the server named a time. */
type Later = {
  readonly outcome: "later";
  readonly says: Message;
  readonly notBeforeMs: number | null;
  /** The server had too many requests, whatever they contained: from this destination, or from all at its host. */
  readonly limits?: "destination" | "host";
};
type Denied =
  /** No confirmation came: something may have been created. */
  | { readonly outcome: "maybe"; readonly says: Message }
  /** The server will never accept this. It may accept others. */
  | { readonly outcome: "refused"; readonly says: Message }
  /** The server accepts nothing until a person acts. */
  | { readonly outcome: "stopped"; readonly says: Message };

/** What a server answered. */
export type SendAnswer<Said = object> = Confirmed<Said> | Later | Denied;

/** The mark on disk for a request that creates something. */
type CommitMark = {
  /** When the first such request was made; null if there was none. */
  readonly committedMs: number | null;
  /** How long the receiver ignores a repeat: 0 if a repeat would create a second one, infinity if it always recognises it. */
  readonly idempotentForMs: number;
  /** Stores the time of the request. Durable when it resolves. */
  readonly write: (atMs: number) => Promise<void>;
};

export type AttemptOptions<Said> = {
  /**
   * Rejects if there is no answer. `markCommitted` must be awaited right before the request that creates something, and before no
   * other.
   */
  readonly send: (markCommitted: () => Promise<void>, signal: AbortSignal) => Promise<SendAnswer<Said>>;
  /** Omitted if the receiver recognises every repeat. */
  readonly mark?: CommitMark;
  readonly now: () => number;
  /** Aborts the attempt at once, or after a grace time if the request that creates something is running. */
  readonly stopSignal: AbortSignal;
  /** Explains why there was no answer. */
  readonly explain?: (error: unknown) => Message;
};

const unmarked: CommitMark = {
  committedMs: null,
  idempotentForMs: Number.POSITIVE_INFINITY,
  write: async () => undefined,
};

/** The result of an attempt. `committedMs` is that of `CommitMark` after the attempt. */
export type AttemptResult<Said = object> = Confirmed<Said> | (Later & { readonly committedMs: number | null }) | Denied;
/** Stopped before the request that creates something. */
type Halted = { readonly outcome: "halted" };

/** Thrown by `markCommitted`, so that nothing is created. */
class AttemptWithheld extends Error {
  override name = "Withheld";
}

/** Whether a repeat is certain to create nothing twice. `committedMs` is the time of the first request with the same key. */
export function isRepeatSafe(committedMs: number | null, idempotentForMs: number, nowMs: number): boolean {
  if (committedMs === null || idempotentForMs === Number.POSITIVE_INFINITY) return true;
  // If the clock was set back, the elapsed time is unknown, so a repeat is not safe.
  return nowMs >= committedMs && nowMs < committedMs + idempotentForMs - Math.min(marginMs, idempotentForMs / 2);
}

export async function attemptOnce<Said>({
  send,
  mark = unmarked,
  now,
  stopSignal,
  explain = failureMessage,
}: AttemptOptions<Said>): Promise<AttemptResult<Said> | Halted> {
  const { committedMs, idempotentForMs } = mark;
  const abort = new AbortController();
  const abandoned = Promise.withResolvers<never>();
  let isCommitted = false;
  let firstCommittedMs = committedMs;
  let withheld: "halted" | "late" | "unwritten" | undefined;
  let timer: NodeJS.Timeout | undefined;

  const giveUp = () => {
    abort.abort(new AttemptWithheld("The launcher ends."));
    timer = setTimeout(() => abandoned.reject(new AttemptWithheld("The attempt did not stop.")), abortTimeoutMs);
  };
  const onHalt = () => {
    if (isCommitted) timer = setTimeout(giveUp, graceMs);
    else giveUp();
  };
  const withhold = (why: typeof withheld): never => {
    withheld ??= why;
    throw new AttemptWithheld("Nothing is sent now.");
  };
  const markCommitted = async () => {
    if (stopSignal.aborted) withhold("halted");
    if (!isRepeatSafe(firstCommittedMs, idempotentForMs, now())) withhold("late");
    const atMs = now();
    await mark.write(atMs).catch(() => withhold("unwritten"));
    if (stopSignal.aborted) withhold("halted");
    firstCommittedMs ??= atMs;
    isCommitted = true;
  };
  /** The result if something may have been created. It leads to a retry only if a repeat cannot create a second one. */
  const resultWithoutConfirmation = (says: Message): AttemptResult<Said> | Halted =>
    isRepeatSafe(firstCommittedMs, idempotentForMs, now())
      ? { outcome: "later", says, notBeforeMs: null, committedMs: firstCommittedMs }
      : { outcome: "maybe", says };
  const resultOfError = (error: unknown): AttemptResult<Said> | Halted => {
    if (withheld === "late") return { outcome: "maybe", says: message("attempt.earlier_unanswered") };
    if (!isCommitted && stopSignal.aborted) return { outcome: "halted" };
    const later = { outcome: "later", notBeforeMs: null, committedMs } as const;
    if (withheld === "unwritten") return { ...later, says: message("attempt.cannot_save") };
    const says = stopSignal.aborted ? message("attempt.kit_stopped") : explain(error);
    return isCommitted && !isNothingSent(error) ? resultWithoutConfirmation(says) : { ...later, says };
  };

  stopSignal.addEventListener("abort", onHalt, { once: true });
  if (stopSignal.aborted) onHalt();
  // Avoid an unhandled rejection if nobody awaits the promise.
  abandoned.promise.catch(() => undefined);
  try {
    const sending = send(markCommitted, AbortSignal.any([abort.signal, AbortSignal.timeout(attemptTimeoutMs)]));
    sending.catch(() => undefined);
    const answer = (await Promise.race([sending, abandoned.promise])) as SendAnswer<Said>;
    if (answer.outcome === "maybe") return resultWithoutConfirmation(answer.says);
    return answer.outcome === "later" ? { ...answer, committedMs } : answer;
  } catch (error) {
    return resultOfError(error);
  } finally {
    clearTimeout(timer);
    stopSignal.removeEventListener("abort", onHalt);
  }
}
