// The rows of the Rules page: an event id each, with all that is known of it, in the order in which they are shown. Pure.
import { eventInWords, type PostRule, type RecordingRule, type Rule } from "@kit/contract";
import { unsorted } from "../../api/event-filter.ts";
import { fits } from "../../ui/posts/rule-draft.ts";
import type { RulesView } from "./rules-view.ts";

/** How often an id came, and when last; null: it never did. */
type Seen = { readonly count: number; readonly lastAt: string | null };

export type EventRow = {
  readonly key: string;
  readonly eventId: string;
  readonly game: string | null;
  /** One a kind under which the id was sent. */
  readonly rules: readonly Rule[];
  /** Undefined for an id that makes nothing of the screen. */
  readonly recording: RecordingRule | undefined;
  readonly label: string | null;
  readonly icon: string | null;
  readonly postText: string | null;
  /** The label, or the id in words. */
  readonly words: string;
};

const firstOf = (rules: readonly Rule[], member: "label" | "icon" | "postText"): string | null =>
  rules.find((rule) => rule[member] !== null)?.[member] ?? null;

function rowOf(rules: readonly [Rule, ...Rule[]], recording: ReadonlyMap<string, RecordingRule>): EventRow {
  const [{ eventId, game }] = rules;
  const label = firstOf(rules, "label");
  return {
    key: JSON.stringify([game, eventId]),
    eventId,
    game,
    rules,
    recording: rules.some(({ kind }) => kind === "recording") ? recording.get(eventId) : undefined,
    label,
    icon: firstOf(rules, "icon"),
    postText: firstOf(rules, "postText"),
    words: label ?? eventInWords(eventId, game),
  };
}

/** Ids with numbers in the order of the numbers. */
const order = new Intl.Collator(undefined, { numeric: true });

function inOrder(a: EventRow, b: EventRow): number {
  if (a.game !== b.game) {
    if (a.game === null || b.game === null) return a.game === null ? 1 : -1;
    return order.compare(a.game, b.game);
  }
  return order.compare(a.eventId, b.eventId);
}

/** One row an id and game, by game, what belongs to none last. */
export function rowsOf(rules: readonly Rule[], recording: readonly RecordingRule[]): EventRow[] {
  const recordingOf = new Map(recording.map((rule) => [rule.eventId, rule]));
  const together = new Map<string, [Rule, ...Rule[]]>();
  for (const rule of rules) {
    // An error report has no id of its own.
    if (rule.kind === "monitor") continue;
    const key = JSON.stringify([rule.game, rule.eventId]);
    const known = together.get(key);
    if (known) known.push(rule);
    else together.set(key, [rule]);
  }
  return [...together.values()].map((each) => rowOf(each, recordingOf)).sort(inOrder);
}

export function isShown(row: EventRow, { game, kind, text }: RulesView): boolean {
  if (game !== undefined && (row.game ?? unsorted) !== game) return false;
  if (kind !== undefined && !row.rules.some((rule) => rule.kind === kind)) return false;
  if (text === undefined) return true;
  const said = `${row.eventId}\n${row.words}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => said.includes(word));
}

export type ListItem =
  | { readonly type: "game"; readonly key: string; readonly game: string | null; readonly count: number }
  | { readonly type: "row"; readonly key: string; readonly row: EventRow };

/** The rows with a heading before those of each game. */
export function itemsOf(rows: readonly EventRow[]): ListItem[] {
  const counts = new Map<string | null, number>();
  for (const { game } of rows) counts.set(game, (counts.get(game) ?? 0) + 1);
  return rows.flatMap((row, at): ListItem[] => {
    const item: ListItem = { type: "row", key: row.key, row };
    if (at > 0 && rows[at - 1]?.game === row.game) return [item];
    return [{ type: "game", key: `game ${row.game}`, game: row.game, count: counts.get(row.game) ?? 0 }, item];
  });
}

/** Of all the kinds an id was sent under. */
export function seenOf({ rules }: EventRow): Seen {
  const last = rules.flatMap(({ lastSeenAt }) => lastSeenAt ?? []);
  return {
    count: rules.reduce((sum, { count }) => sum + count, 0),
    lastAt: last.length === 0 ? null : last.reduce((a, b) => (a > b ? a : b)),
  };
}

/** The rules for posts an id fits. An id that is never told posts nothing. */
export function postRulesOf(row: EventRow, rules: readonly PostRule[]): PostRule[] {
  if (!row.rules.some(({ kind }) => kind === "social")) return [];
  return rules.filter(({ pattern }) => fits(pattern, row.eventId));
}

/** The older id this one is probably meant to be, unless a person said that it is another. */
export function meantBy(row: EventRow, distinct: ReadonlySet<string>): string | undefined {
  if (distinct.has(row.eventId)) return undefined;
  return row.rules.find(({ similarTo }) => similarTo !== null)?.similarTo ?? undefined;
}
