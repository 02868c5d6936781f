// Assigns each event of a batch to a session. Writes nothing: the caller commits the whole result together.
//
// An event belongs to the run that sent it. If that run is unknown, or was a command that sent one event and ended, the event
// belongs to the only run of its game at that time. Without such a run, it belongs to a session that collects events of the game
// until ten minutes pass without one.
import { randomUUIDv7 } from "node:crypto";
import type { EventKind } from "@kit/contract";
import { digestOf, type SenderRegistry } from "../senders.ts";
import type { ProcessLife } from "./process-life.ts";
import type { EventToAssign, SessionStretch } from "./session-store.ts";
import {
  hasOnlyEvents,
  hasReportedEnd,
  isWithinQuietTime,
  newSessionDefaults,
  type StoredGameSession,
} from "./stored-session.ts";

export type AssignSessionsDeps = {
  readonly senders: Pick<SenderRegistry, "runIdentity" | "gameOf">;
  readonly life: Pick<ProcessLife, "isAlive" | "startedMs">;
  readonly gameOf: (kind: EventKind, eventId: string) => string | null;
};

/** What was known before the batch. */
export type BatchContext = {
  /** Open sessions, and recently ended ones, because their last events may be read only after the end. */
  readonly nearby: ReadonlyMap<string, StoredGameSession>;
  /** The sessions of the batch's senders, including ended ones. */
  readonly sessionsBySender: ReadonlyMap<number, StoredGameSession>;
  /** The stretch that ends right before the batch. */
  readonly lastStretch: SessionStretch | undefined;
};

export type SessionAssignments = {
  readonly created: readonly StoredGameSession[];
  /** All created or changed sessions in their new state. */
  readonly changed: ReadonlyMap<string, StoredGameSession>;
  readonly sessionIdBySender: ReadonlyMap<number, string>;
  readonly stretches: readonly SessionStretch[];
  /** The id of each merged session, with the id of the session that it was merged into. */
  readonly mergedInto: ReadonlyMap<string, string>;
  readonly lastStretch: SessionStretch | undefined;
};

type Counts = Pick<StoredGameSession, "events" | "errors" | "moments" | "posts">;
const noCounts: Counts = { events: 0, errors: 0, moments: 0, posts: 0 };
const countByKind = { monitor: "errors", recording: "moments", social: "posts" } as const satisfies Record<
  EventKind,
  keyof Counts
>;
const addCounts = (one: Counts, other: Counts): Counts => ({
  events: one.events + other.events,
  errors: one.errors + other.errors,
  moments: one.moments + other.moments,
  posts: one.posts + other.posts,
});

const endMs = ({ endedMs }: StoredGameSession) => endedMs ?? Number.POSITIVE_INFINITY;

class BatchAssigner {
  readonly #context: BatchContext;
  readonly #deps: AssignSessionsDeps;
  readonly #createdIds = new Set<string>();
  readonly #changed = new Map<string, StoredGameSession>();
  readonly #sessionIdBySender = new Map<number, string>();
  readonly #mergedInto = new Map<string, string>();
  readonly #nearbyIds: Set<string>;
  readonly #eventsBySender: ReadonlyMap<number | null, readonly EventToAssign[]>;

  constructor(events: readonly EventToAssign[], context: BatchContext, deps: AssignSessionsDeps) {
    this.#context = context;
    this.#deps = deps;
    this.#nearbyIds = new Set(context.nearby.keys());
    this.#eventsBySender = Map.groupBy(events, ({ sender }) => sender);
  }

  assign(events: readonly EventToAssign[]): SessionAssignments {
    const stretches: { first: number; last: number; session: string }[] = [];
    let stretch = this.#context.lastStretch && { ...this.#context.lastStretch };
    for (const event of events) {
      const owner = event.sender === null ? this.#sessionWithoutRun(event) : this.#sessionOfSender(event.sender, event);
      const session = owner && this.#countEvent(this.#current(owner), event);
      if (session === undefined) stretch = undefined;
      else if (stretch !== undefined && this.#finalId(stretch.session) === session.id) stretch.last = event.seq;
      else stretch = { first: event.seq, last: event.seq, session: session.id };
      if (stretch !== undefined && stretches.at(-1) !== stretch) stretches.push(stretch);
    }
    const withFinalId = ({ first, last, session }: SessionStretch): SessionStretch => {
      return { first, last, session: this.#finalId(session) };
    };
    return {
      created: [...this.#createdIds].flatMap((id) => this.#changed.get(id) ?? []),
      changed: this.#changed,
      sessionIdBySender: this.#sessionIdBySender,
      stretches: stretches.map(withFinalId),
      mergedInto: this.#mergedInto,
      lastStretch: stretch && withFinalId(stretch),
    };
  }

  #finalId(id: string): string {
    return this.#mergedInto.get(id) ?? id;
  }

  #current(session: StoredGameSession): StoredGameSession {
    return this.#changed.get(this.#finalId(session.id)) ?? session;
  }

  #nearby(): StoredGameSession[] {
    return [...this.#nearbyIds].flatMap((id) => this.#changed.get(id) ?? this.#context.nearby.get(id) ?? []);
  }

  #running(): StoredGameSession[] {
    return this.#nearby().filter(({ endedMs }) => endedMs === null);
  }

  #update(session: StoredGameSession): StoredGameSession {
    this.#changed.set(session.id, session);
    this.#nearbyIds.add(session.id);
    return session;
  }

  #create(members: Partial<StoredGameSession> & Pick<StoredGameSession, "startedMs">): StoredGameSession {
    const session = this.#update({ ...newSessionDefaults, id: randomUUIDv7(), ...members });
    this.#createdIds.add(session.id);
    return session;
  }

  /** Returns the run of a game at a time; undefined if there were none or several. */
  #onlyRunOf(game: string, atMs: number): StoredGameSession | undefined {
    const isRun = (session: StoredGameSession) =>
      session.game === game && (session.process !== null || session.run !== null);
    const [only, ...others] = this.#nearby().filter(
      (session) => isRun(session) && session.startedMs <= atMs && atMs <= endMs(session),
    );
    return others.length === 0 ? only : undefined;
  }

  /** Merges the session that collected events of the game before the sender of this session was known. */
  #mergeEarlierEvents(session: StoredGameSession): StoredGameSession {
    const { game, startedMs } = session;
    const isWithin = (other: StoredGameSession) =>
      other.startedMs >= startedMs && (other.lastMs ?? other.startedMs) <= endMs(session);
    const earlier = this.#running().find((other) => hasOnlyEvents(other) && other.game === game && isWithin(other));
    if (game === null || earlier === undefined) return session;
    if (this.#onlyRunOf(game, earlier.startedMs)?.id !== session.id) return session;
    this.#mergedInto.set(earlier.id, session.id);
    this.#changed.delete(earlier.id);
    this.#nearbyIds.delete(earlier.id);
    const lastMs = Math.max(earlier.lastMs ?? earlier.startedMs, session.lastMs ?? startedMs);
    return this.#update({ ...session, ...addCounts(session, earlier), lastMs });
  }

  #sessionWithoutRun({ kind, eventId, atMs }: EventToAssign): StoredGameSession | undefined {
    const game = eventId === null ? null : this.#deps.gameOf(kind, eventId);
    if (game === null || eventId === null) return undefined;
    return this.#onlyRunOf(game, atMs) ?? this.#sessionByEvents(game, [kind, eventId], atMs);
  }

  #sessionByEvents(game: string, firstTrigger: readonly [EventKind, string], atMs: number): StoredGameSession {
    const isContinued = (session: StoredGameSession) =>
      hasOnlyEvents(session) && session.game === game && isWithinQuietTime(session, atMs);
    return this.#running().findLast(isContinued) ?? this.#create({ game, firstTrigger, startedMs: atMs });
  }

  /** Returns true for a command that sent one event and ended: it is no game. */
  #isOneEventCommand(sender: number, { eventId }: EventToAssign): boolean {
    const { senders, life } = this.#deps;
    const run = senders.runIdentity(sender);
    if (run?.by === "page" || run?.by === "kit run") return false;
    if (this.#eventsBySender.get(sender)?.length !== 1) return false;
    if (run?.process && life.isAlive(run.process)) return false;
    return eventId !== null || senders.gameOf(sender) === null;
  }

  #createForSender(sender: number, { origin, client, atMs }: EventToAssign): StoredGameSession {
    const { senders, life } = this.#deps;
    const identity = senders.runIdentity(sender);
    const game = senders.gameOf(sender);
    if (identity?.by === "page") {
      const page = digestOf(origin, client);
      // A page is a new sender after a restart of the launcher, so its session is found by the page.
      const isContinued = (session: StoredGameSession) => session.page === page && isWithinQuietTime(session, atMs);
      return this.#running().find(isContinued) ?? this.#create({ game, page, startedMs: atMs });
    }
    const process = identity?.process ?? null;
    const run = identity?.run ?? null;
    const startedMs = Math.min(atMs, (process && life.startedMs(process)) ?? atMs);
    return this.#create({ game, process, run, startedMs });
  }

  #sessionOfSender(sender: number, event: EventToAssign): StoredGameSession | undefined {
    const { senders } = this.#deps;
    const id = this.#sessionIdBySender.get(sender);
    const known = id === undefined ? this.#context.sessionsBySender.get(sender) : this.#changed.get(this.#finalId(id));
    if (known === undefined && this.#isOneEventCommand(sender, event)) return this.#sessionWithoutRun(event);
    const session = known === undefined ? this.#createForSender(sender, event) : this.#current(known);
    if (this.#sessionIdBySender.has(sender)) return session;
    this.#sessionIdBySender.set(sender, session.id);
    const game = senders.runIdentity(sender) === undefined ? session.game : senders.gameOf(sender);
    return this.#mergeEarlierEvents(this.#update({ ...session, game }));
  }

  /** Counts the event. Reopens an ended session if its run may still go on, but not after `kit run` reported the end. */
  #countEvent(session: StoredGameSession, { kind, atMs }: EventToAssign): StoredGameSession {
    const counts = addCounts(session, { ...noCounts, events: 1, [countByKind[kind]]: 1 });
    const counted = { ...session, ...counts, lastMs: Math.max(session.lastMs ?? atMs, atMs) };
    if (session.endedMs === null || hasReportedEnd(session)) return this.#update(counted);
    const continues =
      session.process === null ? isWithinQuietTime(session, atMs) : this.#deps.life.isAlive(session.process);
    if (continues) return this.#update({ ...counted, endedMs: null, ending: "running" });
    return this.#update({ ...counted, endedMs: Math.max(session.endedMs, atMs) });
  }
}

export function assignSessions(
  events: readonly EventToAssign[],
  context: BatchContext,
  deps: AssignSessionsDeps,
): SessionAssignments {
  return new BatchAssigner(events, context, deps).assign(events);
}
