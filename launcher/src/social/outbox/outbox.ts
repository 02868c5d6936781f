// Sends approved posts: each delivery in its account's line, marked before it goes out, told as it was answered.
import type { Network as NetworkKind } from "@kit/contract";
import type { Reach } from "../../reach/reach.ts";
import type { Statement } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import type { AccountChange, Accounts } from "../accounts/accounts.ts";
import type { Network } from "../networks/network.ts";
import { createTurns } from "../turns.ts";
import { createAttempt } from "./attempt.ts";
import { leftByAccount, leftElsewhere, leftUnderWay } from "./left.ts";
import { type Line, startLine } from "./line.ts";
import { createOutboxStore } from "./outbox-store.ts";
import type { Fit, FootageFile } from "./prepare.ts";
import { createProgress } from "./progress.ts";
import { createRecords, type RecordsNeeds } from "./records.ts";
import { createRelease } from "./release.ts";
import { createSettle, type SettledAs } from "./settle.ts";
import { begunElsewhere } from "./step-store.ts";

export type OutboxNeeds = Pick<RecordsNeeds, "stateReached" | "now" | "onChanged" | "onReceipts"> & {
  readonly storage: Pick<Storage, "read" | "write">;
  readonly accounts: Pick<Accounts, "all" | "accessOf" | "sendBy">;
  readonly networks: Readonly<Record<NetworkKind, Network>>;
  readonly reach: Reach;
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
  const inTurn = createTurns();
  const records = createRecords({ ...needs, store, inTurn });
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
    ...{ store, storage, now },
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
    ...{ store, records, inTurn },
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
