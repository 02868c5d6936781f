// Delivers approved posts, with one queue for each account.
import { randomUUIDv7 } from "node:crypto";
import { type BodyOf, KitError, type Network as NetworkKind, type settleDelivery } from "@kit/contract";
import { createSerialQueue } from "../../async/serial.ts";
import { type StepLoop, startStepLoop } from "../../async/step-loop.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import type { Statement } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import type { AccountChange, Accounts } from "../accounts/accounts.ts";
import type { Network } from "../networks/network.ts";
import {
  createDeliveryRecords,
  type DeliveryEnding,
  type DeliveryRecords,
  type DeliveryRecordsDeps,
  type UnfinishedDeliveries,
} from "./delivery-records.ts";
import { createDeliveryStep } from "./delivery-step.ts";
import {
  clearStoredSteps,
  type DeliveryEnd,
  requeueDelivery,
  resetDelivery,
  updatePostState,
} from "./delivery-store.ts";
import { createOutboxStore, type Delivery, type OutboxStore } from "./outbox-store.ts";
import { createPostRelease } from "./post-release.ts";
import type { FitMedia, FootageFile } from "./prepare-media.ts";
import { checkYourself, isRepeatSafe, requestUnanswered } from "./repeat-safety.ts";

type SettleDeps = Pick<DeliveryRecordsDeps, "stateReached" | "now" | "serialize" | "onReceipts"> & {
  readonly store: Pick<OutboxStore, "find">;
  readonly records: Pick<DeliveryRecords, "endDeliveryInTurn" | "writeProgress">;
  readonly isConnected: (account: string) => Promise<boolean>;
};

type SettledAs = BodyOf<typeof settleDelivery>["as"];

const settledEnd = (as: "sent" | "dropped", nowMs: number): DeliveryEnd =>
  as === "sent"
    ? { state: "sent", says: "You saw it there.", sentMs: nowMs }
    : { state: "dropped", says: "You gave it up." };

/** Settles a failed or uncertain delivery as a person decides: it arrived, it is sent again, or it is dropped. */
function createSettle({ store, records, stateReached, now, serialize, onReceipts, isConnected }: SettleDeps) {
  const sendAgain = async ({ seq, postSeq, eventSeq, account, name }: Delivery) => {
    if (!(await isConnected(account)))
      throw new KitError("payload_invalid", `${name} is not connected any more. Give this delivery up.`);
    const said: Statement = stateReached([{ seq: eventSeq }], "approved", "social", now(), `sent again to ${name}`);
    await records.writeProgress(resetDelivery(seq, randomUUIDv7()), updatePostState(postSeq, "sending"), said);
    onReceipts();
  };
  return (post: string, account: string, as: SettledAs): Promise<void> =>
    serialize(async () => {
      const delivery = await store.find(post, account);
      if (delivery === undefined) throw new KitError("not_found", "There is no such delivery.");
      if (delivery.state !== "maybe" && delivery.state !== "failed")
        throw new KitError("payload_invalid", `There is nothing to decide: the delivery is ${delivery.state}.`);
      if (as === "again") await sendAgain(delivery);
      else await records.endDeliveryInTurn(delivery, settledEnd(as, now()));
    });
}

/** Decides about deliveries that were running when the launcher crashed: continue them if a repeat is safe, else end as "maybe". */
function afterRestart(
  left: readonly Delivery[],
  networks: Readonly<Record<NetworkKind, Pick<Network, "idempotentForMs">>>,
  nowMs: number,
): UnfinishedDeliveries {
  const goesOn = ({ committedMs, network }: Delivery) =>
    isRepeatSafe(committedMs, networks[network].idempotentForMs, nowMs);
  return {
    endings: left
      .filter((delivery) => !goesOn(delivery))
      .map((delivery) => ({ delivery, end: { state: "maybe", says: requestUnanswered } })),
    requeued: left.filter(goesOn).map((delivery) => requeueDelivery(delivery.seq, delivery)),
  };
}

/** Ends the deliveries to a removed account. */
const afterAccountRemoved = (left: readonly Delivery[]): UnfinishedDeliveries => {
  const endOf = ({ committedMs }: Delivery): DeliveryEnding["end"] =>
    committedMs === null
      ? { state: "dropped", says: "The account was removed." }
      : { state: "maybe", says: `The account was removed while a request was running. ${checkYourself}` };
  return { endings: left.map((delivery) => ({ delivery, end: endOf(delivery) })), requeued: [] };
};

/** Ends deliveries that may have reached the previous account. A repeat would go to the new one. */
const afterAccountReplaced = (left: readonly Delivery[]): UnfinishedDeliveries => ({
  endings: left
    .filter(({ committedMs }) => committedMs !== null)
    .map((delivery) => ({ delivery, end: { state: "maybe", says: requestUnanswered } })),
  requeued: [],
});

const notifyEveryMs = 500;

/** Keeps the progress of running deliveries in memory, and notifies at intervals. */
function createProgress(onTold: () => void) {
  const shares = new Map<string, number>();
  let toldAtMs = Number.NEGATIVE_INFINITY;
  const keyOf = (post: string, account: string) => `${post} ${account}`;
  return {
    of: (post: string, account: string): number | null => shares.get(keyOf(post, account)) ?? null,
    /** Null means that nothing is running. */
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

export type OutboxDeps = Pick<DeliveryRecordsDeps, "stateReached" | "now" | "onChanged" | "onReceipts"> & {
  readonly storage: Pick<Storage, "read" | "write">;
  readonly accounts: Pick<Accounts, "all" | "readCredentials" | "setListener">;
  readonly networks: Readonly<Record<NetworkKind, Network>>;
  readonly outbound: Outbound;
  readonly footage: (event: string) => Promise<FootageFile>;
  readonly fit: FitMedia;
  /** Called when a clip was posted. */
  readonly onClipShared: (clip: string) => Promise<void>;
  readonly onFailure: (what: string, error: unknown) => void;
};

export type Outbox = {
  /** Continues the deliveries of an earlier run. */
  load(): Promise<void>;
  /** To be called when a post was approved or undone, or its footage is ready. Cheap to call for every change. */
  wake(): void;
  /** Returns the progress of a running delivery from 0 to 1, or null. */
  progressOf(post: string, account: string): number | null;
  settle(post: string, account: string, as: SettledAs): Promise<void>;
  /** Stops within seconds. The next start continues unfinished deliveries. */
  stop(): Promise<void>;
};

export function createOutbox(needs: OutboxDeps): Outbox {
  const { storage, accounts, networks, now, onChanged, onFailure } = needs;
  const store = createOutboxStore(storage);
  const serialize = createSerialQueue();
  const records = createDeliveryRecords({ ...needs, store, serialize });
  const progress = createProgress(() => onChanged("posts"));
  const queues = new Map<string, StepLoop>();
  let isStopped = false;

  const accountOf = async (id: string) => (await accounts.all()).find((account) => account.id === id);
  const startQueue = (id: string, kind: NetworkKind) => {
    if (isStopped || queues.has(id)) return;
    const { readCredentials } = accounts;
    const attempt = createDeliveryStep({
      ...needs,
      readCredentials,
      network: networks[kind],
      records,
      onProgress: progress.set,
    });
    const step = async (halt: AbortSignal) => {
      const account = await accountOf(id);
      if (account === undefined || !account.enabled || account.stopped !== null) return null;
      if (account.waitsUntil !== null) return Math.max(1, Date.parse(account.waitsUntil) - now());
      const delivery = await store.next(id);
      if (delivery === undefined) return null;
      const waitMs = (delivery.nextTryMs ?? 0) - now();
      return waitMs > 0 ? waitMs : attempt(account, delivery, halt);
    };
    queues.set(id, startStepLoop({ step, onFailure: (error) => onFailure("delivery", error) }));
  };
  const wakeAll = () => {
    for (const line of queues.values()) line.wake();
  };
  const release = createPostRelease({
    store,
    storage,
    now,
    onReleased() {
      onChanged("posts");
      wakeAll();
    },
    onFailure: (error) => onFailure("post", error),
  });
  /** Runs a task between two steps of the account's queue. */
  const runBetween = (id: string, work: () => Promise<void>) => queues.get(id)?.runBetween(work) ?? work();
  const onAccountChanged = async (id: string, { interruptsDelivery, mayBeOtherAccount }: AccountChange) => {
    const moveOn = () =>
      records.endAll(async () => afterAccountReplaced(await store.unfinishedOf(id)), clearStoredSteps(id));
    if (interruptsDelivery) await runBetween(id, mayBeOtherAccount ? moveOn : async () => undefined);
    const account = await accountOf(id);
    if (account !== undefined) startQueue(id, account.network);
    queues.get(id)?.wake();
  };
  const onAccountRemoved = async (id: string, gone: Statement) => {
    await runBetween(id, () => records.endAll(async () => afterAccountRemoved(await store.unfinishedOf(id)), gone));
    const line = queues.get(id);
    queues.delete(id);
    await line?.stop();
  };
  accounts.setListener({ onChanged: onAccountChanged, onRemoved: onAccountRemoved });
  const settle = createSettle({
    ...needs,
    store,
    records,
    serialize,
    isConnected: async (account) => (await accountOf(account)) !== undefined,
  });

  return {
    async load() {
      await records.endAll(async () => afterRestart(await store.underWay(), networks, now()));
      for (const { id, network } of await accounts.all()) startQueue(id, network);
      release.checkDue();
    },
    wake: release.checkDue,
    progressOf: progress.of,
    async settle(post, account, as) {
      await settle(post, account, as);
      queues.get(account)?.wake();
    },
    async stop() {
      isStopped = true;
      await Promise.all([release.stop(), ...[...queues.values()].map((line) => line.stop())]);
    },
  };
}
