// A session as the launcher holds it while it goes on, and as it is told.
import type { GameSession, SessionEnding } from "@kit/contract";
import type { TriggerId } from "../sender-store.ts";
import type { ProcessName } from "./process-life.ts";

export type OpenSession = {
  readonly id: string;
  readonly game: string | null;
  /** Where no run is known: the id that said which game it is. */
  readonly told: TriggerId | null;
  /** It ends with it. */
  readonly process: ProcessName | null;
  /** A digest of origin and client. */
  readonly page: string | null;
  /** The id `kit run` gave it. */
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

/** Of what ends without a process that could be looked at, silence of this length is the end. */
export const quietMs = 600_000;

export const unstarted = {
  game: null,
  told: null,
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
} as const satisfies Partial<OpenSession>;

/** Nothing but its events is known of the run. */
export const isByEvents = ({ process, page, run }: OpenSession): boolean =>
  process === null && page === null && run === null;
/** `kit run` saw it end: nobody knows better. */
export const isReported = ({ ending }: OpenSession): boolean =>
  ending === "exited" || ending === "crashed" || ending === "killed";
/** Either way: a clock can be set back. */
export const isNear = ({ lastMs, startedMs }: OpenSession, atMs: number): boolean =>
  Math.abs(atMs - (lastMs ?? startedMs)) < quietMs;

const isoOf = (ms: number) => new Date(ms).toISOString();
const isoOrNull = (ms: number | null) => (ms === null ? null : isoOf(ms));

function knownBy({ run, process, page }: OpenSession): GameSession["knownBy"] {
  if (run !== null) return "run";
  if (process !== null) return "program";
  return page === null ? "events" : "page";
}

export const showSession = (sitting: OpenSession): GameSession => ({
  id: sitting.id,
  game: sitting.game,
  knownBy: knownBy(sitting),
  program: sitting.program,
  startedAt: isoOf(sitting.startedMs),
  lastEventAt: isoOrNull(sitting.lastMs),
  endedAt: isoOrNull(sitting.endedMs),
  ending: sitting.ending,
  exitCode: sitting.exitCode,
  signal: sitting.signal,
  crash: sitting.crashEvent,
  events: sitting.events,
  errors: sitting.errors,
  moments: sitting.moments,
  posts: sitting.posts,
});
