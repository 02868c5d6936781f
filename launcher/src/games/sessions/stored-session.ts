// A session as the database stores it, and its conversion for the API.
import type { GameSession, SessionEnding } from "@kit/contract";
import { isoTime, isoTimeOrNull } from "../../storage/sql.ts";
import type { TriggerId } from "../sender-store.ts";
import type { ProcessIdentity } from "./process-life.ts";

export type StoredGameSession = {
  readonly id: string;
  readonly game: string | null;
  /** The trigger that decides the game if the run is unknown; otherwise null. */
  readonly firstTrigger: TriggerId | null;
  /** The process of the run. The session ends when this process ends. */
  readonly process: ProcessIdentity | null;
  /** A digest of origin and client of the page. */
  readonly page: string | null;
  /** The id that `kit run` gave the run. */
  readonly run: string | null;
  readonly program: string | null;
  readonly startedMs: number;
  readonly lastMs: number | null;
  readonly endedMs: number | null;
  readonly ending: SessionEnding;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly crashEvent: string | null;
  readonly events: number;
  readonly errors: number;
  readonly moments: number;
  readonly posts: number;
};

/** A session without a known process ends after this time without an event. */
export const quietTimeMs = 600_000;

export const newSessionDefaults = {
  game: null,
  firstTrigger: null,
  process: null,
  page: null,
  run: null,
  program: null,
  lastMs: null,
  endedMs: null,
  ending: "running",
  exitCode: null,
  signal: null,
  crashEvent: null,
  events: 0,
  errors: 0,
  moments: 0,
  posts: 0,
} as const satisfies Partial<StoredGameSession>;

/** Returns true if Kit knows nothing of the run but its events. */
export const hasOnlyEvents = ({ process, page, run }: StoredGameSession): boolean =>
  process === null && page === null && run === null;
/** Returns true if `kit run` reported the end, so that the end is certain. */
export const hasReportedEnd = ({ ending }: StoredGameSession): boolean =>
  ending === "exited" || ending === "crashed" || ending === "killed";
/** Returns false also for a time long before the last event: then somebody has set the clock back. */
export const isWithinQuietTime = ({ lastMs, startedMs }: StoredGameSession, atMs: number): boolean =>
  Math.abs(atMs - (lastMs ?? startedMs)) < quietTimeMs;

function knownBy({ run, process, page }: StoredGameSession): GameSession["knownBy"] {
  if (run !== null) return "run";
  if (process !== null) return "program";
  return page === null ? "events" : "page";
}

export const toGameSession = (session: StoredGameSession): GameSession => ({
  id: session.id,
  game: session.game,
  knownBy: knownBy(session),
  program: session.program,
  startedAt: isoTime(session.startedMs),
  lastEventAt: isoTimeOrNull(session.lastMs),
  endedAt: isoTimeOrNull(session.endedMs),
  ending: session.ending,
  exitCode: session.exitCode,
  signal: session.signal,
  crash: session.crashEvent,
  events: session.events,
  errors: session.errors,
  moments: session.moments,
  posts: session.posts,
});
