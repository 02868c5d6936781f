// The rows of the Rules page: one for each event id and game, in display order; and the page's filters, stored in its
// address.
import {
  type EventIdRule,
  type EventKind,
  eventInWords,
  eventKinds,
  matchesEventIdPattern,
  type PostRule,
  type RecordingRule,
} from "@kit/contract";
import { useMemo } from "react";
import { fragmentQuery, unsorted } from "../../api/address-filters.ts";
import { useGames } from "../../api/use-games.ts";
import { useRecordingRules } from "../../api/use-recorder.ts";

export type RulesView = {
  /** A game's prefix, or `unsorted` for events without a game. */
  readonly game?: string | undefined;
  readonly kind?: EventKind | undefined;
  /** Words that the id or its label must contain. */
  readonly text?: string | undefined;
  /** The event id that is open in the panel. */
  readonly open?: string | undefined;
};

/** Parses an address. Ignores unknown values. */
export function parseRulesView(fragment: string): RulesView {
  const query = fragmentQuery(fragment);
  const kind = eventKinds.find((known) => known !== "monitor" && known === query.get("kind"));
  const [game, text, open] = ["game", "text", "open"].map((name) => query.get(name));
  return { ...(game && { game }), ...(kind && { kind }), ...(text?.trim() && { text }), ...(open && { open }) };
}

/** Returns the view as an address, which `parseRulesView` can read. */
export function toRulesFragment({ game, kind, text, open }: RulesView): string {
  const given = Object.entries({ game, kind, text, open }).filter(([, value]) => value);
  const query = new URLSearchParams(given as [string, string][]);
  return query.size > 0 ? `#/rules?${query}` : "#/rules";
}

export const isRulesViewFiltered = ({ game, kind, text }: RulesView): boolean => Boolean(game ?? kind ?? text);

/** How many events with an id were received, and when the last one; null if there was none. */
type EventActivity = { readonly count: number; readonly lastAt: string | null };

export type EventIdRow = {
  readonly key: string;
  readonly eventId: string;
  readonly game: string | null;
  /** The rules of this id, one for each kind of event that was sent with it. */
  readonly rules: readonly EventIdRule[];
  /** Undefined if no recording trigger with this id is known. */
  readonly recording: RecordingRule | undefined;
  readonly label: string | null;
  readonly icon: string | null;
  readonly postText: string | null;
  /** The label, or if there is none, the words of the id. */
  readonly words: string;
};

const firstValue = (rules: readonly EventIdRule[], member: "label" | "icon" | "postText"): string | null =>
  rules.find((rule) => rule[member] !== null)?.[member] ?? null;

function createRow(
  rules: readonly [EventIdRule, ...EventIdRule[]],
  recording: ReadonlyMap<string, RecordingRule>,
): EventIdRow {
  const [{ eventId, game }] = rules;
  const label = firstValue(rules, "label");
  return {
    key: JSON.stringify([game, eventId]),
    eventId,
    game,
    rules,
    recording: rules.some(({ kind }) => kind === "recording") ? recording.get(eventId) : undefined,
    label,
    icon: firstValue(rules, "icon"),
    postText: firstValue(rules, "postText"),
    words: label ?? eventInWords(eventId, game),
  };
}

/** Sorts numbers by value, so that `level_9` comes before `level_10`. */
const idCollator = new Intl.Collator(undefined, { numeric: true });

function compareRows(a: EventIdRow, b: EventIdRow): number {
  if (a.game !== b.game) {
    if (a.game === null || b.game === null) return a.game === null ? 1 : -1;
    return idCollator.compare(a.game, b.game);
  }
  return idCollator.compare(a.eventId, b.eventId);
}

/** Creates one row for each event id and game, sorted by game. Rows without a game come last. */
export function createEventIdRows(rules: readonly EventIdRule[], recording: readonly RecordingRule[]): EventIdRow[] {
  const recordingById = new Map(recording.map((rule) => [rule.eventId, rule]));
  const groups = new Map<string, [EventIdRule, ...EventIdRule[]]>();
  for (const rule of rules) {
    // An error report has no event id.
    if (rule.kind === "monitor") continue;
    const key = JSON.stringify([rule.game, rule.eventId]);
    const known = groups.get(key);
    if (known) known.push(rule);
    else groups.set(key, [rule]);
  }
  return [...groups.values()].map((each) => createRow(each, recordingById)).sort(compareRows);
}

export function matchesRulesView(row: EventIdRow, { game, kind, text }: RulesView): boolean {
  if (game !== undefined && (row.game ?? unsorted) !== game) return false;
  if (kind !== undefined && !row.rules.some((rule) => rule.kind === kind)) return false;
  if (text === undefined) return true;
  const searchedText = `${row.eventId}\n${row.words}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => searchedText.includes(word));
}

export type RuleListItem =
  | { readonly type: "game"; readonly key: string; readonly game: string | null; readonly count: number }
  | { readonly type: "row"; readonly key: string; readonly row: EventIdRow };

/** Inserts a heading before the rows of each game. */
export function createListItems(rows: readonly EventIdRow[]): RuleListItem[] {
  const counts = new Map<string | null, number>();
  for (const { game } of rows) counts.set(game, (counts.get(game) ?? 0) + 1);
  return rows.flatMap((row, at): RuleListItem[] => {
    const item: RuleListItem = { type: "row", key: row.key, row };
    if (at > 0 && rows[at - 1]?.game === row.game) return [item];
    return [{ type: "game", key: `game ${row.game}`, game: row.game, count: counts.get(row.game) ?? 0 }, item];
  });
}

/** Adds up the events of all kinds that were sent with this id. */
export function eventActivity({ rules }: EventIdRow): EventActivity {
  const last = rules.flatMap(({ lastSeenAt }) => lastSeenAt ?? []);
  return {
    count: rules.reduce((sum, { count }) => sum + count, 0),
    lastAt: last.length === 0 ? null : last.reduce((a, b) => (a > b ? a : b)),
  };
}

/** Returns the post rules that apply to an id. None do if no social event was sent with it. */
export function matchingPostRules(row: EventIdRow, rules: readonly PostRule[]): PostRule[] {
  if (!row.rules.some(({ kind }) => kind === "social")) return [];
  return rules.filter(({ pattern }) => matchesEventIdPattern(pattern, row.eventId));
}

/** Returns the older id for which this one may be a typing mistake; undefined if a person said that it is none. */
export function suggestedId(row: EventIdRow, confirmedIds: ReadonlySet<string>): string | undefined {
  if (confirmedIds.has(row.eventId)) return undefined;
  return row.rules.find(({ similarTo }) => similarTo !== null)?.similarTo ?? undefined;
}

/** The feed does not report each event's count, so the counts are polled. */
const countsRefetchMs = 15_000;

export function useEventRows() {
  const games = useGames(countsRefetchMs);
  const recording = useRecordingRules();
  const rules = games.data?.rules;
  const recordingRules = recording.data?.rules;
  const rows = useMemo(
    () => (rules && recordingRules ? createEventIdRows(rules, recordingRules) : undefined),
    [rules, recordingRules],
  );
  const retry = () => void Promise.all([games.refetch(), recording.refetch()]);
  return { rows, games: games.data?.games ?? [], error: games.error ?? recording.error, retry };
}
