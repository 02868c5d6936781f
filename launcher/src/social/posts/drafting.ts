// Turns social triggers into posts: finds the rule, checks its limits, fills in the text and chooses the accounts. Everything
// is committed together with the slice's cursor in the journal.

import { randomUUIDv7 } from "node:crypto";
import {
  type Account,
  accountTakes,
  formatCount,
  type KitEvent,
  type Message,
  type Names,
  type PostRule,
  type PostSettings,
  type ReceiptState,
  textOf,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Statement } from "../../storage/sql.ts";
import { countHeldEvents, recordRulePost } from "../rules/rule-store.ts";
import { postRuleFor, sortPostRules } from "../rules/rules.ts";
import { fillTemplate, templateValues, usesVariable } from "../rules/template.ts";
import { attachmentName, type NetworkTextRules } from "../text-fit.ts";
import { type FootageWatch, noFootage, pendingFootage } from "./post-footage.ts";
import { insertPost, type MadePost, type NewPost, type PostStore } from "./post-store.ts";
import { postProblems } from "./problems.ts";
import type { ReceiptStateStatement } from "./receipts.ts";

/** An event with its position in the journal. */
export type TriggerEntry = { readonly seq: number; readonly event: KitEvent };

export type DraftingDeps = {
  readonly store: Pick<
    PostStore,
    "eventsWithPost" | "countDrafts" | "countHeld" | "countHeldSince" | "countMadeBetween" | "madeOf"
  >;
  readonly rules: () => Promise<readonly PostRule[]>;
  readonly settings: () => Promise<PostSettings>;
  readonly accounts: () => Promise<readonly Account[]>;
  readonly textRules: NetworkTextRules;
  readonly stateReached: ReceiptStateStatement;
  readonly footage: Pick<FootageWatch, "request">;
  readonly now: () => number;
  readonly names: Names;
  /** Called when new posts are durable. */
  readonly onDrafted: () => void;
};

export type ReceivedBatch = { readonly statements: readonly Statement[]; committed(): void };

const anHourMs = 3_600_000;
/** The longest cooldown that a rule can have. */
const cooldownMsMax = 86_400_000;
/** Maximum waiting drafts. Beyond it, posts are held back. */
export const draftsMax = 1_000;
/** Maximum posts of a rule that are held back in an hour. Beyond it, the rule only counts events. */
const heldOfRuleMax = 10;
/** Maximum posts that are held back at a time. Beyond it, rules only count events. */
const heldMax = 500;

/** What decides about posts, read at the start of a batch and updated with each post of it. */
type BatchState = {
  /** The most specific rule first. */
  readonly rules: readonly PostRule[];
  readonly settings: PostSettings;
  readonly accounts: readonly Account[];
  /** Posts that rules made of the batch's event ids. */
  readonly made: MadePost[];
  /** Posts of each rule that were held back within an hour. */
  readonly heldOfRule: Map<string, number>;
  held: number;
  created: number;
  drafts: number;
};

/** Returns why a rule makes no post of an event now. The post is then held back. */
function holdReason(
  rule: PostRule,
  eventId: string,
  atMs: number,
  { settings, made, created, drafts }: BatchState,
): Message | undefined {
  const cooldownMs = rule.cooldownSeconds * 1_000;
  // Compares the events' own times, because old events may arrive together. Uses the absolute value, because a clock may be
  // set back.
  const isSoon = made.some(
    (post) => post.rule === rule.id && post.eventId === eventId && Math.abs(atMs - post.happenedMs) < cooldownMs,
  );
  if (isSoon) return message("post_rule.cooldown", { seconds: rule.cooldownSeconds });
  if (created >= settings.hourlyMax) return message("post_rule.hourly_limit", { most: settings.hourlyMax });
  if (drafts >= draftsMax) return message("post.too_many_drafts", { count: formatCount(draftsMax) });
  return undefined;
}

/** `heldBy` is the id of the rule that counts the event as held. `post` is stored. */
type TriggerResult = {
  readonly entry: TriggerEntry;
  readonly post?: EventPost;
  /** Why the event made no post, or why its post is held back. */
  readonly ignored?: Message;
  readonly heldBy?: string;
};

type EventPost = Extract<NewPost, { event: string }>;

const templateForLater = (template: string, rule: PostRule): string | null =>
  rule.attach === "clip" && usesVariable(template, "clipLength") ? template : null;

async function readState(
  { store, now, ...needs }: DraftingDeps,
  entries: readonly TriggerEntry[],
): Promise<BatchState> {
  const nowMs = now();
  const eventIds = [...new Set(entries.map(({ event }) => event.eventId ?? ""))];
  const times = entries.map(({ event }) => Date.parse(event.actsOn));
  const [fromMs, toMs] = times.reduce(([least, most], ms) => [Math.min(least, ms), Math.max(most, ms)], [nowMs, 0]);
  const [rules, settings, accounts, created, drafts, held, heldOfRule, made] = await Promise.all([
    needs.rules(),
    needs.settings(),
    needs.accounts(),
    store.countMadeBetween(nowMs - anHourMs, nowMs),
    store.countDrafts(),
    store.countHeld(),
    store.countHeldSince(nowMs - anHourMs),
    store.madeOf(eventIds, fromMs - cooldownMsMax, toMs + cooldownMsMax),
  ]);
  return { rules: sortPostRules(rules), settings, accounts, created, drafts, held, heldOfRule, made };
}

/** What a post of an event is made from. `held` says why it is held back; null if it is not. */
type PostOrder = {
  readonly entry: TriggerEntry;
  readonly rule: PostRule;
  readonly targets: readonly Account[];
  readonly held: Message | null;
};

function createPost(
  { entry: { seq, event }, rule, targets, held }: PostOrder,
  settings: PostSettings,
  { now, names, textRules }: DraftingDeps,
): EventPost {
  const eventId = event.eventId ?? "";
  const atMs = Date.parse(event.actsOn);
  const nowMs = now();
  const values = templateValues({ eventId, title: null, game: event.game, atMs, clipSeconds: null }, names);
  const { attach, without, visibility, contentWarning } = rule;
  const text = fillTemplate(rule.text, values);
  const footage = attach === "none" ? noFootage : pendingFootage;
  const [problem] = postProblems({ text, contentWarning, attach, without, footage }, targets, textRules);
  const goes = rule.approval === "automatic" && problem === undefined && held === null;
  const id = randomUUIDv7();
  return {
    id,
    event: event.id,
    eventSeq: seq,
    eventId,
    fromClip: null,
    title: null,
    game: event.game,
    rule: rule.id,
    state: held !== null ? "held" : goes ? "approved" : "draft",
    text,
    altText: fillTemplate(rule.altText, values),
    contentWarning,
    textLater: templateForLater(rule.text, rule),
    altLater: templateForLater(rule.altText, rule),
    attach,
    without,
    visibility,
    footage,
    asks: problem?.says ?? null,
    held,
    automatic: goes,
    happenedMs: atMs,
    createdMs: nowMs,
    expiresMs: goes ? null : nowMs + settings.expireHours * anHourMs,
    sendsMs: goes ? nowMs + settings.undoSeconds * 1_000 : null,
    deliveries: newDeliveries(targets),
    moments: [],
  };
}

/** Returns a delivery for each account, with the key by which a network recognises a repeat. */
export const newDeliveries = (targets: readonly Account[]) =>
  targets.map(({ id: account, network, name, demo }) => ({ account, network, name, demo, key: randomUUIDv7() }));

export function createDrafting(needs: DraftingDeps) {
  const { store, stateReached, now } = needs;

  const receiptStatement = (entries: readonly TriggerEntry[], state: ReceiptState, reason: Message) =>
    stateReached(entries, state, "social", now(), reason);
  const ignore = (results: readonly { readonly entry: TriggerEntry }[], reason: Message) =>
    receiptStatement(
      results.map(({ entry }) => entry),
      "ignored",
      reason,
    );
  const insertStatements = (entry: TriggerEntry, post: EventPost): Statement[] => {
    // The receipts of held posts are written together, by their reason.
    if (post.held !== null) return insertPost(post);
    const { state, asks, attach, deliveries, rule, happenedMs } = post;
    const names = deliveries.map(({ name }) => name).join(", ");
    const what =
      attach === "none"
        ? message("post.drafted", { accounts: names })
        : message("post.drafted_with", { accounts: names, attachment: attachmentName(attach) });
    const why = asks === null ? what : message("post.drafted_asking", { what, problem: asks });
    const draft = receiptStatement([entry], "drafted", why);
    const receipts =
      state === "draft" ? [draft] : [draft, receiptStatement([entry], "approved", message("post.approved_by_rule"))];
    return [...insertPost(post), recordRulePost(rule, happenedMs), ...receipts];
  };
  /** Creates the post of an event, or returns why there is none. */
  const processTrigger = (entry: TriggerEntry, of: BatchState): TriggerResult => {
    const eventId = entry.event.eventId ?? "";
    const rule = postRuleFor(of.rules, eventId);
    if (rule === undefined) return { entry, ignored: message("post_rule.none") };
    if (!rule.enabled) return { entry, ignored: message("post_rule.off", { rule: rule.pattern }) };
    const targets = of.accounts.filter(
      (account) => account.enabled && rule.accounts.includes(account.id) && accountTakes(account, entry.event.game),
    );
    if (targets.length === 0) return { entry, ignored: message("post_rule.no_account") };
    const reason = holdReason(rule, eventId, Date.parse(entry.event.actsOn), of);
    if (reason !== undefined) return holdBack({ entry, rule, targets }, reason, of);
    const post = createPost({ entry, rule, targets, held: null }, of.settings, needs);
    of.made.push({ rule: rule.id, eventId, happenedMs: post.happenedMs });
    of.created += 1;
    if (post.state === "draft") of.drafts += 1;
    return { entry, post };
  };
  /** Stores the post so that a person can have it posted anyway, unless many posts are held back already. */
  const holdBack = (order: Omit<PostOrder, "held">, reason: Message, of: BatchState): TriggerResult => {
    const { entry, rule } = order;
    const heldOfRule = of.heldOfRule.get(rule.id) ?? 0;
    if (heldOfRule >= heldOfRuleMax || of.held >= heldMax) return { entry, ignored: reason, heldBy: rule.id };
    of.heldOfRule.set(rule.id, heldOfRule + 1);
    of.held += 1;
    const post = createPost({ ...order, held: reason }, of.settings, needs);
    return { entry, post, ignored: message("post.held_back", { reason }), heldBy: rule.id };
  };
  const requestFootage = ({ event, eventSeq: seq, eventId, game, happenedMs: atMs, attach }: EventPost) => {
    if (attach !== "none") needs.footage.request({ event, seq, eventId, game, atMs, kind: attach });
  };

  return {
    /**
     * Turns triggers into posts, at most one for an event, however often it is called. Requests footage at once, because the
     * replay buffer soon drops the seconds before the event.
     */
    async receive(entries: readonly TriggerEntry[]): Promise<ReceivedBatch> {
      const known = await store.eventsWithPost(entries.map(({ event }) => event.id));
      const of = await readState(needs, entries);
      const results = entries.filter(({ event }) => !known.has(event.id)).map((entry) => processTrigger(entry, of));
      const stored = results.flatMap(({ entry, post }) => (post === undefined ? [] : [{ entry, post }]));
      const ignored = results.flatMap(({ entry, ignored: reason, heldBy }) =>
        reason === undefined ? [] : [{ entry, reason, heldBy }],
      );
      for (const { post } of stored) requestFootage(post);
      // Adds one statement for each reason instead of one for each event, so that a flood of ignored events stays cheap.
      const reasons = Map.groupBy(ignored, ({ reason }) => textOf(reason));
      const heldByRule = Map.groupBy(ignored, ({ heldBy }) => heldBy);
      return {
        statements: [
          ...stored.flatMap(({ entry, post }) => insertStatements(entry, post)),
          ...[...reasons.values()].flatMap((all) => (all[0] === undefined ? [] : [ignore(all, all[0].reason)])),
          ...[...heldByRule].flatMap(([rule, all]) => (rule === undefined ? [] : [countHeldEvents(rule, all.length)])),
        ],
        committed() {
          if (results.length > 0) needs.onDrafted();
        },
      };
    },
  };
}
