// Makes one attempt at a delivery. Marks it as committed on disk right before the request that creates the post, and decides
// what an answer or a missing answer means.
import { failureMessage, isNothingSent } from "../../outbound/failure.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import type { Statement } from "../../storage/sql.ts";
import type { AttemptContext, Credentials, Network, OutgoingPost, SendOutcome } from "../networks/network.ts";
import { markDeliveryCommitted, storeDeliverySteps } from "./delivery-store.ts";
import type { Delivery } from "./outbox-store.ts";
import { isRepeatSafe } from "./repeat-safety.ts";

/** Maximum time of an attempt. Each request has a shorter limit of its own. */
const attemptTimeoutMs = 30 * 60_000;
/** How long shutdown waits for a running request that creates the post. */
const graceMs = 2_000;
/** How long an aborted attempt may take to end. */
const abortTimeoutMs = 200;

export type AttemptInput = {
  readonly network: Network;
  readonly credentials: Credentials;
  readonly post: OutgoingPost;
  readonly limits: Parameters<Network["send"]>[2];
  readonly delivery: Delivery;
  readonly outbound: Outbound;
  readonly now: () => number;
  readonly write: (...statements: Statement[]) => Promise<void>;
  /** Aborts the attempt at once, or after a grace time if the request that creates the post is running. */
  readonly stopSignal: AbortSignal;
  readonly onProgress: (share: number) => void;
};

export type AttemptResult =
  | Extract<SendOutcome, { outcome: "sent" | "refused" | "stopped" | "maybe" }>
  /** `committedMs` is the time of the first request that may have created the post, or null if there is none. */
  | (Extract<SendOutcome, { outcome: "later" }> & Pick<Delivery, "committedMs">)
  /** Stopped before the request that creates the post. */
  | { readonly outcome: "halted" };

/** Thrown by `markCommitted` to stop a network from creating the post. */
class AttemptWithheld extends Error {
  override name = "Withheld";
}

export async function attemptOnce({
  network,
  credentials,
  post,
  limits,
  delivery,
  stopSignal,
  ...needs
}: AttemptInput): Promise<AttemptResult> {
  const { outbound, now, write, onProgress } = needs;
  const { seq } = delivery;
  const abort = new AbortController();
  const abandoned = Promise.withResolvers<never>();
  let isCommitted = false;
  let firstCommittedMs = delivery.committedMs;
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
    throw new AttemptWithheld("The post is not sent now.");
  };
  const markCommitted = async () => {
    if (stopSignal.aborted) withhold("halted");
    if (!isRepeatSafe(firstCommittedMs, network.idempotentForMs, now())) withhold("late");
    const atMs = now();
    await write(markDeliveryCommitted(seq, atMs)).catch(() => withhold("unwritten"));
    if (stopSignal.aborted) withhold("halted");
    firstCommittedMs ??= atMs;
    isCommitted = true;
  };
  /** The post may exist. Retries only if a repeat cannot create a second post. */
  const resultWithoutConfirmation = (says: string): AttemptResult =>
    isRepeatSafe(firstCommittedMs, network.idempotentForMs, now())
      ? { outcome: "later", says, notBeforeMs: null, committedMs: firstCommittedMs }
      : { outcome: "maybe", says };
  const resultOfError = (error: unknown): AttemptResult => {
    if (withheld === "late") return { outcome: "maybe", says: "An earlier attempt got no answer." };
    if (!isCommitted && stopSignal.aborted) return { outcome: "halted" };
    const later = { outcome: "later", notBeforeMs: null, committedMs: delivery.committedMs } as const;
    if (withheld === "unwritten") return { ...later, says: "Kit cannot save data now, so nothing is sent." };
    const says = stopSignal.aborted ? "Kit stopped before the answer arrived." : failureMessage(error);
    return isCommitted && !isNothingSent(error) ? resultWithoutConfirmation(says) : { ...later, says };
  };

  const context: AttemptContext = {
    outbound,
    now,
    markCommitted,
    signal: AbortSignal.any([abort.signal, AbortSignal.timeout(attemptTimeoutMs)]),
    stored: delivery.stored,
    store: (more) => write(storeDeliverySteps(seq, more)),
    onProgress: (share) => onProgress(share),
  };
  stopSignal.addEventListener("abort", onHalt, { once: true });
  if (stopSignal.aborted) onHalt();
  // Avoid an unhandled rejection if nobody awaits the promise.
  abandoned.promise.catch(() => undefined);
  try {
    const sending = network.send(credentials, post, limits, context);
    sending.catch(() => undefined);
    const outcome = await Promise.race([sending, abandoned.promise]);
    if (outcome.outcome === "maybe") return resultWithoutConfirmation(outcome.says);
    return outcome.outcome === "later" ? { ...outcome, committedMs: delivery.committedMs } : outcome;
  } catch (error) {
    return resultOfError(error);
  } finally {
    clearTimeout(timer);
    stopSignal.removeEventListener("abort", onHalt);
  }
}
