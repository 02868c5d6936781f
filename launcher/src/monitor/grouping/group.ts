// A batch of reports, in their order, put together by kind: what is written of each, in one go.
import { randomUUIDv7 } from "node:crypto";
import type { KitEvent } from "@kit/contract";
import type { Recognised } from "./recognise.ts";
import { createRoom, type IssueLoad, type Room } from "./room.ts";
import { type Sampling, sample, unsampled } from "./sampling.ts";

/** `sender` is the run of the game, where that is known. */
export type Entry = { readonly seq: number; readonly sender?: number | null; readonly event: KitEvent };
export type Report = Entry & { readonly atMs: number; readonly lane: string; readonly recognised: Recognised };

/** What tells the reports of one kind from all others. */
export type Identity = { readonly game: string; readonly version: number; readonly key: string };

/** What is known of a kind: its issue, and how far it has come. */
export type Known = {
  readonly issue: string;
  readonly title: string;
  /** Reports counted so far, about: what is only counted is counted beside this. */
  readonly count: number;
  readonly sampling: Sampling;
};

/** A report that is kept whole. */
export type Sample = {
  readonly report: Report;
  /** The how manieth of its kind in this batch. */
  readonly place: number;
  /** False: it is only here because it is the newest. */
  readonly chosen: boolean;
};

/** How many reports of one kind there were, and when. */
export type Count = {
  readonly identity: Identity;
  n: number;
  /** Reports by the minute they fall in. */
  readonly minutes: Map<number, number>;
  firstMs: number;
  lastMs: number;
};

/** What a batch says of one kind. */
export type Group = Count & {
  /** What its issue is when there is none yet. */
  readonly issue: Omit<Recognised, "version" | "key"> & {
    readonly id: string;
    readonly game: string | null;
    readonly lane: string;
    readonly isOverflow: boolean;
  };
  readonly isNew: boolean;
  /** Reports of its kind before this batch, about. */
  readonly before: number;
  readonly entries: Entry[];
  sampling: Sampling;
  readonly samples: Sample[];
};

const aMinuteMs = 60_000;
/** No fingerprint of a report has this version. */
export const overflowVersion = 0;

type Identified = {
  readonly event: Pick<KitEvent, "game">;
  readonly lane: string;
  readonly recognised: Pick<Recognised, "version" | "key">;
};
export const identityOf = ({ event, recognised }: Identified): Identity => ({
  game: event.game ?? "",
  version: recognised.version,
  key: recognised.key,
});
export const overflowOf = ({ event, lane }: Pick<Identified, "event" | "lane">): Identity => ({
  game: event.game ?? "",
  version: overflowVersion,
  key: lane,
});
export const nameOf = ({ game, version, key }: Identity): string => JSON.stringify([game, version, key]);

/** Who shares a bound: the game where it is known, else who sent it. */
export function laneOf({ game, origin, client }: Pick<KitEvent, "game" | "origin" | "client">): string {
  return (game ?? origin ?? client?.split(" ", 1)[0] ?? "unknown").slice(0, 200).toWellFormed();
}

const overflowed = (lane: string) => ({
  title: `More kinds of errors than are told apart, from ${lane}`,
  dialect: "text" as const,
  why: "Too many new kinds of errors came at once, or there are too many already: these are counted together, each of them exactly once.",
  culprit: null,
});

export const nothingOf = (identity: Identity, atMs: number): Count => ({
  identity,
  n: 0,
  minutes: new Map(),
  firstMs: atMs,
  lastMs: atMs,
});

/** One more of its kind. */
export function countOne(count: Count, atMs: number): void {
  const minuteMs = Math.floor(atMs / aMinuteMs) * aMinuteMs;
  count.n += 1;
  count.minutes.set(minuteMs, (count.minutes.get(minuteMs) ?? 0) + 1);
  count.firstMs = Math.min(count.firstMs, atMs);
  count.lastMs = Math.max(count.lastMs, atMs);
}

function add(group: Group, report: Report): void {
  const { seq, event, atMs } = report;
  group.entries.push({ seq, event });
  countOne(group, atMs);
  const { after, chosen } = sample(group.sampling, group.before + group.n, atMs);
  group.sampling = after;
  // The newest is always kept; it gives way to the next one unless it was chosen.
  if (group.samples.at(-1)?.chosen === false) group.samples.pop();
  group.samples.push({ report, place: group.n, chosen });
}

export type KnownIssues = {
  readonly known: ReadonlyMap<string, Known>;
  /** Of the lanes that have a report of an unknown kind. */
  readonly crowds: ReadonlyMap<string, IssueLoad>;
};

/** Same reports in the same order, same groups: however they are cut into batches. */
export function groupReports(reports: readonly Report[], { known, crowds }: KnownIssues): Group[] {
  const groups = new Map<string, Group>();
  const rooms = new Map<string, Room>([...crowds].map(([lane, crowd]) => [lane, createRoom(crowd)]));
  const open = (report: Report, identity: Identity): Group => {
    const name = nameOf(identity);
    const existing = known.get(name);
    const isOverflow = identity.version === overflowVersion;
    const { version: _, key: __, ...words } = report.recognised;
    const issue = {
      ...words,
      ...(isOverflow ? overflowed(report.lane) : {}),
      ...(existing && { title: existing.title }),
      id: existing?.issue ?? randomUUIDv7(),
      game: report.event.game,
      lane: report.lane,
      isOverflow,
    };
    const group: Group = {
      ...nothingOf(identity, report.atMs),
      issue,
      isNew: existing === undefined,
      before: existing?.count ?? 0,
      entries: [],
      samples: [],
      sampling: existing?.sampling ?? unsampled,
    };
    groups.set(name, group);
    return group;
  };
  for (const report of reports) {
    const own = identityOf(report);
    const name = nameOf(own);
    const isTold = groups.has(name) || known.has(name) || rooms.get(report.lane)?.take(report.atMs) === true;
    const identity = isTold ? own : overflowOf(report);
    add(groups.get(nameOf(identity)) ?? open(report, identity), report);
  }
  return [...groups.values()];
}
