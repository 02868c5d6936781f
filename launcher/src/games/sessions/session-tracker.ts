// Tracks sessions: assigns the events of the journal to them, ends those that are over, and commits each batch with its cursor.
//
// Sessions do not slow ingest: it only stores the sender with each event, and the tracker reads the events up to a second later.
// One commit contains the sessions that a batch changed, the cursor, and the stretches of the journal, each of which belongs to one
// session. While one game runs, a single stretch grows. After a crash before the commit, the repeated batch gives the same result.
import { createSerialQueue } from "../../async.ts";
import type { Statement } from "../../storage/sql.ts";
import { type AssignSessionsDeps, assignSessions, type SessionAssignments } from "./assign.ts";
import type { ProcessLife } from "./process-life.ts";
import {
  deleteForgottenStretches,
  deleteOldestSessions,
  type GameSessionStore,
  insertSession,
  insertSessionSender,
  mergeSessions,
  type SessionGameFacts,
  type SessionStretch,
  saveSessionCursor,
  saveStretches,
  updateSession,
  updateSessionGames,
} from "./session-store.ts";
import { hasReportedEnd, isWithinQuietTime, type StoredGameSession } from "./stored-session.ts";

const sessionsMax = 10_000;
/** Maximum number of open sessions. Beyond it, the sessions whose last event is oldest count as ended. */
const openMax = 500;
const batchMax = 1_000;
/** How long after its end a session may still receive late events. */
const recentMs = 60_000;
const recentMax = 50;

export type SessionTrackerDeps = AssignSessionsDeps & {
  readonly store: GameSessionStore;
  readonly life: Pick<ProcessLife, "look" | "isAlive" | "startedMs">;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  readonly onChanged: () => void;
  readonly sessionsMax?: number;
};

/** A change of one session, its sender, and other statements for the same commit. */
type SessionChange = {
  readonly session: StoredGameSession;
  readonly sender?: number;
  readonly writes?: readonly Statement[];
};

export class SessionTracker {
  readonly #deps: SessionTrackerDeps;
  readonly #serialize = createSerialQueue();
  readonly #startedMs: number;
  #open = new Map<string, StoredGameSession>();
  /** Sessions that ended recently. */
  #recent: readonly StoredGameSession[] = [];
  /** The open session of each sender. */
  #sessionIdBySender = new Map<number, string>();
  /** Open sessions whose process ran at an earlier check of this launcher. */
  readonly #seenRunningIds = new Set<string>();
  #cursor: number | undefined;
  #lastStretch: SessionStretch | undefined;
  #isCaughtUp = false;
  #hasNewEvents = false;

  constructor(deps: SessionTrackerDeps) {
    this.#deps = deps;
    this.#startedMs = deps.now();
  }

  load(): Promise<void> {
    const { store } = this.#deps;
    return this.#serialize(async () => {
      const [sessions, bySender, cursor] = await Promise.all([
        store.listOpen(),
        store.openSessionsBySender(),
        store.cursor(),
      ]);
      this.#open = new Map(sessions.map((session) => [session.id, session]));
      this.#sessionIdBySender = bySender;
      this.#cursor = cursor;
    });
  }

  /** Assigns the next events of the journal. Resolves to true if more events are waiting. */
  processNextBatch(): Promise<boolean> {
    return this.#serialize(() => this.#processNextBatch());
  }

  /** Ends sessions whose process has ended, or that had no event for too long. Call it every few seconds. */
  endFinishedSessions(): Promise<void> {
    return this.#serialize(() => this.#endFinishedSessions());
  }

  /** Assigns sessions to games again, after games were registered or corrected. */
  reassignGames(): Promise<void> {
    return this.#serialize(() => this.#reassignGames());
  }

  /**
   * Finds a session with `find`, and writes what `change` makes of it. If `find` resolves to undefined, `change` makes a new
   * session.
   */
  updateSession(
    find: () => Promise<StoredGameSession | undefined>,
    change: (known: StoredGameSession | undefined) => SessionChange,
  ): Promise<StoredGameSession> {
    return this.#serialize(async () => {
      const found = await find();
      const known = found && (this.#open.get(found.id) ?? found);
      const { session, sender, writes = [] } = change(known);
      const senderWrites = sender === undefined ? [] : [insertSessionSender(sender, session.id)];
      await this.#deps.write(...writes, ...this.#saveSession(session, known === undefined), ...senderWrites);
      if (sender !== undefined && !hasReportedEnd(session)) this.#sessionIdBySender.set(sender, session.id);
      this.#remember([session]);
      this.#deps.onChanged();
      return session;
    });
  }

  #deleteOldest(): Statement[] {
    return deleteOldestSessions(this.#deps.sessionsMax ?? sessionsMax);
  }

  #saveSession(session: StoredGameSession, isNew: boolean): Statement[] {
    if (!isNew) return [updateSession(session)];
    return [insertSession(session), updateSession(session), ...this.#deleteOldest()];
  }

  #remember(sessions: Iterable<StoredGameSession>): void {
    for (const session of sessions) {
      this.#recent = this.#recent.filter(({ id }) => id !== session.id);
      if (session.endedMs === null) this.#open.set(session.id, session);
      else {
        this.#open.delete(session.id);
        this.#recent = [...this.#recent, session].slice(-recentMax);
      }
    }
    for (const [sender, id] of this.#sessionIdBySender) {
      if (!this.#open.has(id)) this.#sessionIdBySender.delete(sender);
    }
    for (const id of this.#seenRunningIds) if (!this.#open.has(id)) this.#seenRunningIds.delete(id);
  }

  async #processNextBatch(): Promise<boolean> {
    if (this.#cursor === undefined) return false;
    const { store, write, onChanged } = this.#deps;
    const events = await store.eventsAfter(this.#cursor, batchMax);
    const last = events.at(-1);
    if (last === undefined) {
      this.#isCaughtUp = true;
      return false;
    }
    const sessionsBySender = await this.#findSessions(events.map(({ sender }) => sender));
    await this.#lookAtProcesses(events);
    const context = { nearby: this.#nearby(), sessionsBySender, lastStretch: this.#lastStretch };
    const assignments = assignSessions(events, context, this.#deps);
    await write(...this.#saveAssignments(assignments), saveSessionCursor(last.seq));
    this.#cursor = last.seq;
    this.#applyAssignments(assignments);
    this.#hasNewEvents = true;
    if (assignments.changed.size > 0) onChanged();
    this.#isCaughtUp = events.length < batchMax;
    return !this.#isCaughtUp;
  }

  /** Looks at the processes of all senders of a batch, and of all sessions that the batch may belong to. */
  async #lookAtProcesses(events: readonly { readonly sender: number | null }[]): Promise<void> {
    const { life, senders } = this.#deps;
    const ids = new Set(events.map(({ sender }) => sender).filter((sender) => sender !== null));
    const ofSenders = [...ids].map((sender) => senders.runIdentity(sender)?.process);
    const ofSessions = [...this.#nearby().values()].map(({ process }) => process);
    await life.look([...ofSenders, ...ofSessions].filter((process) => process != null));
  }

  #nearby(): Map<string, StoredGameSession> {
    const nowMs = this.#deps.now();
    const recent = this.#recent.filter(({ endedMs }) => Math.abs(nowMs - (endedMs ?? 0)) < recentMs);
    return new Map([...this.#open, ...recent.map((session) => [session.id, session] as const)]);
  }

  async #findSessions(senders: readonly (number | null)[]): Promise<Map<number, StoredGameSession>> {
    const sessions = new Map<number, StoredGameSession>();
    const unknown: number[] = [];
    for (const sender of new Set(senders.filter((each) => each !== null))) {
      const session = this.#open.get(this.#sessionIdBySender.get(sender) ?? "");
      if (session === undefined) unknown.push(sender);
      else sessions.set(sender, session);
    }
    const stored = unknown.length === 0 ? [] : await this.#deps.store.findBySenders(unknown);
    for (const [sender, session] of stored) sessions.set(sender, this.#open.get(session.id) ?? session);
    return sessions;
  }

  #saveAssignments({ created, changed, sessionIdBySender, stretches, mergedInto }: SessionAssignments): Statement[] {
    return [
      ...created.map(insertSession),
      ...[...changed.values()].map(updateSession),
      ...[...sessionIdBySender].map(([sender, id]) => insertSessionSender(sender, mergedInto.get(id) ?? id)),
      ...[...mergedInto].flatMap(([id, into]) => mergeSessions(id, into)),
      ...(stretches.length === 0 ? [] : [saveStretches(stretches)]),
      ...(created.length === 0 ? [] : this.#deleteOldest()),
    ];
  }

  #applyAssignments({ changed, sessionIdBySender, mergedInto, lastStretch }: SessionAssignments): void {
    this.#lastStretch = lastStretch;
    for (const id of mergedInto.keys()) this.#open.delete(id);
    for (const [sender, id] of sessionIdBySender) this.#sessionIdBySender.set(sender, mergedInto.get(id) ?? id);
    this.#remember(changed.values());
  }

  async #endFinishedSessions(): Promise<void> {
    if (!this.#isCaughtUp) return;
    await this.#lookAtProcesses([]);
    const newestFirst = [...this.#open.values()].sort((one, other) => (other.lastMs ?? 0) - (one.lastMs ?? 0));
    const ended = newestFirst.flatMap((session, index) => {
      const end = this.#findEnd(session, index >= openMax);
      return end === undefined ? [] : [{ ...session, ...end }];
    });
    const cleanup = this.#hasNewEvents ? [deleteForgottenStretches()] : [];
    if (ended.length + cleanup.length === 0) return;
    await this.#deps.write(...ended.map(updateSession), ...cleanup);
    this.#hasNewEvents = false;
    this.#remember(ended);
    if (ended.length > 0) this.#deps.onChanged();
  }

  /** Returns when and how the session ended; undefined while it is running. */
  #findEnd(session: StoredGameSession, isAboveMax: boolean): Pick<StoredGameSession, "endedMs" | "ending"> | undefined {
    const { life, now } = this.#deps;
    const lastMs = session.lastMs ?? session.startedMs;
    const quiet = { endedMs: lastMs, ending: "quiet" } as const;
    if (isAboveMax) return quiet;
    if (session.process === null) return isWithinQuietTime(session, now()) ? undefined : quiet;
    if (life.isAlive(session.process)) {
      this.#seenRunningIds.add(session.id);
      return undefined;
    }
    if (this.#seenRunningIds.has(session.id)) return { endedMs: Math.max(now(), lastMs), ending: "ended" };
    // The process ended before the first check of it, perhaps even before the launcher started.
    return { endedMs: lastMs, ending: lastMs >= this.#startedMs ? "ended" : "unseen" };
  }

  async #reassignGames(): Promise<void> {
    const sources = await this.#deps.store.gameFacts();
    const moved = sources.flatMap((source) => {
      const game = this.#currentGame(source);
      return game === source.game ? [] : [{ id: source.id, game }];
    });
    if (moved.length === 0) return;
    await this.#deps.write(updateSessionGames(moved));
    for (const { id, game } of moved) {
      const session = this.#open.get(id);
      if (session !== undefined) this.#open.set(id, { ...session, game });
    }
    this.#deps.onChanged();
  }

  #currentGame({ game, firstTrigger, sender }: SessionGameFacts): string | null {
    const { senders, gameOf } = this.#deps;
    if (sender !== null) return senders.runIdentity(sender) === undefined ? game : senders.gameOf(sender);
    return firstTrigger === null ? game : gameOf(...firstTrigger);
  }
}
