// Runs the outbox on a real database with real accounts and a scripted network.
import { randomUUIDv7 } from "node:crypto";
import {
  type Account,
  type AccountCheck,
  type AccountLimits,
  createNames,
  type DeliveryState,
  networks as kinds,
  type Message,
  type MessageOrText,
  type Network as NetworkKind,
  networkDescriptions,
  type PostState,
  textOf,
} from "@kit/contract";
import { insertReceiptState } from "../../src/inbox/inbox-store.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import { type Accounts, createAccounts } from "../../src/social/accounts/accounts.ts";
import { createDeliveries, type Deliveries, type DeliveriesDeps } from "../../src/social/delivery/deliveries.ts";
import type { FootageFile } from "../../src/social/delivery/prepare-media.ts";
import type { AttemptContext, Network, OutgoingPost, SendOutcome } from "../../src/social/networks/network.ts";
import { fromMessageColumn, type Row, type Statement, sql } from "../../src/storage/sql.ts";
import { secretsInMemory } from "../support/secrets-in-memory.ts";
import { openStorageFolder, type StorageFolder } from "../support/storage-folder.ts";
import { until } from "../support/until.ts";

export const beganMs = Date.UTC(2026, 4, 3, 10, 20, 30);

/** A message of a network. */
export const saying = (text: string): Message => ({ text, code: "test" });

/** The behaviour of an attempt. Without one, the post is sent. */
export type Scripted = (post: OutgoingPost, needs: AttemptContext) => Promise<SendOutcome>;
export type Seen = {
  readonly post: OutgoingPost;
  readonly atMs: number;
  readonly remembered: AttemptContext["stored"];
  readonly learned: AttemptContext["learned"];
};

export const sent: SendOutcome = { outcome: "sent", link: "https://example.com/1", restUntilMs: null, notes: [] };
/** Marks the request as committed; `then` gives its result. */
export const afterCommitting =
  (then: () => SendOutcome | Promise<SendOutcome>): Scripted =>
  async (_, { markCommitted: committing }) => {
    await committing();
    return then();
  };
/** No answer arrives. */
export const noAnswer = afterCommitting(() => Promise.reject(Object.assign(new Error("gone"), { code: "ECONNRESET" })));

export type ScriptedNetwork = Omit<Network, "limits"> & {
  readonly seen: Seen[];
  /** One entry for each attempt, in this order. */
  script: Scripted[];
  checkOutcome: SendOutcome;
  /** What connecting an account checks. */
  checked: readonly AccountCheck[];
  /** Limits of the accounts that are connected from now on. */
  limits: AccountLimits;
};

const limits = {
  textMax: 2_000,
  counts: "characters",
  imageBytesMax: 10_000,
  videoBytesMax: 10_000,
  videoSecondsMax: null,
  videoPixelsMax: null,
  videoFrameRateMax: null,
  altTextMax: 1_000,
  visibility: false,
  contentWarning: false,
} as const;

function scriptedNetwork(kind: NetworkKind, repeatsForMs: number, now: () => number): ScriptedNetwork {
  const network: ScriptedNetwork = {
    kind,
    messages: {},
    limits,
    linkIsAccount: false,
    idempotentForMs: repeatsForMs,
    seen: [],
    script: [],
    checkOutcome: sent,
    checked: [],
    textLength: ({ text }) => text.length,
    compose: (text) => text,
    async connect(given) {
      const name = given.url ?? "";
      return {
        credentials: given,
        shown: { name, host: "example.com", link: null, limits: network.limits },
        checked: network.checked,
      };
    },
    checkAccount: async () => ({
      shown: { name: "", host: "example.com", link: null, limits: { ...limits, textMax: 99 } },
      checked: [],
      outcome: network.checkOutcome,
    }),
    async send(_, post, __, needs) {
      network.seen.push({ post, atMs: now(), remembered: needs.stored, learned: needs.learned });
      const next = network.script.shift() ?? afterCommitting(() => sent);
      return next(post, needs);
    },
  };
  return network;
}

const scriptedParts = (cuts: string[]): DeliveriesDeps["parts"] => ({
  async video(clip, { fromSeconds, toSeconds }) {
    const path = `${clip} ${fromSeconds}-${toSeconds}`;
    cuts.push(path);
    return { path, bytes: 500, seconds: toSeconds - fromSeconds, width: 640, height: 360 };
  },
  picture: async (clip, atSeconds) => `${clip} at ${atSeconds}`,
});

const savedFootage: FootageFile = {
  state: "saved",
  id: "clip-1",
  kind: "clip",
  path: "/clips/1.mp4",
  bytes: 900,
  seconds: 12,
  width: 640,
  height: 360,
  poster: "/posters/1.jpg",
  momentPart: null,
  pictureSeconds: null,
};

export type DeliveryRow = {
  readonly state: DeliveryState;
  readonly says: string | null;
  readonly tries: number;
  readonly committedMs: number | null;
  readonly nextTryMs: number | null;
  readonly link: string | null;
  readonly notes: readonly string[];
  readonly key: string;
};

export type OutboxFolder = {
  readonly folder: StorageFolder;
  readonly clock: { ms: number };
  readonly networks: Readonly<Record<NetworkKind, ScriptedNetwork>>;
  readonly secrets: Map<string, string>;
  readonly failures: unknown[];
  readonly shared: string[];
  /** Arguments of each call of `fit`. */
  readonly fitted: { path: string; bytesMax: number }[];
  accounts: Accounts;
  outbox: Deliveries;
  footage: FootageFile;
  /** Where the parts are that were cut, as `clip from-to`. */
  readonly cuts: string[];
  fit: DeliveriesDeps["fit"];
  /** Connects an account with this name. */
  account(name: string, network?: NetworkKind, demo?: boolean): Promise<string>;
  /** Creates an approved post for these accounts. Returns its id. */
  approve(accounts: readonly string[], wanted?: Partial<Wanted>): Promise<string>;
  delivery(post: string, account: string): Promise<DeliveryRow>;
  /** The delivery, once it has this state. */
  deliveryIs(post: string, account: string, state: DeliveryState): Promise<DeliveryRow>;
  post(post: string): Promise<PostState>;
  /** The newest state of the receipt with its reason. */
  receipt(post: string): Promise<string>;
  accountIs(id: string, expected: (account: Account) => boolean): Promise<Account>;
  /** Advances the clock and wakes all queues. */
  advance(ms: number): Promise<void>;
  /** Waits until every queue has checked for work and done it. */
  idle(): Promise<void>;
  /** Starts another launcher with the same data; `killed` means that the earlier one did not stop. */
  restart(killed?: boolean): Promise<void>;
  read(statement: Statement): Promise<readonly Row[]>;
  [Symbol.asyncDispose](): Promise<void>;
};

export type Wanted = {
  readonly text: string;
  readonly attach: "clip" | "screenshot" | "none";
  readonly without: "ask" | "post";
  readonly footage: "none" | "pending" | "ready" | "missing";
  readonly undoMs: number;
  readonly part: { readonly fromSeconds: number; readonly toSeconds: number };
  readonly state: "draft" | "approved";
};

export type OutboxStart = { readonly repeatsForMs?: Partial<Record<NetworkKind, number>> };

export async function openOutboxFolder({ repeatsForMs = {} }: OutboxStart = {}): Promise<OutboxFolder> {
  const folder = await openStorageFolder();
  const { storage } = folder;
  const clock = { ms: beganMs };
  const now = () => clock.ms;
  const scripted = (kind: NetworkKind) => scriptedNetwork(kind, repeatsForMs[kind] ?? 0, now);
  const networks = Object.fromEntries(kinds.map((kind) => [kind, scripted(kind)])) as OutboxFolder["networks"];
  const secrets = new Map<string, string>();
  const reach = createOutbound();
  const failures = [] as unknown[];
  const shared = [] as string[];
  const cuts = [] as string[];
  const fitted: { path: string; bytesMax: number }[] = [];
  let events = 0;
  const begin = () => {
    const onChanged = () => undefined;
    const kept = { ...secretsInMemory(secrets), placeOf: () => "file" as const };
    const accounts = createAccounts({ storage, secrets: kept, outbound: reach, networks, now, onChanged });
    const outbox = createDeliveries({
      storage,
      accounts,
      networks,
      outbound: reach,
      stateReached: insertReceiptState,
      names: createNames({ games: [], rules: [] }),
      now,
      onChanged,
      footage: async () => opened.footage,
      fit: (...asked) => opened.fit(...asked),
      parts: scriptedParts(cuts),
      onClipShared: async (clip) => void shared.push(clip),
      onReceipts: () => undefined,
      onFailure: (_, error) => failures.push(error),
    });
    return { accounts, outbox };
  };
  const first = begin();
  await first.outbox.load();
  const row = async (statement: Statement) => (await storage.read(statement))[0];
  const opened: OutboxFolder = {
    folder,
    clock,
    networks,
    secrets,
    failures,
    shared,
    fitted,
    cuts,
    ...first,
    footage: savedFootage,
    async fit({ path, kind, seconds, width, height, bytes }, { bytesMax }, { signal }) {
      signal.throwIfAborted();
      fitted.push({ path, bytesMax });
      const mime = kind === "clip" ? ("video/mp4" as const) : ("image/jpeg" as const);
      return { path, seconds, width, height, bytes, mime, notes: [] };
    },
    account: async (name, network = "discord", demo = false) => {
      const needed = networkDescriptions[network].fields.filter(({ optional }) => optional === undefined);
      const fields = Object.fromEntries(needed.map((field) => [field.name, name]));
      return (await opened.accounts.add({ network, fields, name, demo })).account.id;
    },
    async approve(accounts, wanted = {}) {
      const { text = "hello", attach = "none", without = "ask", footage = "none", undoMs = 0 } = wanted;
      const id = randomUUIDv7();
      events += 1;
      const all = await opened.accounts.all();
      await storage.write(
        sql`
          INSERT INTO post (id, event, event_seq, event_id, game, state, text, alt_text, content_warning, attach, without,
            visibility, footage, clip, part, happened_ms, created_ms, sends_ms)
          VALUES (${id}, ${id}, ${events}, 'saga_won', 'saga', ${wanted.state ?? "approved"}, ${text}, '', '', ${attach},
            ${without}, 'public', ${footage}, ${footage === "ready" ? "clip-1" : null},
            ${wanted.part === undefined ? null : JSON.stringify(wanted.part)}, ${now()}, ${now()}, ${now() + undoMs})`,
        ...accounts.map(
          (account) => sql`
            INSERT INTO delivery (post_seq, account, network, name, state, key, demo)
            SELECT seq, ${account}, ${all.find((one) => one.id === account)?.network ?? "discord"}, 'Main', 'waiting',
              ${randomUUIDv7()}, ${Number(all.find((one) => one.id === account)?.demo ?? false)}
            FROM post WHERE id = ${id}`,
        ),
      );
      opened.outbox.wake();
      return id;
    },
    async delivery(post, account) {
      const found = await row(sql`
        SELECT d.state AS state, d.says AS says, d.tries AS tries, d.committed_ms AS committedMs, d.next_try_ms AS nextTryMs,
          d.link AS link, d.notes AS notes, d.key AS key
        FROM delivery AS d JOIN post AS p ON p.seq = d.post_seq WHERE p.id = ${post} AND d.account = ${account}`);
      const notes: MessageOrText[] = JSON.parse(String(found?.notes ?? "[]"));
      const says = fromMessageColumn(found?.says);
      return {
        ...(found as unknown as DeliveryRow),
        says: says === null ? null : textOf(says),
        notes: notes.map(textOf),
      };
    },
    deliveryIs: (post, account, state) =>
      until(`the delivery is ${state}`, async () => {
        const found = await opened.delivery(post, account);
        return found.state === state && found;
      }),
    post: async (post) => (await row(sql`SELECT state FROM post WHERE id = ${post}`))?.state as PostState,
    async receipt(post) {
      const found = await row(sql`
        SELECT r.state AS state, r.reason AS reason FROM receipt AS r JOIN post AS p ON p.event_seq = r.event_seq
        WHERE p.id = ${post} ORDER BY r.seq DESC LIMIT 1`);
      return found === undefined ? "" : `${found.state}: ${textOf(fromMessageColumn(found.reason) ?? "")}`;
    },
    accountIs: (id, expected) =>
      until("the account as expected", async () => {
        const found = (await opened.accounts.all()).find((account) => account.id === id);
        return found !== undefined && expected(found) && found;
      }),
    async advance(ms) {
      clock.ms += ms;
      opened.outbox.wake();
      for (const { id } of await opened.accounts.all()) await opened.accounts.change(id, {});
    },
    async idle() {
      await opened.restart();
      await opened.restart();
    },
    async restart(killed = false) {
      const before = opened.outbox;
      if (!killed) await before.stop();
      Object.assign(opened, begin());
      await opened.outbox.load();
    },
    read: (statement) => storage.read(statement),
    async [Symbol.asyncDispose]() {
      await opened.outbox.stop();
      await reach.close();
      await folder[Symbol.asyncDispose]();
    },
  };
  return opened;
}
