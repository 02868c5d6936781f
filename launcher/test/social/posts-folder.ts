// Runs the rules and posts on a real database with scripted networks and footage; events come as from the journal.

import { randomUUIDv7 } from "node:crypto";
import {
  type Account,
  type AccountLimits,
  type Clip,
  createNames,
  KitError,
  type KitEvent,
  type Network as NetworkKind,
  type NewPostRule,
  networks,
  type ReceiptState,
  textOf,
} from "@kit/contract";
import { createSerialQueue } from "../../src/async.ts";
import { insertReceiptStateOrReason } from "../../src/inbox/inbox-store.ts";
import { sayIn } from "../../src/reader-language.ts";
import { createClipPosts } from "../../src/social/posts/clip-posts.ts";
import { createDrafting, type TriggerEntry } from "../../src/social/posts/drafting.ts";
import {
  createFootageArrivalHandler,
  createFootageWatch,
  type EventFootage,
  type FootageOwner,
  type FootageRequest,
} from "../../src/social/posts/post-footage.ts";
import { createPostStore } from "../../src/social/posts/post-store.ts";
import { createPosts } from "../../src/social/posts/posts.ts";
import { createProblemFinder } from "../../src/social/posts/problems.ts";
import { createReceiptStatement } from "../../src/social/posts/receipts.ts";
import { startPostUpkeep } from "../../src/social/posts/upkeep.ts";
import { createPostRuleStore } from "../../src/social/rules/rule-store.ts";
import { createPostPreview, createPostRules, createPostSettings } from "../../src/social/rules/rules.ts";
import type { NetworkTextRules } from "../../src/social/text-fit.ts";
import { fromMessageColumn, sql } from "../../src/storage/sql.ts";
import { openStorageFolder } from "../support/storage-folder.ts";
import { until } from "../support/until.ts";

export const beganMs = Date.UTC(2026, 4, 3, 10, 20, 30);

const limitsOf = (textMax: number): AccountLimits => ({
  textMax,
  counts: "characters",
  imageBytesMax: 10_000_000,
  videoBytesMax: 10_000_000,
  videoSecondsMax: null,
  videoPixelsMax: null,
  videoFrameRateMax: null,
  altTextMax: 1_000,
  visibility: false,
  contentWarning: false,
});

const compose = (text: string, warning: string) => (warning === "" ? text : `${warning}\n${text}`);
const counts = (textMax: number): NetworkTextRules[NetworkKind] => ({
  limits: limitsOf(textMax),
  textLength: ({ text, contentWarning }) => [...compose(text, contentWarning)].length,
  compose,
});
export const counting: NetworkTextRules = {
  ...(Object.fromEntries(networks.map((kind) => [kind, counts(5_000)])) as NetworkTextRules),
  discord: counts(2_000),
  bluesky: counts(300),
};

export function accountOf(network: NetworkKind, name: string, change: Partial<Account> = {}): Account {
  return {
    id: `${network}-${name}`,
    network,
    name,
    host: "example.com",
    link: null,
    enabled: true,
    addedAt: new Date(beganMs).toISOString(),
    limits: counting[network].limits,
    kept: "file",
    sent: 0,
    waiting: 0,
    lastSentAt: null,
    lastError: null,
    lastErrorAt: null,
    stopped: null,
    waitsUntil: null,
    waitsBecause: null,
    demo: false,
    ...change,
  };
}

export const savedClip = (id: string, seconds = 17): EventFootage => ({
  state: "saved",
  id,
  kind: "clip",
  seconds,
  poster: `${id}.jpg`,
  momentPart: null,
  pictureSeconds: null,
});

let made = 0;

/** An accepted social trigger as the dispatcher hands it over. */
export function triggerOf(eventId: string, { atMs = beganMs, game = "saga" as string | null } = {}): TriggerEntry {
  made += 1;
  const at = new Date(atMs).toISOString();
  const event: KitEvent = {
    id: randomUUIDv7(),
    kind: "social",
    game,
    eventId,
    payload: { eventId, timestamp: at },
    receivedAt: at,
    actsOn: at,
    status: "accepted",
    state: "accepted",
    notes: [],
    origin: null,
    client: null,
    intact: true,
  };
  return { seq: made, event };
}

const names = createNames({ games: [], rules: [] });

const sayInOrEnglish = (language = "en") => sayIn(language);

export async function openPostsFolder() {
  const folder = await openStorageFolder();
  const { storage } = folder;
  const { write } = storage;
  const clock = { ms: beganMs };
  const now = () => clock.ms;
  const world = {
    accounts: [accountOf("discord", "clips"), accountOf("bluesky", "mika")] as Account[],
    /** By the id of the event or the clip. */
    footage: new Map<string, EventFootage>(),
    clips: new Map<string, Clip>(),
    wanted: [] as FootageRequest[],
    /** The result of a request for footage. */
    asking: (): Promise<void> => Promise.resolve(),
    woken: 0,
    failures: [] as unknown[],
  };
  const accounts = async () => world.accounts;
  const footageOf = async ({ event, fromClip }: FootageOwner): Promise<EventFootage> =>
    world.footage.get(event ?? fromClip ?? "") ?? { state: "pending" };
  const clipOf = async (id: string): Promise<Clip> => {
    const clip = world.clips.get(id);
    if (clip === undefined) throw new KitError("not_found", "There is no such clip.");
    return clip;
  };
  const begin = () => {
    const serialize = createSerialQueue();
    const store = createPostStore(storage);
    const ruleStore = createPostRuleStore(storage);
    const onChanged = () => {
      world.woken += 1;
      footage.checkWaiting();
    };
    const common = { write, serialize, now, onChanged, accounts, textRules: counting, names };
    const settings = createPostSettings({ ...common, store: ruleStore });
    const rules = createPostRules({ ...common, store: ruleStore });
    const preview = createPostPreview({
      ...common,
      gameOf: (eventId) => (eventId.startsWith("saga_") ? "saga" : null),
    });
    const receiptStatement = createReceiptStatement(insertReceiptStateOrReason, now);
    const findProblems = createProblemFinder(accounts, counting);
    const deciding = { ...common, store, findProblems, receiptStatement, settings: settings.get };
    const onFailure = (_: string, error: unknown) => void world.failures.push(error);
    const arrived = createFootageArrivalHandler(deciding);
    const footage = createFootageWatch({
      store,
      footageOf,
      onArrived: arrived,
      onFailure,
      async requestFootage(wanted) {
        world.wanted.push(wanted);
        await world.asking();
      },
    });
    const drafting = createDrafting({
      ...common,
      store,
      footage,
      settings: settings.get,
      rules: ruleStore.all,
      stateReached: insertReceiptStateOrReason,
      onDrafted: onChanged,
    });
    const posts = createPosts({ ...deciding, footageOf, progressOf: () => null });
    const clipPosts = createClipPosts({ ...deciding, sayIn: sayInOrEnglish, clipOf, footageOf, rules: ruleStore.all });
    const upkeep = startPostUpkeep({ ...deciding, isResting: () => false, onFailure, postsMax: 20 });
    return { rules, settings, preview, footage, drafting, posts, clipPosts, upkeep, store };
  };
  const parts = begin();
  const end = async () => {
    await Promise.all([opened.footage.stop(), opened.upkeep.stop()]);
  };
  const opened = {
    ...folder,
    ...parts,
    clock,
    world,
    /** Hands entries over in one batch, committed. */
    async take(...entries: readonly TriggerEntry[]) {
      const { statements, committed } = await opened.drafting.receive(entries);
      await write(...statements, sql`SELECT 1`);
      committed();
    },
    addRule: (rule: Partial<NewPostRule> = {}) =>
      opened.rules.add({ pattern: "saga_*", accounts: world.accounts.map(({ id }) => id), ...rule }),
    all: async () => (await opened.posts.list({ state: null, needs: false, game: null, before: null }, 100)).posts,
    async only() {
      const [post, ...more] = await opened.all();
      if (post === undefined || more.length > 0) throw new Error(`There are ${more.length + Number(!!post)} posts.`);
      return post;
    },
    /** The only post, once it matches. */
    async post(matches: (post: Awaited<ReturnType<typeof parts.posts.get>>) => boolean) {
      return until("a matching post", async () => {
        const [post] = await opened.all();
        return post !== undefined && matches(post) ? post : undefined;
      });
    },
    async receiptOf({ seq }: TriggerEntry): Promise<{ state: ReceiptState; reason: string | null }[]> {
      const rows = await storage.read(sql`SELECT state, reason FROM receipt WHERE event_seq = ${seq} ORDER BY seq`);
      return rows.map(({ state, reason }) => ({
        state: state as ReceiptState,
        reason: reason === null ? null : textOf(fromMessageColumn(reason) ?? ""),
      }));
    },
    /** Starts another launcher with the same data. */
    async restart() {
      await end();
      Object.assign(opened, begin());
    },
    async [Symbol.asyncDispose]() {
      await end();
      await folder[Symbol.asyncDispose]();
    },
  };
  return opened;
}
