// A batch of reports, in their order, put together by kind: what is written of each, in one go.
import { randomUUIDv7 } from "node:crypto";
import type { KitEvent } from "@kit/contract";
import type { Recognised } from "./recognise.ts";
import { type Crowd, createRoom, type Room } from "./room.ts";
import { type Sampling, sample, unsampled } from "./sampling.ts";

export type Entry = { readonly seq: number; readonly event: KitEvent };
export type Report = Entry & { readonly atMs: number; readonly lane: string; readonly recognised: Recognised };

/** What tells the reports of one kind from all others. */
export type Identity = { readonly game: string; readonly version: number; readonly key: string };

/** What is known of a kind: its issue, and how far it has come. */
export type Known = { readonly issue: string; readonly title: string; readonly sampling: Sampling };

/** A report that is kept whole. */
export type Sample = {
  readonly report: Report;
  /** The how manieth of its kind. */
  readonly number: number;
  /** False: it is only here because it is the newest. */
  readonly chosen: boolean;
};

/** What a batch says of one kind. */
export type Group = {
  readonly identity: Identity;
  /** What its issue is when there is none yet. */
  readonly issue: Omit<Recognised, "version" | "key"> & {
    readonly id: string;
    readonly game: string | null;
    readonly lane: string;
    readonly isOverflow: boolean;
  };
  readonly isNew: boolean;
  readonly entries: Entry[];
  /** Reports by the minute they fall in. */
  readonly minutes: Map<number, number>;
  firstMs: number;
  lastMs: number;
  sampling: Sampling;
  readonly samples: Sample[];
};

const aMinuteMs = 60_000;
/** No fingerprint of a report has this version. */
const overflowVersion = 0;

export const identityOf = ({ event, recognised }: Report): Identity => ({
  game: event.game ?? "",
  version: recognised.version,
  key: recognised.key,
});
export const overflowOf = ({ event, lane }: Report): Identity => ({
  game: event.game ?? "",
  version: overflowVersion,
  key: lane,
});
export const nameOf = ({ game, version, key }: Identity): string => JSON.stringify([game, version, key]);

/** Who shares a bound: the game where it is known, else who sent it. */
export function laneOf({ game, origin, client }: KitEvent): string {
  return (game ?? origin ?? client?.split(" ", 1)[0] ?? "unknown").slice(0, 200).toWellFormed();
}

const overflowed = (lane: string) => ({
  title: `More kinds of errors than are told apart, from ${lane}`,
  dialect: "text" as const,
  why: "Too many new kinds of errors came at once, or there are too many already: these are counted together, each of them exactly once.",
  culprit: null,
});

function add(group: Group, report: Report): void {
  const { seq, event, atMs } = report;
  group.entries.push({ seq, event });
  const minuteMs = Math.floor(atMs / aMinuteMs) * aMinuteMs;
  group.minutes.set(minuteMs, (group.minutes.get(minuteMs) ?? 0) + 1);
  group.firstMs = Math.min(group.firstMs, atMs);
  group.lastMs = Math.max(group.lastMs, atMs);
  const { after, chosen } = sample(group.sampling, atMs);
  group.sampling = after;
  // The newest is always kept; it gives way to the next one unless it was chosen.
  if (group.samples.at(-1)?.chosen === false) group.samples.pop();
  group.samples.push({ report, number: after.seen, chosen });
}

export type Standing = {
  readonly known: ReadonlyMap<string, Known>;
  /** Of the lanes that have a report of an unknown kind. */
  readonly crowds: ReadonlyMap<string, Crowd>;
};

/** Same reports in the same order, same groups: however they are cut into batches. */
export function groupReports(reports: readonly Report[], { known, crowds }: Standing): Group[] {
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
    const { atMs } = report;
    const sampling = existing?.sampling ?? unsampled;
    const rest = { entries: [], minutes: new Map(), firstMs: atMs, lastMs: atMs, samples: [], sampling };
    const group: Group = { identity, issue, isNew: existing === undefined, ...rest };
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
