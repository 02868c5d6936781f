// Turns social triggers into posts: finds the rule, checks its limits, fills in the text and chooses the accounts. Everything
// is committed together with the slice's cursor in the journal.

import { randomUUIDv7 } from "node:crypto";
import {
  type Account,
  type KitEvent,
  type Message,
  type PostRule,
  type PostSettings,
  type ReceiptState,
  textOf,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Statement } from "../../storage/sql.ts";
import { countHeldEvents, recordRulePost } from "../rules/rule-store.ts";
import { postRuleFor, sortPostRules } from "../rules/rules.ts";
import { type EventLabelOf, fillTemplate, templateValues, usesVariable } from "../rules/template.ts";
import { attachmentName, type NetworkTextRules } from "../text-fit.ts";
import type { FootageWatch } from "./post-footage.ts";
import { insertPost, type NewPost, type PostStore } from "./post-store.ts";
import { postProblems } from "./problems.ts";
import type { ReceiptStateStatement } from "./receipts.ts";

/** An event with its position in the journal. */
export type TriggerEntry = { readonly seq: number; readonly event: KitEvent };

export type DraftingDeps = {
  readonly store: Pick<PostStore, "eventsWithPost" | "countDrafts" | "countCreatedBetween">;
  readonly rules: () => Promise<readonly PostRule[]>;
  readonly settings: () => Promise<PostSettings>;
  readonly accounts: () => Promise<readonly Account[]>;
  readonly textRules: NetworkTextRules;
  readonly stateReached: ReceiptStateStatement;
  readonly footage: Pick<FootageWatch, "request">;
  readonly now: () => number;
  readonly labelOf: EventLabelOf;
  /** Called when new posts are durable. */
  readonly onDrafted: () => void;
};

export type ReceivedBatch = { readonly statements: readonly Statement[]; committed(): void };

const anHourMs = 3_600_000;
/** Maximum waiting drafts. Beyond it, events are held: they make no post, and their rule counts them. */
const draftsMax = 1_000;

/** What decides about posts, read at the start of a batch and updated with each post of it. */
type BatchState = {
  /** The most specific rule first. */
  readonly rules: readonly PostRule[];
  readonly settings: PostSettings;
  readonly accounts: readonly Account[];
  readonly lastMs: Map<string, number>;
  created: number;
  drafts: number;
};

/** Returns why a rule makes no post now. The event is then counted as held. */
function holdReason(
  rule: PostRule,
  atMs: number,
  { settings, lastMs, created, drafts }: BatchState,
): Message | undefined {
  const last = lastMs.get(rule.id);
  // Compares the events' own times, because old events may arrive together. Uses the absolute value, because a clock may be
  // set back.
  const sinceMs = last === undefined ? Number.POSITIVE_INFINITY : Math.abs(atMs - last);
  if (sinceMs < rule.cooldownSeconds * 1_000) return message("post_rule.cooldown", { seconds: rule.cooldownSeconds });
  if (created >= settings.hourlyMax) return message("post_rule.hourly_limit", { most: settings.hourlyMax });
  if (drafts >= draftsMax) return message("post.too_many_drafts", { count: draftsMax.toLocaleString("en-US") });
  return undefined;
}

/** `heldBy` is the id of the rule that counts the event as held. */
type TriggerResult =
  | { readonly entry: TriggerEntry; readonly post: NewPost }
  | { readonly entry: TriggerEntry; readonly ignored: Message; readonly heldBy?: string };

const templateForLater = (template: string, rule: PostRule): string | null =>
  rule.attach === "clip" && usesVariable(template, "clipLength") ? template : null;

async function readState({ store, now, ...needs }: DraftingDeps): Promise<BatchState> {
  const nowMs = now();
  const [rules, settings, accounts, made, drafts] = await Promise.all([
    needs.rules(),
    needs.settings(),
    needs.accounts(),
    store.countCreatedBetween(nowMs - anHourMs, nowMs),
    store.countDrafts(),
  ]);
  const moments = rules.flatMap(({ id, lastPostAt }) => (lastPostAt === null ? [] : [[id, lastPostAt] as const]));
  const lastMs = new Map(moments.map(([id, at]) => [id, Date.parse(at)]));
  return { rules: sortPostRules(rules), settings, accounts, lastMs, created: made, drafts };
}

export function createDrafting(needs: DraftingDeps) {
  const { store, textRules, stateReached, now } = needs;

  const createPost = (
    { seq, event }: TriggerEntry,
    rule: PostRule,
    targets: readonly Account[],
    of: BatchState,
  ): NewPost => {
    const eventId = event.eventId ?? "";
    const atMs = Date.parse(event.actsOn);
    const nowMs = now();
    const values = templateValues({ eventId, game: event.game, atMs, clipSeconds: null }, needs.labelOf);
    const { attach, without, visibility, contentWarning } = rule;
    const text = fillTemplate(rule.text, values);
    const footage = attach === "none" ? ("none" as const) : ("pending" as const);
    const words = { text, contentWarning, attach, without, footage: { state: footage, says: null } };
    const [problem] = postProblems(words, targets, textRules);
    const goes = rule.approval === "automatic" && problem === undefined;
    const id = randomUUIDv7();
    return {
      id,
      event: event.id,
      eventSeq: seq,
      eventId,
      game: event.game,
      rule: rule.id,
      state: goes ? "approved" : "draft",
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
      automatic: goes,
      happenedMs: atMs,
      createdMs: nowMs,
      expiresMs: goes ? null : nowMs + of.settings.expireHours * anHourMs,
      sendsMs: goes ? nowMs + of.settings.undoSeconds * 1_000 : null,
      deliveries: targets.map(({ id: account, network, name }) => ({ account, network, name, key: randomUUIDv7() })),
    };
  };

  const receiptStatement = (entries: readonly TriggerEntry[], state: ReceiptState, reason: Message) =>
    stateReached(entries, state, "social", now(), reason);
  const ignore = (results: readonly { readonly entry: TriggerEntry }[], reason: Message) =>
    receiptStatement(
      results.map(({ entry }) => entry),
      "ignored",
      reason,
    );
  const insertStatements = (entry: TriggerEntry, post: NewPost): Statement[] => {
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
    const rule = postRuleFor(of.rules, entry.event.eventId ?? "");
    if (rule === undefined) return { entry, ignored: message("post_rule.none") };
    if (!rule.enabled) return { entry, ignored: message("post_rule.off", { rule: rule.pattern }) };
    const targets = of.accounts.filter(({ id, enabled }) => enabled && rule.accounts.includes(id));
    if (targets.length === 0) return { entry, ignored: message("post_rule.no_account") };
    const atMs = Date.parse(entry.event.actsOn);
    const ignored = holdReason(rule, atMs, of);
    if (ignored !== undefined) return { entry, ignored, heldBy: rule.id };
    const post = createPost(entry, rule, targets, of);
    of.lastMs.set(rule.id, atMs);
    of.created += 1;
    if (post.state === "draft") of.drafts += 1;
    return { entry, post };
  };
  const requestFootage = ({ event, eventSeq: seq, eventId, game, happenedMs: atMs, attach }: NewPost) => {
    if (attach !== "none") needs.footage.request({ event, seq, eventId, game, atMs, kind: attach });
  };

  return {
    /**
     * Turns triggers into posts, at most one for an event, however often it is called. Requests footage at once, because the
     * replay buffer soon drops the seconds before the event.
     */
    async receive(entries: readonly TriggerEntry[]): Promise<ReceivedBatch> {
      const known = await store.eventsWithPost(entries.map(({ event }) => event.id));
      const of = await readState(needs);
      const results = entries.filter(({ event }) => !known.has(event.id)).map((entry) => processTrigger(entry, of));
      const made = results.filter((one) => "post" in one);
      const ignored = results.filter((one) => "ignored" in one);
      for (const { post } of made) requestFootage(post);
      // Adds one statement for each reason instead of one for each event, so that a flood of ignored events stays cheap.
      const reasons = Map.groupBy(ignored, ({ ignored }) => textOf(ignored));
      const heldByRule = Map.groupBy(ignored, ({ heldBy }) => heldBy);
      return {
        statements: [
          ...made.flatMap(({ entry, post }) => insertStatements(entry, post)),
          ...[...reasons.values()].flatMap((all) => (all[0] === undefined ? [] : [ignore(all, all[0].ignored)])),
          ...[...heldByRule].flatMap(([rule, all]) => (rule === undefined ? [] : [countHeldEvents(rule, all.length)])),
        ],
        committed() {
          if (results.length > 0) needs.onDrafted();
        },
      };
    },
  };
}
