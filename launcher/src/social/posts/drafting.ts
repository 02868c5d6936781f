// Social triggers become posts: which rule, whether it makes one now, in which words, for which accounts. All of it is
// committed together with the slice's place in the journal.
import { randomUUIDv7 } from "node:crypto";
import type { Account, KitEvent, PostRule, PostSettings, ReceiptState } from "@kit/contract";
import type { Statement } from "../../storage/sql.ts";
import type { Counting } from "../fit.ts";
import { held, posted } from "../rules/rule-store.ts";
import { inOrder, ruleFor } from "../rules/rules.ts";
import { filled, says } from "../rules/template.ts";
import { valuesOf, type WordsOf } from "../rules/values.ts";
import type { FootageWatch } from "./footage.ts";
import { drafted, type NewPost, type PostStore } from "./post-store.ts";
import { problemsOf } from "./problems.ts";

/** An event at its place in the journal. */
export type Entry = { readonly seq: number; readonly event: KitEvent };

export type StateReached = (
  events: readonly { readonly seq: number }[],
  state: ReceiptState,
  by: string,
  atMs: number,
  reason: string | null,
) => Statement;

export type DraftingNeeds = {
  readonly store: Pick<PostStore, "known" | "drafts" | "madeBetween">;
  readonly rules: () => Promise<readonly PostRule[]>;
  readonly settings: () => Promise<PostSettings>;
  readonly accounts: () => Promise<readonly Account[]>;
  readonly counting: Counting;
  readonly stateReached: StateReached;
  readonly footage: Pick<FootageWatch, "ask">;
  readonly now: () => number;
  readonly wordsOf: WordsOf;
  /** Posts were made, and are durable. */
  readonly onDrafted: () => void;
};

export type Received = { readonly statements: readonly Statement[]; committed(): void };

const anHourMs = 3_600_000;
/** As many drafts as a person may have before them; beyond it events are held. */
const draftsMax = 1_000;

/** What the batch began with, and what it did so far. */
type Standing = {
  /** In order. */
  readonly rules: readonly PostRule[];
  readonly settings: PostSettings;
  readonly accounts: readonly Account[];
  readonly lastMs: Map<string, number>;
  made: number;
  drafts: number;
};

/** Why a rule makes no post of an event now; counted as held. */
function heldBecause(rule: PostRule, atMs: number, { settings, lastMs, made, drafts }: Standing): string | undefined {
  const last = lastMs.get(rule.id);
  // By the events' own times: those of an hour ago may arrive together now. A clock that was set back holds nothing up.
  const sinceMs = last === undefined ? Number.POSITIVE_INFINITY : Math.abs(atMs - last);
  if (sinceMs < rule.cooldownSeconds * 1_000) return `its rule makes one post in ${rule.cooldownSeconds} s at most`;
  if (made >= settings.hourlyMax)
    return `${settings.hourlyMax} posts were made within the hour, and that is the most: kit posts settings --hourly`;
  if (drafts >= draftsMax)
    return `${draftsMax.toLocaleString("en-US")} drafts wait already: decide on some of them first`;
  return undefined;
}

/** `heldBy`: the rule that counts it as held. */
type Taken =
  | { readonly entry: Entry; readonly post: NewPost }
  | { readonly entry: Entry; readonly ignored: string; readonly heldBy?: string };

const laterOf = (template: string, rule: PostRule): string | null =>
  rule.attach === "clip" && says(template, "clipLength") ? template : null;

export function createDrafting(needs: DraftingNeeds) {
  const { store, counting, stateReached, now } = needs;

  const standing = async (): Promise<Standing> => {
    const nowMs = now();
    const [rules, settings, accounts, made, drafts] = await Promise.all([
      needs.rules(),
      needs.settings(),
      needs.accounts(),
      store.madeBetween(nowMs - anHourMs, nowMs),
      store.drafts(),
    ]);
    const moments = rules.flatMap(({ id, lastPostAt }) => (lastPostAt === null ? [] : [[id, lastPostAt] as const]));
    const lastMs = new Map(moments.map(([id, at]) => [id, Date.parse(at)]));
    return { rules: inOrder(rules), settings, accounts, lastMs, made, drafts };
  };

  const postOf = ({ seq, event }: Entry, rule: PostRule, targets: readonly Account[], of: Standing): NewPost => {
    const eventId = event.eventId ?? "";
    const atMs = Date.parse(event.actsOn);
    const nowMs = now();
    const values = valuesOf({ eventId, game: event.game, atMs, clipSeconds: null }, needs.wordsOf);
    const { attach, without, visibility, contentWarning } = rule;
    const text = filled(rule.text, values);
    const footage = attach === "none" ? ("none" as const) : ("pending" as const);
    const words = { text, contentWarning, attach, without, footage: { state: footage, says: null } };
    const [problem] = problemsOf(words, targets, counting);
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
      altText: filled(rule.altText, values),
      contentWarning,
      textLater: laterOf(rule.text, rule),
      altLater: laterOf(rule.altText, rule),
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

  const said = (entries: readonly Entry[], state: ReceiptState, reason: string) =>
    stateReached(entries, state, "social", now(), reason);
  const written = (entry: Entry, post: NewPost): Statement[] => {
    const { state, asks, attach, deliveries, rule, happenedMs } = post;
    const where = `for ${deliveries.map(({ name }) => name).join(", ")}`;
    const what = attach === "none" ? where : `${where}, with a ${attach} of its moment`;
    const draft = said([entry], "drafted", asks === null ? what : `${what}. ${asks}`);
    const receipts = state === "draft" ? [draft] : [draft, said([entry], "approved", "by its rule, without asking")];
    return [...drafted(post), posted(rule, happenedMs), ...receipts];
  };
  /** The post that is made of an event, or why there is none. */
  const take = (entry: Entry, of: Standing): Taken => {
    const rule = ruleFor(of.rules, entry.event.eventId ?? "");
    if (rule === undefined) return { entry, ignored: "no rule says what to post of it" };
    if (!rule.enabled) return { entry, ignored: `its rule ${rule.pattern} is switched off` };
    const targets = of.accounts.filter(({ id, enabled }) => enabled && rule.accounts.includes(id));
    if (targets.length === 0)
      return { entry, ignored: "none of the accounts of its rule is connected and switched on" };
    const atMs = Date.parse(entry.event.actsOn);
    const ignored = heldBecause(rule, atMs, of);
    if (ignored !== undefined) return { entry, ignored, heldBy: rule.id };
    const post = postOf(entry, rule, targets, of);
    of.lastMs.set(rule.id, atMs);
    of.made += 1;
    if (post.state === "draft") of.drafts += 1;
    return { entry, post };
  };
  const ask = ({ event, eventSeq: seq, eventId, game, happenedMs: atMs, attach }: NewPost) => {
    if (attach !== "none") needs.footage.ask({ event, seq, eventId, game, atMs, kind: attach });
  };

  return {
    /** Idempotent by event id. Footage is asked for at once: the seconds before a moment are not held for ever. */
    async receive(entries: readonly Entry[]): Promise<Received> {
      const known = await store.known(entries.map(({ event }) => event.id));
      const of = await standing();
      const taken = entries.filter(({ event }) => !known.has(event.id)).map((entry) => take(entry, of));
      const made = taken.filter((one) => "post" in one);
      const none = taken.filter((one) => "ignored" in one);
      for (const { post } of made) ask(post);
      // A game that says much of which nothing is made costs one statement for each reason.
      const reasons = Map.groupBy(none, ({ ignored }) => ignored);
      const holding = Map.groupBy(none, ({ heldBy }) => heldBy);
      return {
        statements: [
          ...made.flatMap(({ entry, post }) => written(entry, post)),
          ...[...reasons].map(([reason, all]) =>
            said(
              all.map(({ entry }) => entry),
              "ignored",
              reason,
            ),
          ),
          ...[...holding].flatMap(([rule, all]) => (rule === undefined ? [] : [held(rule, all.length)])),
        ],
        committed() {
          if (taken.length > 0) needs.onDrafted();
        },
      };
    },
  };
}
