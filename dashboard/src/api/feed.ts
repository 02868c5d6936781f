// What the Live page holds: the newest rows, what waits while paused, what was skipped. Pure.
import type { FeedItem, KitEvent, ReceiptEntry, Rule } from "@kit/contract";
import { type LiveFilter, passesSource } from "./event-filter.ts";
import { eventRow, newestFirst, type Row, refusalRow } from "./event-row.ts";

/** More rows than this are of no use to a person and cost the page its calm. */
export const rowsMax = 500;

export type Feed = {
  /** Newest first. */
  readonly rows: readonly Row[];
  /** Came while paused, newest first. */
  readonly held: readonly Row[];
  /** How many came while paused; may be more than `held` keeps. */
  readonly heldCount: number;
  readonly paused: boolean;
  /** Events the launcher left out because more arrived than a page can show. */
  readonly skipped: number;
  /** The launcher keeps older events than the last row. */
  readonly more: boolean;
  /** Rows that came by the feed since the page was opened. */
  readonly arrived: { readonly events: number; readonly refusals: number };
};

export const emptyFeed: Feed = {
  rows: [],
  held: [],
  heldCount: 0,
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
  | { readonly type: "refiled"; readonly rules: readonly Rule[]; readonly filter: LiveFilter }
  | { readonly type: "filed"; readonly events: readonly KitEvent[] }
  | { readonly type: "narrowed"; readonly filter: LiveFilter }
  | { readonly type: "paused" }
  | { readonly type: "resumed" };

/** Joins two lists into one without doubles. Where both have a row, `known` wins: it has heard more. */
function joined(known: readonly Row[], added: readonly Row[]): readonly Row[] {
  const keys = new Set(known.map((row) => row.key));
  const unknown = new Map(added.filter((row) => !keys.has(row.key)).map((row) => [row.key, row]));
  if (unknown.size === 0) return known;
  return [...known, ...unknown.values()].sort(newestFirst);
}

const same = (a: ReceiptEntry, b: ReceiptEntry) => a.state === b.state && a.at === b.at && a.by === b.by;

/** The states of a receipt as they were fetched and heard, oldest first, each once. */
export function mergedStates(fetched: readonly ReceiptEntry[], heard: readonly ReceiptEntry[]): ReceiptEntry[] {
  const unknown = heard.filter((entry) => !fetched.some((other) => same(entry, other)));
  return [...fetched, ...unknown].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

function advanced(rows: readonly Row[], news: ReadonlyMap<string, readonly ReceiptEntry[]>): readonly Row[] {
  if (!rows.some((row) => news.has(row.key))) return rows;
  return rows.map((row) => {
    const entries = news.get(row.key);
    if (row.type !== "event" || entries === undefined) return row;
    const heard = mergedStates(row.heard, entries);
    const newest = heard.at(-1);
    return newest ? { ...row, heard, event: { ...row.event, state: newest.state } } : row;
  });
}

/** Sorts a batch of the feed into rows nobody has seen, receipt entries by event, and a count of what is left out. */
function sorted(feed: Feed, items: readonly FeedItem[]) {
  const known = new Set([...feed.rows, ...feed.held].map((row) => row.key));
  const added = new Map<string, Row>();
  const news = new Map<string, ReceiptEntry[]>();
  let skipped = 0;
  for (const item of items) {
    if (item.type === "receipt") news.set(item.id, [...(news.get(item.id) ?? []), item.entry]);
    if (item.type === "skipped") skipped += item.events;
    const row =
      item.type === "event"
        ? eventRow(item.event, true)
        : item.type === "refusal"
          ? refusalRow(item.refusal)
          : undefined;
    if (row && !known.has(row.key)) added.set(row.key, row);
  }
  return { added: [...added.values()], news, skipped };
}

function received(feed: Feed, items: readonly FeedItem[]): Feed {
  const { added, news, skipped } = sorted(feed, items);
  const refusals = added.filter((row) => row.type === "refusal").length;
  const { arrived } = feed;
  const next: Feed = {
    ...feed,
    skipped: feed.skipped + skipped,
    arrived: { events: arrived.events + added.length - refusals, refusals: arrived.refusals + refusals },
  };
  if (!feed.paused) {
    const rows = advanced(joined(feed.rows, added), news);
    return { ...next, rows: rows.slice(0, rowsMax), more: feed.more || rows.length > rowsMax };
  }
  // Rows already shown go on telling the truth about their state; only new ones wait.
  return {
    ...next,
    rows: advanced(feed.rows, news),
    held: advanced(joined(feed.held, added), news).slice(0, rowsMax),
    heldCount: feed.heldCount + added.length,
  };
}

/** Rows of a list, each with what was already heard of its event. */
function listed(events: readonly KitEvent[], known: readonly Row[]): Row[] {
  const before = new Map(known.map((row) => [row.key, row]));
  return events.map((event) => {
    const row = before.get(event.id);
    if (row?.type !== "event") return eventRow(event, false);
    return { ...row, event: { ...event, state: row.heard.at(-1)?.state ?? event.state } };
  });
}

/** The first list, or the one of a new filter: it replaces the events shown before. Refusals are not in it and stay. */
function loaded(feed: Feed, events: readonly KitEvent[], more: boolean): Feed {
  const known = [...feed.rows, ...feed.held];
  const refusals = known.filter((row) => row.type === "refusal");
  const rows = [...listed(events, known), ...refusals].sort(newestFirst).slice(0, rowsMax);
  return { ...feed, rows, held: [], heldCount: 0, skipped: 0, more };
}

/**
 * A list fetched while the feed goes on. In its range it is the truth: an event that was filed under another game
 * has left it. What is newer came since, and what is older was loaded before.
 */
function refreshed(feed: Feed, events: readonly KitEvent[], more: boolean): Feed {
  const newest = events[0]?.receivedAt ?? "";
  const oldest = more ? (events.at(-1)?.receivedAt ?? "") : "";
  const stays = (row: Row) => row.type === "refusal" || row.at > newest || row.at < oldest;
  const shown = new Set(feed.rows.map((row) => row.key));
  const fresh = listed(events, [...feed.rows, ...feed.held]);
  const toRows = feed.paused ? fresh.filter((row) => shown.has(row.key)) : fresh;
  const toHeld = feed.paused ? fresh.filter((row) => !shown.has(row.key) && row.at >= (feed.rows[0]?.at ?? "")) : [];
  const rows = joined(toRows, feed.rows.filter(stays)).slice(0, rowsMax);
  const held = joined(toHeld, feed.held.filter(stays)).slice(0, rowsMax);
  return { ...feed, rows, held, heldCount: Math.max(feed.heldCount, held.length), skipped: 0, more: feed.more || more };
}

function narrowed(feed: Feed, filter: LiveFilter): Feed {
  const passes = (row: Row) => passesSource(row, filter);
  return { ...feed, rows: feed.rows.filter(passes), held: feed.held.filter(passes) };
}

/** A correction files an id's earlier events anew: the rows follow without being fetched again. */
function refiled(feed: Feed, rules: readonly Rule[]): Feed {
  const games = new Map(rules.map((rule) => [`${rule.kind} ${rule.eventId}`, rule.game]));
  const refile = (row: Row): Row => {
    if (row.type !== "event") return row;
    const game = games.get(`${row.event.kind} ${row.event.eventId}`);
    return game === undefined || game === row.event.game ? row : { ...row, event: { ...row.event, game } };
  };
  return { ...feed, rows: feed.rows.map(refile), held: feed.held.map(refile) };
}

/** A report is filed by who sent it, which may be found out later; only the launcher knows. */
function filed(feed: Feed, events: readonly KitEvent[]): Feed {
  const games = new Map(events.map(({ id, game }) => [id, game]));
  const file = (row: Row): Row => {
    const game = games.get(row.key);
    if (row.type !== "event" || game === undefined || game === row.event.game) return row;
    return { ...row, event: { ...row.event, game } };
  };
  return { ...feed, rows: feed.rows.map(file), held: feed.held.map(file) };
}

export function feedReducer(feed: Feed, action: FeedAction): Feed {
  switch (action.type) {
    case "loaded":
      return loaded(feed, action.events, action.more);
    case "refreshed":
      return refreshed(feed, action.events, action.more);
    case "older": {
      const rows = joined(feed.rows, listed(action.events, feed.rows)).slice(0, rowsMax);
      return { ...feed, rows, more: action.more };
    }
    case "received":
      return received(feed, action.items);
    case "refiled":
      return narrowed(refiled(feed, action.rules), action.filter);
    case "filed":
      return filed(feed, action.events);
    case "narrowed":
      return narrowed(feed, action.filter);
    case "paused":
      return { ...feed, paused: true };
    case "resumed": {
      const rows = joined(feed.rows, feed.held);
      return {
        ...feed,
        rows: rows.slice(0, rowsMax),
        held: [],
        heldCount: 0,
        paused: false,
        more: feed.more || rows.length > rowsMax,
      };
    }
  }
}
