// One try at a delivery: what is durable before the request that makes the post, and what an answer means, or none.
import { faultOf, sentNothing } from "../../outbound/fault.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import type { Statement } from "../../storage/sql.ts";
import type { Access, Network, Outcome, Outgoing, TryNeeds } from "../networks/network.ts";
import type { Delivery } from "./outbox-store.ts";
import { mayRepeat } from "./repeats.ts";
import { committed, remembering } from "./step-store.ts";

/** Of a try that a network leaves open; each of its requests has a bound of its own. */
const tryMsMax = 30 * 60_000;
/** A request that makes the post and is under way when the launcher ends. */
const graceMs = 2_000;
/** What ends when it is told to has ended by then. */
const endsWithinMs = 200;

export type Try = {
  readonly network: Network;
  readonly access: Access;
  readonly post: Outgoing;
  readonly limits: Parameters<Network["send"]>[2];
  readonly delivery: Delivery;
  readonly reach: Outbound;
  readonly now: () => number;
  readonly write: (...statements: Statement[]) => Promise<void>;
  /** It is to end: at once, or soon where the request that makes the post is out. */
  readonly halt: AbortSignal;
  readonly onProgress: (share: number) => void;
};

export type Tried =
  | Extract<Outcome, { outcome: "sent" | "refused" | "stopped" | "maybe" }>
  /** `committedMs`: when the first request went out of which nobody knows whether it made the post; null for none. */
  | (Extract<Outcome, { outcome: "later" }> & Pick<Delivery, "committedMs">)
  /** Ended before it began to make the post. */
  | { readonly outcome: "halted" };

/** Thrown into a network that is about to make the post. */
class Withheld extends Error {
  override name = "Withheld";
}

export async function tryOnce({ network, access, post, limits, delivery, halt, ...needs }: Try): Promise<Tried> {
  const { reach, now, write, onProgress } = needs;
  const { seq } = delivery;
  const end = new AbortController();
  const given = Promise.withResolvers<never>();
  let isCommitted = false;
  let firstMs = delivery.committedMs;
  let withheld: "halted" | "late" | "unwritten" | undefined;
  let timer: NodeJS.Timeout | undefined;

  const giveUp = () => {
    end.abort(new Withheld("The launcher ends."));
    timer = setTimeout(() => given.reject(new Withheld("It did not end.")), endsWithinMs);
  };
  const onHalt = () => {
    if (isCommitted) timer = setTimeout(giveUp, graceMs);
    else giveUp();
  };
  const withhold = (why: typeof withheld): never => {
    withheld ??= why;
    throw new Withheld("It is not sent now.");
  };
  const committing = async () => {
    if (halt.aborted) withhold("halted");
    if (!mayRepeat(firstMs, network.repeatsForMs, now())) withhold("late");
    const atMs = now();
    await write(committed(seq, atMs)).catch(() => withhold("unwritten"));
    if (halt.aborted) withhold("halted");
    firstMs ??= atMs;
    isCommitted = true;
  };
  /** Nobody knows whether the post is there: it is asked for again only where that makes no second one. */
  const unknown = (says: string): Tried =>
    mayRepeat(firstMs, network.repeatsForMs, now())
      ? { outcome: "later", says, notBeforeMs: null, committedMs: firstMs }
      : { outcome: "maybe", says };
  const withoutAnswer = (error: unknown): Tried => {
    if (withheld === "late") return { outcome: "maybe", says: "An earlier try was not answered." };
    if (!isCommitted && halt.aborted) return { outcome: "halted" };
    const later = { outcome: "later", notBeforeMs: null, committedMs: delivery.committedMs } as const;
    if (withheld === "unwritten") return { ...later, says: "Nothing can be stored now, so nothing is sent." };
    const says = halt.aborted ? "The launcher ended before there was an answer." : faultOf(error);
    return isCommitted && !sentNothing(error) ? unknown(says) : { ...later, says };
  };

  const trying: TryNeeds = {
    reach,
    now,
    committing,
    signal: AbortSignal.any([end.signal, AbortSignal.timeout(tryMsMax)]),
    remembered: delivery.remembered,
    remember: (more) => write(remembering(seq, more)),
    onProgress: (share) => onProgress(share),
  };
  halt.addEventListener("abort", onHalt, { once: true });
  if (halt.aborted) onHalt();
  // Whoever waits for neither is not to end the launcher.
  given.promise.catch(() => undefined);
  try {
    const sending = network.send(access, post, limits, trying);
    sending.catch(() => undefined);
    const outcome = await Promise.race([sending, given.promise]);
    if (outcome.outcome === "maybe") return unknown(outcome.says);
    return outcome.outcome === "later" ? { ...outcome, committedMs: delivery.committedMs } : outcome;
  } catch (error) {
    return withoutAnswer(error);
  } finally {
    clearTimeout(timer);
    halt.removeEventListener("abort", onHalt);
  }
}
