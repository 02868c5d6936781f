// An account's next step: what the delivery shows is made to fit, one try, and what that means for it and for the account.
import type { Account } from "@kit/contract";
import { backoffMs } from "../../outbound/backoff.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import type { Storage } from "../../storage/storage.ts";
import { hiding, withoutAccess } from "../accounts/access.ts";
import { failed, sentOne, stoppedFor, waits } from "../accounts/account-store.ts";
import type { Access, Network, Outgoing } from "../networks/network.ts";
import { type Tried, tryOnce } from "./one-try.ts";
import type { Delivery } from "./outbox-store.ts";
import { type Fit, type FootageFile, type Prepared, prepare } from "./prepare.ts";
import type { Records } from "./records.ts";
import { checkYourself, mayRepeat, unanswered } from "./repeats.ts";
import { entered, waitsAgain } from "./step-store.ts";

/** A delivery that fails for so long no longer holds up those behind it. */
const patienceMs = 24 * 3_600_000;
/** And not for having been tried only now and then. */
const failuresLeast = 8;
/** Encoding costs a game beside it something each time. */
const fitsMax = 3;
const pendingLookMs = 2_000;
const saysCharsMax = 500;
const storageRetryMs = 10_000;

export type AttemptNeeds = {
  readonly network: Network;
  readonly accessOf: (id: string) => Promise<Access | undefined>;
  readonly storage: Pick<Storage, "write">;
  readonly records: Pick<Records, "ended" | "moved">;
  readonly reach: Outbound;
  readonly footage: (event: string) => Promise<FootageFile>;
  readonly fit: Fit;
  /** Somebody was shown that clip. */
  readonly shared: (clip: string) => Promise<void>;
  readonly now: () => number;
  /** How much of it is done; null when nothing of it is under way. */
  readonly onProgress: (delivery: Delivery, share: number | null) => void;
  readonly onFailure: (what: string, error: unknown) => void;
};

type Ready = Extract<Prepared, { is: "ready" }>;
type Later = Omit<Extract<Tried, { outcome: "later" }>, "outcome">;

/** One step for one delivery of one account. How long there is nothing to do then; 0 for the next one. */
export type Attempt = (account: Account, delivery: Delivery, halt: AbortSignal) => Promise<number>;

/** Whose messages are for a person. */
const told: ReadonlySet<string> = new Set(["DiskNearlyFull", "FfmpegFailed", "VerifyFailed"]);
const reasonOf = (error: unknown) =>
  error instanceof Error && told.has(error.name) ? `: ${error.message.replace(/\.?$/, ".")}` : ".";
const brief = (says: string) => says.slice(0, saysCharsMax).toWellFormed();

/** A server may repeat in its words what it was opened with. */
function hidden(tried: Tried, hide: (text: string) => string): Tried {
  if (tried.outcome === "halted") return tried;
  if (tried.outcome !== "sent") return { ...tried, says: hide(tried.says) };
  return { ...tried, link: tried.link && hide(tried.link), notes: tried.notes.map(hide) };
}

function outgoing(delivery: Delivery, { media }: Ready): Outgoing {
  const { key, text, contentWarning, altText, visibility } = delivery;
  const { post, event, eventId, game, happenedMs: atMs } = delivery;
  return { key, text, contentWarning, altText, visibility, media, about: { post, event, eventId, game, atMs } };
}

/** For one account: it knows how often that failed in a row. */
export function createAttempt(needs: AttemptNeeds): Attempt {
  const { network, records, now, onProgress } = needs;
  let failures = 0;
  let misfits = 0;

  const putOff = (delivery: Delivery, { id }: Account, { says, notBeforeMs, committedMs }: Later) => {
    failures += 1;
    const fault = failed(id, brief(says), now());
    const failingMs = delivery.failingMs ?? now();
    if (now() - failingMs >= patienceMs && failures >= failuresLeast) {
      failures = 0;
      const why = `${brief(says)} It was tried for a day`;
      return committedMs === null
        ? records.ended(delivery, { state: "failed", says: `${why}, and is not there.` }, fault)
        : records.ended(delivery, { state: "maybe", says: `${why}. ${checkYourself}` }, fault);
    }
    const untilMs = notBeforeMs ?? now() + backoffMs(failures);
    const wait = waits(id, { untilMs, because: notBeforeMs === null ? "failure" : "rate-limit" });
    const again = { says: brief(says), nextTryMs: untilMs, failingMs, committedMs };
    return records.moved(waitsAgain(delivery.seq, again), wait, fault);
  };
  const back = (delivery: Delivery) => records.moved(waitsAgain(delivery.seq, delivery));
  const record = async (delivery: Delivery, account: Account, { clip, notes }: Ready, tried: Tried) => {
    const { id } = account;
    if (tried.outcome === "halted") return back(delivery);
    if (tried.outcome === "later") return putOff(delivery, account, tried);
    failures = 0;
    if (tried.outcome === "stopped") {
      const says = brief(tried.says);
      const waiting = waitsAgain(delivery.seq, { ...delivery, says, nextTryMs: null, failingMs: null });
      return records.moved(waiting, stoppedFor(id, says, now()));
    }
    if (tried.outcome === "sent") {
      const end = { state: "sent", says: null, sentMs: now(), link: tried.link } as const;
      const all = { ...end, notes: [...notes, ...tried.notes] };
      await records.ended(delivery, all, sentOne(id, now(), tried.restUntilMs));
      if (clip !== null) await needs.shared(clip).catch((error) => needs.onFailure("clip", error));
      return;
    }
    const says = brief(tried.says);
    const end =
      tried.outcome === "maybe"
        ? ({ state: "maybe", says: `${says} ${checkYourself}`, notes } as const)
        : ({ state: "failed", says } as const);
    return records.ended(delivery, end, failed(id, says, now()));
  };
  /** What came of a request must not be forgotten while nothing can be stored: it would be sent again. */
  const insist = async (work: () => Promise<void>, halt: AbortSignal) => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (halt.aborted) throw error;
        needs.onFailure("delivery", error);
        await pauseFor(storageRetryMs, halt);
      }
    }
  };

  const showing = async (delivery: Delivery, account: Account, halt: AbortSignal): Promise<Prepared | string> => {
    if (delivery.attach !== "none") await records.moved(entered(delivery.seq, "preparing"));
    try {
      const onShare = (share: number) => onProgress(delivery, share);
      const isLast = misfits >= fitsMax - 1 || delivery.bare === "agreed";
      const prepared = await prepare(delivery, account.limits, { ...needs, isLast, signal: halt, onProgress: onShare });
      misfits = 0;
      return prepared;
    } catch (error) {
      if (halt.aborted) return "halted";
      misfits += 1;
      needs.onFailure("footage of a post", error);
      return `Its ${delivery.attach} could not be made to fit now${reasonOf(error)}`;
    } finally {
      onProgress(delivery, null);
    }
  };

  const send = async (delivery: Delivery, account: Account, access: Access, ready: Ready, halt: AbortSignal) => {
    await records.moved(entered(delivery.seq, "sending"));
    const onShare = (share: number) => onProgress(delivery, share);
    const told = { ...needs, network, access, delivery, halt, onProgress: onShare, write: needs.storage.write };
    const answered = await tryOnce({ ...told, post: outgoing(delivery, ready), limits: account.limits });
    onProgress(delivery, null);
    const tried = hidden(answered, hiding(account.network, access));
    await insist(() => record(delivery, account, ready, tried), halt);
  };

  return async (account, delivery, halt) => {
    const { committedMs } = delivery;
    const again = (says: string) => putOff(delivery, account, { says, notBeforeMs: null, committedMs });
    if (!mayRepeat(committedMs, network.repeatsForMs, now()))
      await records.ended(delivery, { state: "maybe", says: unanswered });
    else {
      const access = await needs.accessOf(account.id).catch((error: Error) => error);
      if (access === undefined) await records.moved(stoppedFor(account.id, withoutAccess, now()));
      else if (access instanceof Error) await again(`What opens it cannot be read now. ${access.message}`);
      else {
        const prepared = await showing(delivery, account, halt);
        if (prepared === "halted") await back(delivery);
        else if (typeof prepared === "string") await again(prepared);
        else if (prepared.is === "ready") await send(delivery, account, access, prepared, halt);
        else if (prepared.is === "lacking")
          await records.ended(delivery, { state: "failed", says: brief(prepared.says), bare: "offered" });
        else {
          await back(delivery);
          return pendingLookMs;
        }
      }
    }
    return 0;
  };
}

function pauseFor(ms: number, halt: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms).unref();
  halt.addEventListener("abort", () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}
