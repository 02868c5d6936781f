// State of the Live page: the newest rows, rows that wait while the page is paused, and the number of skipped events.
// Pure.
import type { EventIdRule, FeedItem, KitEvent, ReceiptEntry } from "@kit/contract";
import { type LiveFilter, matchesGameAndKind } from "./address-filters.ts";
import { createEventRow, createRefusalRow, type LiveRow, newestFirst } from "./event-row.ts";

/** Maximum rows. More would help nobody and would slow the page down. */
export const liveRowsMax = 500;

export type FeedState = {
  /** Newest first. */
  readonly rows: readonly LiveRow[];
  /** Rows that arrived while the page was paused, newest first. */
  readonly bufferedRows: readonly LiveRow[];
  /** How many rows arrived while the page was paused. May exceed the length of `bufferedRows`, which is limited. */
  readonly bufferedCount: number;
  readonly paused: boolean;
  /** Events that the launcher did not send because too many arrived at once. */
  readonly skipped: number;
  /** Whether the launcher has events that are older than the last row. */
  readonly more: boolean;
  /** How many rows the feed has sent since the page was opened. */
  readonly arrived: { readonly events: number; readonly refusals: number };
};

export const emptyFeed: FeedState = {
  rows: [],
  bufferedRows: [],
  bufferedCount: 0,
  paused: false,
  skipped: 0,
  more: false,
  arrived: { events: 0, refusals: 0 },
};

export type FeedAction =
  | { readonly type: "loaded"; readonly events: readonly KitEvent[]; readonly more: boolean }
  | { readonly type: "refreshed"; readonly events: readonly KitEvent[]; readonly more: boolean }
  | { readonly type: "older"; readonly events: readonly KitEvent[]; readonly more: boolean }
  | { readonly type: "received"; readonly items: readonly FeedItem[] }
  | { readonly type: "rulesChanged"; readonly rules: readonly EventIdRule[]; readonly filter: LiveFilter }
  | { readonly type: "gamesFound"; readonly events: readonly KitEvent[] }
  | { readonly type: "narrowed"; readonly filter: LiveFilter }
  | { readonly type: "paused" }
  | { readonly type: "resumed" };

/**
 * Merges two lists of rows, newest first. If both contain a row, the one in `known` stays, because it has more receipt
 * entries.
 */
function mergeRows(known: readonly LiveRow[], added: readonly LiveRow[]): readonly LiveRow[] {
  const keys = new Set(known.map((row) => row.key));
  const unknown = new Map(added.filter((row) => !keys.has(row.key)).map((row) => [row.key, row]));
  if (unknown.size === 0) return known;
  return [...known, ...unknown.values()].sort(newestFirst);
}

const isSameEntry = (a: ReceiptEntry, b: ReceiptEntry) => a.state === b.state && a.at === b.at && a.by === b.by;

/**
 * Merges the fetched receipt entries of an event with those that the feed sent, oldest first and without duplicates.
 */
export function mergeReceiptEntries(fetched: readonly ReceiptEntry[], heard: readonly ReceiptEntry[]): ReceiptEntry[] {
  const unknown = heard.filter((entry) => !fetched.some((other) => isSameEntry(entry, other)));
  return [...fetched, ...unknown].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

function applyReceipts(
  rows: readonly LiveRow[],
  news: ReadonlyMap<string, readonly ReceiptEntry[]>,
): readonly LiveRow[] {
  if (!rows.some((row) => news.has(row.key))) return rows;
  return rows.map((row) => {
    const entries = news.get(row.key);
    if (row.type !== "event" || entries === undefined) return row;
    const heard = mergeReceiptEntries(row.liveEntries, entries);
    const newest = heard.at(-1);
    return newest ? { ...row, liveEntries: heard, event: { ...row.event, state: newest.state } } : row;
  });
}

/** Splits a batch of the feed into new rows, receipt entries by event, and the number of skipped events. */
function sortItems(feed: FeedState, items: readonly FeedItem[]) {
  const known = new Set([...feed.rows, ...feed.bufferedRows].map((row) => row.key));
  const added = new Map<string, LiveRow>();
  const news = new Map<string, ReceiptEntry[]>();
  let skipped = 0;
  for (const item of items) {
    if (item.type === "receipt") news.set(item.id, [...(news.get(item.id) ?? []), item.entry]);
    if (item.type === "skipped") skipped += item.events;
    const row =
      item.type === "event"
        ? createEventRow(item.event, true)
        : item.type === "refusal"
          ? createRefusalRow(item.refusal)
          : undefined;
    if (row && !known.has(row.key)) added.set(row.key, row);
  }
  return { added: [...added.values()], news, skipped };
}

function receiveItems(feed: FeedState, items: readonly FeedItem[]): FeedState {
  const { added, news, skipped } = sortItems(feed, items);
  const refusals = added.filter((row) => row.type === "refusal").length;
  const { arrived } = feed;
  const next: FeedState = {
    ...feed,
    skipped: feed.skipped + skipped,
    arrived: { events: arrived.events + added.length - refusals, refusals: arrived.refusals + refusals },
  };
  if (!feed.paused) {
    const rows = applyReceipts(mergeRows(feed.rows, added), news);
    return { ...next, rows: rows.slice(0, liveRowsMax), more: feed.more || rows.length > liveRowsMax };
  }
  // While the page is paused, the visible rows still show their current states; only new rows wait.
  return {
    ...next,
    rows: applyReceipts(feed.rows, news),
    bufferedRows: applyReceipts(mergeRows(feed.bufferedRows, added), news).slice(0, liveRowsMax),
    bufferedCount: feed.bufferedCount + added.length,
  };
}

/** Converts events to rows. Receipt entries that the feed already sent for them are kept. */
function toEventRows(events: readonly KitEvent[], known: readonly LiveRow[]): LiveRow[] {
  const before = new Map(known.map((row) => [row.key, row]));
  return events.map((event) => {
    const row = before.get(event.id);
    if (row?.type !== "event") return createEventRow(event, false);
    return { ...row, event: { ...event, state: row.liveEntries.at(-1)?.state ?? event.state } };
  });
}

/**
 * Replaces all events by the first list that was fetched for a filter. Keeps refused requests, because such lists
 * contain none.
 */
function replaceEvents(feed: FeedState, events: readonly KitEvent[], more: boolean): FeedState {
  const known = [...feed.rows, ...feed.bufferedRows];
  const refusals = known.filter((row) => row.type === "refusal");
  const rows = [...toEventRows(events, known), ...refusals].sort(newestFirst).slice(0, liveRowsMax);
  return { ...feed, rows, bufferedRows: [], bufferedCount: 0, skipped: 0, more };
}

/**
 * Merges a list of events that was fetched while the feed is running. An event within the list's time range that is not
 * in the list is removed, because it was assigned to another game.
 */
function refreshEvents(feed: FeedState, events: readonly KitEvent[], more: boolean): FeedState {
  const newest = events[0]?.receivedAt ?? "";
  const oldest = more ? (events.at(-1)?.receivedAt ?? "") : "";
  const stays = (row: LiveRow) => row.type === "refusal" || row.at > newest || row.at < oldest;
  const shown = new Set(feed.rows.map((row) => row.key));
  const fresh = toEventRows(events, [...feed.rows, ...feed.bufferedRows]);
  const toRows = feed.paused ? fresh.filter((row) => shown.has(row.key)) : fresh;
  const toHeld = feed.paused ? fresh.filter((row) => !shown.has(row.key) && row.at >= (feed.rows[0]?.at ?? "")) : [];
  const rows = mergeRows(toRows, feed.rows.filter(stays)).slice(0, liveRowsMax);
  const held = mergeRows(toHeld, feed.bufferedRows.filter(stays)).slice(0, liveRowsMax);
  return {
    ...feed,
    rows,
    bufferedRows: held,
    bufferedCount: Math.max(feed.bufferedCount, held.length),
    skipped: 0,
    more: feed.more || more,
  };
}

function filterRows(feed: FeedState, filter: LiveFilter): FeedState {
  const passes = (row: LiveRow) => matchesGameAndKind(row, filter);
  return { ...feed, rows: feed.rows.filter(passes), bufferedRows: feed.bufferedRows.filter(passes) };
}

/** Changes the games of the rows after a person has assigned event ids to games. Fetches no events. */
function applyRules(feed: FeedState, rules: readonly EventIdRule[]): FeedState {
  const games = new Map(rules.map((rule) => [`${rule.kind} ${rule.eventId}`, rule.game]));
  const withGame = (row: LiveRow): LiveRow => {
    if (row.type !== "event") return row;
    const game = games.get(`${row.event.kind} ${row.event.eventId}`);
    return game === undefined || game === row.event.game ? row : { ...row, event: { ...row.event, game } };
  };
  return { ...feed, rows: feed.rows.map(withGame), bufferedRows: feed.bufferedRows.map(withGame) };
}

/** Adds games that the launcher found out only later, from the sender of an error report. */
function applyGames(feed: FeedState, events: readonly KitEvent[]): FeedState {
  const games = new Map(events.map(({ id, game }) => [id, game]));
  const withGame = (row: LiveRow): LiveRow => {
    const game = games.get(row.key);
    if (row.type !== "event" || game === undefined || game === row.event.game) return row;
    return { ...row, event: { ...row.event, game } };
  };
  return { ...feed, rows: feed.rows.map(withGame), bufferedRows: feed.bufferedRows.map(withGame) };
}

export function feedReducer(feed: FeedState, action: FeedAction): FeedState {
  switch (action.type) {
    case "loaded":
      return replaceEvents(feed, action.events, action.more);
    case "refreshed":
      return refreshEvents(feed, action.events, action.more);
    case "older": {
      const rows = mergeRows(feed.rows, toEventRows(action.events, feed.rows)).slice(0, liveRowsMax);
      return { ...feed, rows, more: action.more };
    }
    case "received":
      return receiveItems(feed, action.items);
    case "rulesChanged":
      return filterRows(applyRules(feed, action.rules), action.filter);
    case "gamesFound":
      return applyGames(feed, action.events);
    case "narrowed":
      return filterRows(feed, action.filter);
    case "paused":
      return { ...feed, paused: true };
    case "resumed": {
      const rows = mergeRows(feed.rows, feed.bufferedRows);
      return {
        ...feed,
        rows: rows.slice(0, liveRowsMax),
        bufferedRows: [],
        bufferedCount: 0,
        paused: false,
        more: feed.more || rows.length > liveRowsMax,
      };
    }
  }
}
