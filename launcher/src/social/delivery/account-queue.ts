// Tells the outbox how to deliver posts to one account: prepares and sends a delivery, and records what came of it.
import { type Account, changeTexts, type Message, type MessageOrText, type Names } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Outbound } from "../../outbound/outbound.ts";
import { attemptOnce, type Destination, shortenMessage } from "../../outbox/index.ts";
import type { Storage } from "../../storage/storage.ts";
import { countSentPost, limitAccountBytes, storeLearned } from "../accounts/account-store.ts";
import type { Accounts } from "../accounts/accounts.ts";
import { accountCredentialsMissing, createSecretHider } from "../accounts/credentials.ts";
import type { AttemptContext, Credentials, Network, OutgoingPost } from "../networks/network.ts";
import type { FootageOwner } from "../posts/post-footage.ts";
import { postTitle } from "../rules/template.ts";
import { attachmentName } from "../text-fit.ts";
import type { DeliveryRecords } from "./delivery-records.ts";
import {
  type Delivery,
  type DeliveryStore,
  enterDeliveryState,
  limitDeliveryBytes,
  markDeliveryCommitted,
  requeueDelivery,
  storeDeliverySteps,
} from "./delivery-store.ts";
import {
  type ClipParts,
  errorDetail,
  type FitMedia,
  type FootageFile,
  megabytes,
  type PreparedMedia,
  prepareFootage,
} from "./prepare-media.ts";

/** Maximum attempts to make a copy that fits. Few, because encoding slows a running game down. */
const fitAttemptsMax = 3;
const pendingRetryMs = 2_000;

/** Adds what a person can do about a post that may have arrived. */
export const withAdviceToCheck = (says: MessageOrText): Message =>
  message("join.sentences", { first: says, second: message("delivery.may_have_arrived") });

export type AccountQueueDeps = {
  readonly accounts: Pick<Accounts, "all" | "readCredentials" | "learned">;
  readonly network: Network;
  readonly names: Names;
  readonly store: Pick<DeliveryStore, "next">;
  readonly storage: Pick<Storage, "write">;
  readonly records: Pick<DeliveryRecords, "endDelivery" | "writeProgress">;
  readonly outbound: Outbound;
  readonly footage: (post: FootageOwner) => Promise<FootageFile>;
  readonly parts: ClipParts;
  readonly fit: FitMedia;
  /** Called when a clip was posted. */
  readonly onClipShared: (clip: string) => Promise<void>;
  readonly now: () => number;
  /** Called with the progress of the running upload or encoding from 0 to 1, or with null when none is running. */
  readonly onProgress: (delivery: Delivery, share: number | null) => void;
  readonly onFailure: (what: string, error: unknown) => void;
};

type ReadyMedia = Extract<PreparedMedia, { is: "ready" }>;
type Details = Pick<ReadyMedia, "notes" | "clip"> & {
  readonly link?: string | null;
  /** The network refused a smaller copy too. */
  readonly isRefusedTwice?: boolean;
};

/** Returns the size of the copy to make after the network refused a file as too large. */
const smallerThan = (bytes: number, { smallerBytes }: Network): number =>
  smallerBytes !== undefined && smallerBytes < bytes ? smallerBytes : Math.floor(bytes / 2);

/** Names of errors whose messages are sentences for people. */
const readableErrors: ReadonlySet<string> = new Set(["DiskNearlyFull", "FfmpegFailed", "VerifyFailed"]);

function notConverted({ attach }: Delivery, error: unknown): Message {
  const attachment = attachmentName(attach);
  if (!(error instanceof Error && readableErrors.has(error.name)))
    return message("delivery.not_converted", { attachment });
  const detail = errorDetail(error);
  const problem = typeof detail === "string" ? detail.replace(/\.?$/, ".") : detail;
  return message("delivery.not_converted_because", { attachment, problem });
}

const keptInDemo = { outcome: "sent", link: null, notes: [], restUntilMs: null } as const;

function outgoingPost(delivery: Delivery, { media }: ReadyMedia, names: Names): OutgoingPost {
  const title = postTitle(delivery, names);
  const { key, text, contentWarning, altText, visibility } = delivery;
  const { post, event, eventId, game, happenedMs: atMs } = delivery;
  return { key, title, text, contentWarning, altText, visibility, media, source: { post, event, eventId, game, atMs } };
}

function refusedTwice({ attach, bytesMax }: Delivery, problem: Message, details: Details) {
  const refused = message("delivery.too_large_again", { problem, size: megabytes(bytesMax ?? 0) });
  const attachment = attachmentName(attach);
  const says = message("delivery.nothing_posted_without", { problem: refused, attachment });
  return { outcome: "refused", says, details: { ...details, isRefusedTwice: true } } as const;
}

type RecordArguments = Parameters<Destination<Delivery, Credentials, Details>["record"]>;

async function recordOutcome(
  account: string,
  { records, now, onClipShared, onFailure }: AccountQueueDeps,
  ...[delivery, settled, destination]: RecordArguments
): Promise<void> {
  const { details, ...result } = settled;
  const { notes = [], clip = null, link = null, isRefusedTwice = false } = details ?? {};
  if (result.outcome === "later" || result.outcome === "stopped") {
    const { committedMs } = delivery;
    const again = { nextTryMs: null, failingMs: null, committedMs, ...result };
    return records.writeProgress(requeueDelivery(delivery.seq, again), ...destination);
  }
  if (result.outcome === "refused" && isRefusedTwice) {
    const end = { state: "failed", says: result.says, bare: "offered" } as const;
    return records.endDelivery(delivery, end, limitDeliveryBytes(delivery.seq, 0), ...destination);
  }
  if (result.outcome === "refused")
    return records.endDelivery(delivery, { state: "failed", says: result.says }, ...destination);
  if (result.outcome === "maybe") {
    const says = withAdviceToCheck(result.says);
    return records.endDelivery(delivery, { state: "maybe", says, notes }, ...destination);
  }
  const end = { state: "sent", says: null, sentMs: now(), link, notes } as const;
  // Nothing is counted as posted, or shown as shared, that nobody else can see.
  const counted = delivery.demo ? [] : [countSentPost(account, now())];
  await records.endDelivery(delivery, end, ...counted, ...destination);
  if (clip !== null && !delivery.demo) await onClipShared(clip).catch((error) => onFailure("clip", error));
}

export function createAccountQueue(id: string, needs: AccountQueueDeps): Destination<Delivery, Credentials, Details> {
  const { accounts, network, records, outbound, now, onProgress } = needs;
  const { write } = needs.storage;
  let fitFailures = 0;

  const prepareMedia = async (
    delivery: Delivery,
    { limits }: Account,
    signal: AbortSignal,
  ): Promise<PreparedMedia | { readonly is: "halted" } | { readonly is: "failed"; readonly says: Message }> => {
    if (delivery.attach !== "none") await records.writeProgress(enterDeliveryState(delivery.seq, "preparing"));
    try {
      const isLast = fitFailures >= fitAttemptsMax - 1 || delivery.bare === "agreed";
      const onShare = (share: number) => onProgress(delivery, share);
      const prepared = await prepareFootage(delivery, limits, { ...needs, isLast, signal, onProgress: onShare });
      fitFailures = 0;
      return prepared;
    } catch (error) {
      if (signal.aborted) return { is: "halted" };
      fitFailures += 1;
      needs.onFailure("footage of a post", error);
      return { is: "failed", says: notConverted(delivery, error) };
    } finally {
      onProgress(delivery, null);
    }
  };
  const send = async (
    delivery: Delivery,
    { limits }: Account,
    access: Credentials,
    ready: ReadyMedia,
    stopSignal: AbortSignal,
  ) => {
    const { seq, committedMs, stored } = delivery;
    const { idempotentForMs } = network;
    await records.writeProgress(enterDeliveryState(seq, "sending"));
    const post = outgoingPost(delivery, ready, needs.names);
    const learned = await accounts.learned(id);
    let isTooLarge = false;
    const result = await attemptOnce({
      send: async (markCommitted, signal) => {
        const store: AttemptContext["store"] = (more) => write(storeDeliverySteps(seq, more));
        const onShare = (share: number) => onProgress(delivery, share);
        const learn: AttemptContext["learn"] = (more) => write(storeLearned(id, more));
        const context = { outbound, now, markCommitted, signal, stored, store, learned, learn, onProgress: onShare };
        // Nobody gets what the demo posts.
        const answer = delivery.demo ? keptInDemo : await network.send(access, post, limits, context);
        isTooLarge = "isTooLarge" in answer;
        return answer;
      },
      mark: { committedMs, idempotentForMs, write: (atMs) => write(markDeliveryCommitted(seq, atMs)) },
      now,
      stopSignal,
    });
    onProgress(delivery, null);
    if (result.outcome === "halted") return result;
    // Hides credentials, because a server may repeat them in its messages.
    const hide = createSecretHider(network.kind, access);
    const { notes, clip, media } = ready;
    if (result.outcome === "refused" && isTooLarge && media !== null) {
      const says = changeTexts(result.says, hide);
      if (delivery.bytesMax === null)
        return { outcome: "smaller", bytesMax: smallerThan(media.bytes, network), kind: media.kind } as const;
      return refusedTwice(delivery, says, { notes, clip });
    }
    if (result.outcome !== "sent") return { ...result, says: changeTexts(result.says, hide), details: { notes, clip } };
    const link = result.link && hide(result.link);
    return {
      ...result,
      details: { notes: [...notes, ...result.notes.map((note) => changeTexts(note, hide))], clip, link },
    };
  };

  return {
    says: {
      missing: accountCredentialsMissing,
      unreadable: (problem) => message("account.credentials_not_read", { problem }),
    },
    idempotentForMs: network.idempotentForMs,
    next: () => needs.store.next(id),
    open: () => accounts.readCredentials(id),
    async attempt(delivery, access, stopSignal) {
      const account = (await accounts.all()).find((each) => each.id === id);
      if (account === undefined) return 0;
      const { seq } = delivery;
      const prepared = await prepareMedia(delivery, account, stopSignal);
      if (prepared.is === "ready") {
        const result = await send(delivery, account, access, prepared, stopSignal);
        if (result.outcome === "smaller") {
          // Kept on disk, so that a smaller copy is made once, even after a restart, and the next clip begins with one. A picture
          // that is too large says nothing about clips.
          const { bytesMax, kind } = result;
          const ofAccount = kind === "clip" ? [limitAccountBytes(id, bytesMax, now())] : [];
          await records.writeProgress(requeueDelivery(seq, delivery), limitDeliveryBytes(seq, bytesMax), ...ofAccount);
          return 0;
        }
        if (result.outcome !== "halted") return result;
      }
      if (prepared.is === "failed")
        return { outcome: "later", says: prepared.says, notBeforeMs: null, committedMs: delivery.committedMs };
      if (prepared.is === "lacking")
        await records.endDelivery(delivery, { state: "failed", says: shortenMessage(prepared.says), bare: "offered" });
      else await records.writeProgress(requeueDelivery(delivery.seq, delivery));
      return prepared.is === "pending" ? pendingRetryMs : 0;
    },
    record: (delivery, settled, destination) => recordOutcome(id, needs, delivery, settled, destination),
  };
}
