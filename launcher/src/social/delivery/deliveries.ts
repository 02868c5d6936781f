// Delivers approved posts, with one queue for each account.
import { randomUUIDv7 } from "node:crypto";
import { type BodyOf, KitError, type Network as NetworkKind, payloadInvalid, type settleDelivery } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { createSerialQueue, type StepLoop, startStepLoop } from "../../async.ts";
import { createOutbox, isRepeatSafe, requestUnanswered } from "../../outbox/index.ts";
import type { Statement } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import type { AccountChange, Accounts } from "../accounts/accounts.ts";
import type { Network } from "../networks/network.ts";
import { receiptOwner } from "../posts/receipts.ts";
import { type AccountQueueDeps, createAccountQueue, withAdviceToCheck } from "./account-queue.ts";
import { createDeliveryRecords, type DeliveryRecordsDeps, postStateOf } from "./delivery-records.ts";
import {
  clearStoredSteps,
  createDeliveryStore,
  type Delivery,
  type DeliveryEnd,
  releasePost,
  resetDelivery,
  updatePostState,
} from "./delivery-store.ts";

type SettledAs = BodyOf<typeof settleDelivery>["as"];

const settledEnd = (as: "sent" | "dropped", nowMs: number): DeliveryEnd =>
  as === "sent"
    ? { state: "sent", says: message("delivery.seen"), sentMs: nowMs }
    : { state: "dropped", says: message("delivery.given_up") };

const unanswered: DeliveryEnd = { state: "maybe", says: withAdviceToCheck(requestUnanswered) };

/** Returns the end of a delivery whose account is removed. */
const endOfRemoved = ({ committedMs }: Delivery): DeliveryEnd =>
  committedMs === null
    ? { state: "dropped", says: message("delivery.account_removed") }
    : { state: "maybe", says: withAdviceToCheck(message("delivery.account_removed_while_sending")) };

const notifyEveryMs = 500;

/** Keeps the progress of running deliveries in memory, and calls `onTold` at intervals while the progress changes. */
function createProgress(onTold: () => void) {
  const shares = new Map<string, number>();
  let toldAtMs = Number.NEGATIVE_INFINITY;
  const keyOf = (post: string, account: string) => `${post} ${account}`;
  return {
    of: (post: string, account: string): number | null => shares.get(keyOf(post, account)) ?? null,
    /** `share` is null when nothing is running any more. */
    set({ post, account }: Pick<Delivery, "post" | "account">, share: number | null): void {
      const key = keyOf(post, account);
      if (share === null) return void shares.delete(key);
      shares.set(key, Math.min(1, Math.max(0, share)));
      if (performance.now() - toldAtMs < notifyEveryMs) return;
      toldAtMs = performance.now();
      onTold();
    },
  };
}

export type DeliveriesDeps = Pick<DeliveryRecordsDeps, "stateReached" | "onChanged" | "onReceipts"> &
  Pick<AccountQueueDeps, "outbound" | "names" | "footage" | "parts" | "fit" | "onClipShared" | "now" | "onFailure"> & {
    readonly storage: Pick<Storage, "read" | "write">;
    readonly accounts: Pick<Accounts, "all" | "readCredentials" | "learned" | "setListener">;
    readonly networks: Readonly<Record<NetworkKind, Network>>;
  };

export type Deliveries = {
  /** Continues the deliveries that the previous run left. */
  load(): Promise<void>;
  /**
   * To be called when a post was approved, its approval was undone, or its footage is ready. Cheap, so any change may call
   * it.
   */
  wake(): void;
  /** Returns the progress of a running delivery from 0 to 1, or null. */
  progressOf(post: string, account: string): number | null;
  /** Settles a failed delivery, or one that may have arrived, as a person decides: it did arrive, send it again, or give up. */
  settle(post: string, account: string, as: SettledAs): Promise<void>;
  /** Interrupts running deliveries, which takes seconds. The next start continues them. */
  stop(): Promise<void>;
};

export function createDeliveries(needs: DeliveriesDeps): Deliveries {
  const { storage, accounts, networks, stateReached, now, onChanged, onReceipts } = needs;
  const store = createDeliveryStore(storage);
  const serialize = createSerialQueue();
  const records = createDeliveryRecords({ ...needs, store, serialize });
  const progress = createProgress(() => onChanged("posts"));
  const onFailure = (error: unknown) => needs.onFailure("delivery", error);
  const outbox = createOutbox({ table: "account", storage, write: records.writeProgress, now, onFailure });
  let release: StepLoop | undefined;

  const accountOf = async (id: string) => (await accounts.all()).find((account) => account.id === id);
  const startQueue = (id: string, kind: NetworkKind) => {
    const rest = { network: networks[kind], store, records, onProgress: progress.set };
    outbox.start(id, createAccountQueue(id, { ...needs, ...rest }));
  };
  /** Starts approved posts whose undo time is over and that wait for no footage. Returns in how many ms the next one is due. */
  const releaseDue = async (): Promise<number | null> => {
    const due = await store.duePosts(now());
    for (const postSeq of due) {
      // If all its accounts were removed, the post has nothing to send and ends at once.
      const over = postStateOf(await store.ofPost(postSeq));
      await storage.write(releasePost(postSeq, over ?? "sending", now()));
    }
    if (due.length > 0) {
      onChanged("posts");
      outbox.wake();
      return 0;
    }
    const nextMs = await store.nextDueMs();
    return nextMs === null ? null : Math.max(1, nextMs - now());
  };
  const onAccountChanged = async (id: string, { interruptsDelivery, mayBeOtherAccount }: AccountChange) => {
    // A delivery that may have reached the previous account ends, because a repeat would go to the new account.
    const endOf = ({ committedMs }: Delivery) => (committedMs === null ? undefined : unanswered);
    const moveOn = () => records.endAll(() => store.unfinishedOf(id), endOf, clearStoredSteps(id));
    if (interruptsDelivery) await outbox.runBetween(id, mayBeOtherAccount ? moveOn : async () => undefined);
    const account = await accountOf(id);
    if (account !== undefined) startQueue(id, account.network);
    outbox.wake(id);
  };
  const onAccountRemoved = async (id: string, gone: Statement) => {
    await outbox.runBetween(id, () => records.endAll(() => store.unfinishedOf(id), endOfRemoved, gone));
    await outbox.remove(id);
  };
  accounts.setListener({ onChanged: onAccountChanged, onRemoved: onAccountRemoved });
  const sendAgain = async ({ seq, postSeq, eventSeq, account, name }: Delivery) => {
    if ((await accountOf(account)) === undefined)
      throw payloadInvalid(message("delivery.not_connected", { account: name }));
    const why = message("post.sent_again", { account: name });
    const said = stateReached(receiptOwner(eventSeq), "approved", "social", now(), why);
    await records.writeProgress(resetDelivery(seq, randomUUIDv7()), updatePostState(postSeq, "sending"), said);
    onReceipts();
  };
  const settle: Deliveries["settle"] = async (post, account, as) => {
    const delivery = await store.find(post, account);
    if (delivery === undefined) throw new KitError("not_found", message("delivery.unknown"));
    if (delivery.state !== "maybe" && delivery.state !== "failed")
      throw payloadInvalid(message("delivery.nothing_to_decide", { state: delivery.state }));
    if (as === "again") await sendAgain(delivery);
    else await records.endDeliveryInTurn(delivery, settledEnd(as, now()));
    outbox.wake(account);
  };
  /** Returns how a delivery ends that was running when the launcher crashed; undefined if it can be repeated safely. */
  const endOfCrashed = ({ committedMs, network }: Delivery) =>
    isRepeatSafe(committedMs, networks[network].idempotentForMs, now()) ? undefined : unanswered;

  return {
    async load() {
      await records.endAll(store.underWay, endOfCrashed);
      for (const { id, network } of await accounts.all()) startQueue(id, network);
      release = startStepLoop({ step: releaseDue, onFailure: (error) => needs.onFailure("post", error) });
    },
    wake: () => release?.wake(),
    progressOf: progress.of,
    settle: (post, account, as) => serialize(() => settle(post, account, as)),
    async stop() {
      await Promise.all([release?.stop(), outbox.stop()]);
    },
  };
}
