// Runs one step of a delivery: prepares the media, makes one attempt, and records the result for delivery and account.
import type { Account } from "@kit/contract";
import { backoffMs } from "../../outbound/backoff.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import type { Storage } from "../../storage/storage.ts";
import { delayAccount, recordAccountError, recordSentPost, stopAccount } from "../accounts/account-store.ts";
import { createSecretHider, credentialsMissing } from "../accounts/credentials.ts";
import type { Credentials, Network, OutgoingPost } from "../networks/network.ts";
import { type AttemptResult, attemptOnce } from "./attempt-once.ts";
import type { DeliveryRecords } from "./delivery-records.ts";
import { enterDeliveryState, requeueDelivery } from "./delivery-store.ts";
import type { Delivery } from "./outbox-store.ts";
import { type FitMedia, type FootageFile, type Prepared, prepare } from "./prepare-media.ts";
import { checkYourself, isRepeatSafe, requestUnanswered } from "./repeat-safety.ts";

/** A delivery that fails for this long is ended, so that it no longer blocks those behind it. */
const patienceMs = 24 * 3_600_000;
/** Minimum number of failures before a delivery is ended. */
const failuresMin = 8;
/** Maximum attempts to fit the media, because encoding slows a running game down. */
const fitAttemptsMax = 3;
const pendingRetryMs = 2_000;
const saysCharsMax = 500;
const storageRetryMs = 10_000;

export type DeliveryStepDeps = {
  readonly network: Network;
  readonly readCredentials: (id: string) => Promise<Credentials | undefined>;
  readonly storage: Pick<Storage, "write">;
  readonly records: Pick<DeliveryRecords, "endDelivery" | "writeProgress">;
  readonly outbound: Outbound;
  readonly footage: (event: string) => Promise<FootageFile>;
  readonly fit: FitMedia;
  /** Called when a clip was posted. */
  readonly onClipShared: (clip: string) => Promise<void>;
  readonly now: () => number;
  /** Called with the progress from 0 to 1, or null if nothing is running. */
  readonly onProgress: (delivery: Delivery, share: number | null) => void;
  readonly onFailure: (what: string, error: unknown) => void;
};

type ReadyMedia = Extract<Prepared, { is: "ready" }>;
type Later = Omit<Extract<AttemptResult, { outcome: "later" }>, "outcome">;

/** Runs one step. Resolves to the milliseconds until the next step, 0 for at once. */
export type DeliveryStep = (account: Account, delivery: Delivery, stopSignal: AbortSignal) => Promise<number>;

/** Names of errors whose messages are sentences for people. */
const readableErrors: ReadonlySet<string> = new Set(["DiskNearlyFull", "FfmpegFailed", "VerifyFailed"]);
const reasonOf = (error: unknown) =>
  error instanceof Error && readableErrors.has(error.name) ? `: ${error.message.replace(/\.?$/, ".")}` : ".";
const shorten = (says: string) => says.slice(0, saysCharsMax).toWellFormed();

/** Hides credentials, which a server may repeat in its messages. */
function hideSecrets(tried: AttemptResult, hide: (text: string) => string): AttemptResult {
  if (tried.outcome === "halted") return tried;
  if (tried.outcome !== "sent") return { ...tried, says: hide(tried.says) };
  return { ...tried, link: tried.link && hide(tried.link), notes: tried.notes.map(hide) };
}

function outgoingPost(delivery: Delivery, { media }: ReadyMedia): OutgoingPost {
  const { key, text, contentWarning, altText, visibility } = delivery;
  const { post, event, eventId, game, happenedMs: atMs } = delivery;
  return { key, text, contentWarning, altText, visibility, media, source: { post, event, eventId, game, atMs } };
}

/** Creates the steps of one account. Counts its consecutive failures. */
export function createDeliveryStep(needs: DeliveryStepDeps): DeliveryStep {
  const { network, records, now, onProgress } = needs;
  let failures = 0;
  let fitFailures = 0;

  const retryLater = (delivery: Delivery, { id }: Account, { says, notBeforeMs, committedMs }: Later) => {
    failures += 1;
    const fault = recordAccountError(id, shorten(says), now());
    const failingMs = delivery.failingMs ?? now();
    if (now() - failingMs >= patienceMs && failures >= failuresMin) {
      failures = 0;
      const why = `${shorten(says)} Kit tried for a day`;
      return committedMs === null
        ? records.endDelivery(delivery, { state: "failed", says: `${why} without success.` }, fault)
        : records.endDelivery(delivery, { state: "maybe", says: `${why}. ${checkYourself}` }, fault);
    }
    const untilMs = notBeforeMs ?? now() + backoffMs(failures);
    const wait = delayAccount(id, { untilMs, because: notBeforeMs === null ? "failure" : "rate-limit" });
    const again = { says: shorten(says), nextTryMs: untilMs, failingMs, committedMs };
    return records.writeProgress(requeueDelivery(delivery.seq, again), wait, fault);
  };
  const requeue = (delivery: Delivery) => records.writeProgress(requeueDelivery(delivery.seq, delivery));
  const recordResult = async (
    delivery: Delivery,
    account: Account,
    { clip, notes }: ReadyMedia,
    tried: AttemptResult,
  ) => {
    const { id } = account;
    if (tried.outcome === "halted") return requeue(delivery);
    if (tried.outcome === "later") return retryLater(delivery, account, tried);
    failures = 0;
    if (tried.outcome === "stopped") {
      const says = shorten(tried.says);
      const waiting = requeueDelivery(delivery.seq, { ...delivery, says, nextTryMs: null, failingMs: null });
      return records.writeProgress(waiting, stopAccount(id, says, now()));
    }
    if (tried.outcome === "sent") {
      const end = { state: "sent", says: null, sentMs: now(), link: tried.link } as const;
      const all = { ...end, notes: [...notes, ...tried.notes] };
      await records.endDelivery(delivery, all, recordSentPost(id, now(), tried.restUntilMs));
      if (clip !== null) await needs.onClipShared(clip).catch((error) => needs.onFailure("clip", error));
      return;
    }
    const says = shorten(tried.says);
    const end =
      tried.outcome === "maybe"
        ? ({ state: "maybe", says: `${says} ${checkYourself}`, notes } as const)
        : ({ state: "failed", says } as const);
    return records.endDelivery(delivery, end, recordAccountError(id, says, now()));
  };
  const prepareMedia = async (
    delivery: Delivery,
    account: Account,
    stopSignal: AbortSignal,
  ): Promise<Prepared | string> => {
    if (delivery.attach !== "none") await records.writeProgress(enterDeliveryState(delivery.seq, "preparing"));
    try {
      const onShare = (share: number) => onProgress(delivery, share);
      const isLast = fitFailures >= fitAttemptsMax - 1 || delivery.bare === "agreed";
      const prepared = await prepare(delivery, account.limits, {
        ...needs,
        isLast,
        signal: stopSignal,
        onProgress: onShare,
      });
      fitFailures = 0;
      return prepared;
    } catch (error) {
      if (stopSignal.aborted) return "halted";
      fitFailures += 1;
      needs.onFailure("footage of a post", error);
      return `The ${delivery.attach} could not be converted${reasonOf(error)}`;
    } finally {
      onProgress(delivery, null);
    }
  };

  const send = async (
    delivery: Delivery,
    account: Account,
    access: Credentials,
    ready: ReadyMedia,
    stopSignal: AbortSignal,
  ) => {
    await records.writeProgress(enterDeliveryState(delivery.seq, "sending"));
    const onShare = (share: number) => onProgress(delivery, share);
    const post = outgoingPost(delivery, ready);
    const input = { network, credentials: access, delivery, post, stopSignal, onProgress: onShare };
    const answered = await attemptOnce({ ...needs, ...input, limits: account.limits, write: needs.storage.write });
    onProgress(delivery, null);
    const tried = hideSecrets(answered, createSecretHider(account.network, access));
    await retryUntilStored(() => recordResult(delivery, account, ready, tried), stopSignal, needs.onFailure);
  };

  return async (account, delivery, stopSignal) => {
    const { committedMs } = delivery;
    const again = (says: string) => retryLater(delivery, account, { says, notBeforeMs: null, committedMs });
    if (!isRepeatSafe(committedMs, network.idempotentForMs, now()))
      await records.endDelivery(delivery, { state: "maybe", says: requestUnanswered });
    else {
      const access = await needs.readCredentials(account.id).catch((error: Error) => error);
      if (access === undefined) await records.writeProgress(stopAccount(account.id, credentialsMissing, now()));
      else if (access instanceof Error) await again(`The credentials cannot be read. ${access.message}`);
      else {
        const prepared = await prepareMedia(delivery, account, stopSignal);
        if (prepared === "halted") await requeue(delivery);
        else if (typeof prepared === "string") await again(prepared);
        else if (prepared.is === "ready") await send(delivery, account, access, prepared, stopSignal);
        else if (prepared.is === "lacking")
          await records.endDelivery(delivery, { state: "failed", says: shorten(prepared.says), bare: "offered" });
        else {
          await requeue(delivery);
          return pendingRetryMs;
        }
      }
    }
    return 0;
  };
}

/** Retries until the result is stored. A forgotten result would send the post again. */
async function retryUntilStored(
  work: () => Promise<void>,
  stopSignal: AbortSignal,
  onFailure: DeliveryStepDeps["onFailure"],
): Promise<void> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (stopSignal.aborted) throw error;
      onFailure("delivery", error);
      await pauseFor(storageRetryMs, stopSignal);
    }
  }
}

function pauseFor(ms: number, stopSignal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms).unref();
  stopSignal.addEventListener("abort", () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}
