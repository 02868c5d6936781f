// Which session each event of a batch belongs to. Pure but for what it is given: what comes of it is written in one go.
//
// An event belongs to the run that sent it. One whose run is not known, or was a command line that sent it and ended, belongs
// to the only run of its game that goes on, else to the session that holds what came of its game without ten minutes of silence.
import { createHash, randomUUIDv7 } from "node:crypto";
import type { EventKind } from "@kit/contract";
import type { Senders } from "../senders.ts";
import { isByEvents, isNear, isReported, type OpenSession, unstarted } from "./open-session.ts";
import type { ProcessLife } from "./process-life.ts";
import type { Arrived, Part } from "./session-store.ts";

export type AssignNeeds = {
  readonly senders: Pick<Senders, "factsOf" | "gameOf">;
  readonly life: Pick<ProcessLife, "isAlive" | "startedMs">;
  readonly gameOf: (kind: EventKind, eventId: string) => string | null;
};

/** What is known before a batch. */
export type Known = {
  /** Those that have not ended, and those that ended a moment ago: what they sent last may come behind their end. */
  readonly near: ReadonlyMap<string, OpenSession>;
  /** Of the batch's senders those that have a session, ended ones too. */
  readonly ofSenders: ReadonlyMap<number, OpenSession>;
  /** The stretch that ends right before the batch. */
  readonly lastPart: Part | undefined;
};

export type Assigned = {
  readonly begun: readonly OpenSession[];
  /** As they are now; those that begun included. */
  readonly changed: ReadonlyMap<string, OpenSession>;
  readonly owners: ReadonlyMap<number, string>;
  readonly parts: readonly Part[];
  /** What turned out to be a part of another. */
  readonly joined: ReadonlyMap<string, string>;
  readonly lastPart: Part | undefined;
};

const digestOf = (...parts: readonly (string | null)[]) =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 22);

type Counts = Pick<OpenSession, "events" | "errors" | "moments" | "posts">;
const none: Counts = { events: 0, errors: 0, moments: 0, posts: 0 };
const countOf = { monitor: "errors", recording: "moments", social: "posts" } as const satisfies Record<
  EventKind,
  keyof Counts
>;
const sumOf = (one: Counts, other: Counts): Counts => ({
  events: one.events + other.events,
  errors: one.errors + other.errors,
  moments: one.moments + other.moments,
  posts: one.posts + other.posts,
});

const endOf = ({ endedMs }: OpenSession) => endedMs ?? Number.POSITIVE_INFINITY;

export function assign(rows: readonly Arrived[], known: Known, { senders, life, gameOf }: AssignNeeds): Assigned {
  const begun = new Set<string>();
  const changed = new Map<string, OpenSession>();
  const owners = new Map<number, string>();
  const joined = new Map<string, string>();
  const sentBy = Map.groupBy(rows, ({ sender }) => sender);

  const now = (one: OpenSession): OpenSession => changed.get(joined.get(one.id) ?? one.id) ?? one;
  const nearby = new Set(known.near.keys());
  const near = (): OpenSession[] => [...nearby].flatMap((id) => changed.get(id) ?? known.near.get(id) ?? []);
  const going = (): OpenSession[] => near().filter(({ endedMs }) => endedMs === null);
  const put = (one: OpenSession): OpenSession => {
    changed.set(one.id, one);
    nearby.add(one.id);
    return one;
  };
  const begin = (what: Partial<OpenSession> & Pick<OpenSession, "startedMs">): OpenSession => {
    const one = put({ ...unstarted, id: randomUUIDv7(), ...what });
    begun.add(one.id);
    return one;
  };

  const onlyRunOf = (game: string, atMs: number): OpenSession | undefined => {
    const isRun = (one: OpenSession) => one.game === game && (one.process !== null || one.run !== null);
    const [only, ...others] = near().filter((one) => isRun(one) && one.startedMs <= atMs && atMs <= endOf(one));
    return others.length === 0 ? only : undefined;
  };
  /** What came of its game before its own sender was known. */
  const takeIn = (owner: OpenSession): OpenSession => {
    const { game, startedMs } = owner;
    const isWithin = (one: OpenSession) => one.startedMs >= startedMs && (one.lastMs ?? one.startedMs) <= endOf(owner);
    const before = going().find((one) => isByEvents(one) && one.game === game && isWithin(one));
    if (game === null || before === undefined || onlyRunOf(game, before.startedMs)?.id !== owner.id) return owner;
    joined.set(before.id, owner.id);
    changed.delete(before.id);
    nearby.delete(before.id);
    const lastMs = Math.max(before.lastMs ?? before.startedMs, owner.lastMs ?? startedMs);
    return put({ ...owner, ...sumOf(owner, before), lastMs });
  };

  const quietOf = (game: string, [kind, eventId]: readonly [EventKind, string], atMs: number): OpenSession =>
    going()
      .reverse()
      .find((one) => isByEvents(one) && one.game === game && isNear(one, atMs)) ??
    begin({ game, told: [kind, eventId], startedMs: atMs });
  const withoutRun = ({ kind, eventId, atMs }: Arrived): OpenSession | undefined => {
    const game = eventId === null ? null : gameOf(kind, eventId);
    if (game === null || eventId === null) return undefined;
    return onlyRunOf(game, atMs) ?? quietOf(game, [kind, eventId], atMs);
  };

  /** A command line that sends one event and ends is no game. */
  const isPasserBy = (sender: number, { eventId }: Arrived): boolean => {
    const facts = senders.factsOf(sender);
    if (facts?.by === "page" || facts?.by === "kit run") return false;
    if (sentBy.get(sender)?.length !== 1) return false;
    if (facts?.process && life.isAlive(facts.process)) return false;
    return eventId !== null || senders.gameOf(sender) === null;
  };
  const beginFor = (sender: number, { origin, client, atMs }: Arrived): OpenSession => {
    const facts = senders.factsOf(sender);
    const game = senders.gameOf(sender);
    if (facts?.by === "page") {
      const page = digestOf(origin, client);
      // A page is another sender after a restart of the launcher.
      return going().find((one) => one.page === page && isNear(one, atMs)) ?? begin({ game, page, startedMs: atMs });
    }
    const process = facts?.process ?? null;
    const run = facts?.run ?? null;
    const startedMs = Math.min(atMs, (process && life.startedMs(process)) ?? atMs);
    return begin({ game, process, run, startedMs });
  };
  const ownOf = (sender: number, row: Arrived): OpenSession | undefined => {
    const owner = owners.get(sender);
    const before = owner === undefined ? known.ofSenders.get(sender) : changed.get(joined.get(owner) ?? owner);
    if (before === undefined && isPasserBy(sender, row)) return withoutRun(row);
    const one = before === undefined ? beginFor(sender, row) : now(before);
    if (owners.has(sender)) return one;
    owners.set(sender, one.id);
    const game = senders.factsOf(sender) === undefined ? one.game : senders.gameOf(sender);
    return takeIn(put({ ...one, game }));
  };

  /** One that was thought to have ended goes on where there is another event of it; what `kit run` said stands. */
  const counted = (one: OpenSession, { kind, atMs }: Arrived): OpenSession => {
    const lastMs = Math.max(one.lastMs ?? atMs, atMs);
    const events = { ...sumOf(one, { ...none, events: 1, [countOf[kind]]: 1 }), lastMs };
    if (one.endedMs === null || isReported(one)) return put({ ...one, ...events });
    const goesOn = one.process === null ? isNear(one, atMs) : life.isAlive(one.process);
    if (goesOn) return put({ ...one, ...events, endedMs: null, ending: "running" });
    return put({ ...one, ...events, endedMs: Math.max(one.endedMs, atMs) });
  };

  const parts: { first: number; last: number; session: string }[] = [];
  let part = known.lastPart && { ...known.lastPart };
  for (const row of rows) {
    const own = row.sender === null ? withoutRun(row) : ownOf(row.sender, row);
    const one = own && counted(now(own), row);
    if (one === undefined) part = undefined;
    else if (part !== undefined && (joined.get(part.session) ?? part.session) === one.id) part.last = row.seq;
    else part = { first: row.seq, last: row.seq, session: one.id };
    if (part !== undefined && parts.at(-1) !== part) parts.push(part);
  }
  const settled = ({ first, last, session }: Part): Part => ({ first, last, session: joined.get(session) ?? session });
  return {
    begun: [...begun].flatMap((id) => changed.get(id) ?? []),
    changed,
    owners,
    parts: parts.map(settled),
    joined,
    lastPart: part && settled(part),
  };
}
