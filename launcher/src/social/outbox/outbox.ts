// Sends approved posts: each delivery in its account's line, marked before it goes out, told as it was answered.
import { randomUUIDv7 } from "node:crypto";
import { type BodyOf, KitError, type Network as NetworkKind, type settleDelivery } from "@kit/contract";
import { createSerialQueue } from "../../async/serial.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import type { Statement } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import type { AccountChange, Accounts } from "../accounts/accounts.ts";
import type { Network } from "../networks/network.ts";
import { createAttempt } from "./attempt.ts";
import { type Line, startLine } from "./line.ts";
import { createOutboxStore, type Delivery, type OutboxStore } from "./outbox-store.ts";
import type { Fit, FootageFile } from "./prepare.ts";
import { createRecords, type Ending, type Left, type Records, type RecordsNeeds } from "./records.ts";
import { createRelease } from "./release.ts";
import { checkYourself, mayRepeat, unanswered } from "./repeats.ts";
import { anew, begunElsewhere, type End, postReached, waitsAgain } from "./step-store.ts";

type SettleNeeds = Pick<RecordsNeeds, "stateReached" | "now" | "serialize" | "onReceipts"> & {
  readonly store: Pick<OutboxStore, "find">;
  readonly records: Pick<Records, "endedInTurn" | "moved">;
  readonly isConnected: (account: string) => Promise<boolean>;
};

type SettledAs = BodyOf<typeof settleDelivery>["as"];

const endOf = (as: "sent" | "dropped", nowMs: number): End =>
  as === "sent"
    ? { state: "sent", says: "You saw it there.", sentMs: nowMs }
    : { state: "dropped", says: "You gave it up." };

/**
 * What a person decides on a delivery that may have arrived or has failed: it arrived, it is sent again, or it is given up.
 */
function createSettle({ store, records, stateReached, now, serialize, onReceipts, isConnected }: SettleNeeds) {
  const again = async ({ seq, postSeq, eventSeq, account, name }: Delivery) => {
    if (!(await isConnected(account)))
      throw new KitError("payload_invalid", `${name} is not connected any more. Give this delivery up.`);
    const said: Statement = stateReached([{ seq: eventSeq }], "approved", "social", now(), `sent again to ${name}`);
    await records.moved(anew(seq, randomUUIDv7()), postReached(postSeq, "sending"), said);
    onReceipts();
  };
  return (post: string, account: string, as: SettledAs): Promise<void> =>
    serialize(async () => {
      const delivery = await store.find(post, account);
      if (delivery === undefined) throw new KitError("not_found", "There is no such delivery.");
      if (delivery.state !== "maybe" && delivery.state !== "failed")
        throw new KitError("payload_invalid", `There is nothing to decide: the delivery is ${delivery.state}.`);
      if (as === "again") await again(delivery);
      else await records.endedInTurn(delivery, endOf(as, now()));
    });
}

// What becomes of deliveries whose account or launcher ended: they go on where that makes no second post, else a person looks.

/** Of what a launcher left under way that was not stopped. */
function leftUnderWay(
  left: readonly Delivery[],
  networks: Readonly<Record<NetworkKind, Pick<Network, "repeatsForMs">>>,
  nowMs: number,
): Left {
  const goesOn = ({ committedMs, network }: Delivery) => mayRepeat(committedMs, networks[network].repeatsForMs, nowMs);
  return {
    endings: left
      .filter((delivery) => !goesOn(delivery))
      .map((delivery) => ({ delivery, end: { state: "maybe", says: unanswered } })),
    goingOn: left.filter(goesOn).map((delivery) => waitsAgain(delivery.seq, delivery)),
  };
}

/** Of what waits for an account that was removed. */
const leftByAccount = (left: readonly Delivery[]): Left => {
  const endOf = ({ committedMs }: Delivery): Ending["end"] =>
    committedMs === null
      ? { state: "dropped", says: "Its account was removed." }
      : { state: "maybe", says: `Its account was removed while a request was out. ${checkYourself}` };
  return { endings: left.map((delivery) => ({ delivery, end: endOf(delivery) })), goingOn: [] };
};

/** Of what was begun with the account that was there before: a repeat goes to another one, and is no repeat. */
const leftElsewhere = (left: readonly Delivery[]): Left => ({
  endings: left
    .filter(({ committedMs }) => committedMs !== null)
    .map((delivery) => ({ delivery, end: { state: "maybe", says: unanswered } })),
  goingOn: [],
});

const tellEveryMs = 500;

/** How much of each delivery under way is done: in memory only, and told now and then. */
function createProgress(onTold: () => void) {
  const shares = new Map<string, number>();
  let toldAtMs = Number.NEGATIVE_INFINITY;
  const keyOf = (post: string, account: string) => `${post} ${account}`;
  return {
    of: (post: string, account: string): number | null => shares.get(keyOf(post, account)) ?? null,
    /** null: nothing of it is under way. */
    set({ post, account }: Pick<Delivery, "post" | "account">, share: number | null): void {
      const key = keyOf(post, account);
      if (share === null) return void shares.delete(key);
      shares.set(key, Math.min(1, Math.max(0, share)));
      if (performance.now() - toldAtMs < tellEveryMs) return;
      toldAtMs = performance.now();
      onTold();
    },
  };
}

export type OutboxNeeds = Pick<RecordsNeeds, "stateReached" | "now" | "onChanged" | "onReceipts"> & {
  readonly storage: Pick<Storage, "read" | "write">;
  readonly accounts: Pick<Accounts, "all" | "accessOf" | "sendBy">;
  readonly networks: Readonly<Record<NetworkKind, Network>>;
  readonly reach: Outbound;
  readonly footage: (event: string) => Promise<FootageFile>;
  readonly fit: Fit;
  /** Somebody was shown that clip. */
  readonly shared: (clip: string) => Promise<void>;
  readonly onFailure: (what: string, error: unknown) => void;
};

export type Outbox = {
  /** Goes on with what an earlier launcher left. */
  load(): Promise<void>;
  /** A post was approved or taken back, or its footage came. Cheap to call for every change. */
  wake(): void;
  /** Of a delivery that is prepared or sent: how much of it is done. */
  progressOf(post: string, account: string): number | null;
  settle(post: string, account: string, as: SettledAs): Promise<void>;
  /** Within seconds: what is not out yet is left for the next start. */
  stop(): Promise<void>;
};

export function createOutbox(needs: OutboxNeeds): Outbox {
  const { storage, accounts, networks, now, onChanged, onFailure } = needs;
  const store = createOutboxStore(storage);
  const serialize = createSerialQueue();
  const records = createRecords({ ...needs, store, serialize });
  const progress = createProgress(() => onChanged("posts"));
  const lines = new Map<string, Line>();
  let isStopped = false;

  const accountOf = async (id: string) => (await accounts.all()).find((account) => account.id === id);
  const open = (id: string, kind: NetworkKind) => {
    if (isStopped || lines.has(id)) return;
    const { accessOf } = accounts;
    const attempt = createAttempt({ ...needs, accessOf, network: networks[kind], records, onProgress: progress.set });
    const step = async (halt: AbortSignal) => {
      const account = await accountOf(id);
      if (account === undefined || !account.enabled || account.stopped !== null) return null;
      if (account.waitsUntil !== null) return Math.max(1, Date.parse(account.waitsUntil) - now());
      const delivery = await store.next(id);
      if (delivery === undefined) return null;
      const waitMs = (delivery.nextTryMs ?? 0) - now();
      return waitMs > 0 ? waitMs : attempt(account, delivery, halt);
    };
    lines.set(id, startLine({ step, onFailure: (error) => onFailure("delivery", error) }));
  };
  const wakeAll = () => {
    for (const line of lines.values()) line.wake();
  };
  const release = createRelease({
    store,
    storage,
    now,
    onReleased() {
      onChanged("posts");
      wakeAll();
    },
    onFailure: (error) => onFailure("post", error),
  });
  /** Before its line goes on. */
  const between = (id: string, work: () => Promise<void>) => lines.get(id)?.between(work) ?? work();
  const changed = async (id: string, { interrupts, isOther }: AccountChange) => {
    const moveOn = () => records.all(async () => leftElsewhere(await store.unendedOf(id)), begunElsewhere(id));
    if (interrupts) await between(id, isOther ? moveOn : async () => undefined);
    const account = await accountOf(id);
    if (account !== undefined) open(id, account.network);
    lines.get(id)?.wake();
  };
  const parted = async (id: string, gone: Statement) => {
    await between(id, () => records.all(async () => leftByAccount(await store.unendedOf(id)), gone));
    const line = lines.get(id);
    lines.delete(id);
    await line?.stop();
  };
  accounts.sendBy({ changed, parted });
  const settle = createSettle({
    ...needs,
    store,
    records,
    serialize,
    isConnected: async (account) => (await accountOf(account)) !== undefined,
  });

  return {
    async load() {
      await records.all(async () => leftUnderWay(await store.left(), networks, now()));
      for (const { id, network } of await accounts.all()) open(id, network);
      release.look();
    },
    wake: release.look,
    progressOf: progress.of,
    async settle(post, account, as) {
      await settle(post, account, as);
      lines.get(account)?.wake();
    },
    async stop() {
      isStopped = true;
      await Promise.all([release.stop(), ...[...lines.values()].map((line) => line.stop())]);
    },
  };
}
