// Composes sessions: their tracking, the reports of `kit run`, their timelines and routes. A session is one run of one game.
import { startFollower } from "../../async.ts";
import type { Route } from "../../http/route.ts";
import { log } from "../../log.ts";
import type { Storage } from "../../storage/storage.ts";
import type { EventAssignment } from "../event-assignment.ts";
import { gameSessionRoutes } from "../routes.ts";
import type { SenderRegistry } from "../senders.ts";
import type { ProcessLife } from "./process-life.ts";
import { createRunReports, type RunReportsDeps } from "./run-reports.ts";
import { createGameSessionStore, createTimelineStore } from "./session-store.ts";
import { SessionTracker, type SessionTrackerDeps } from "./session-tracker.ts";
import type { StoredGameSession } from "./stored-session.ts";
import { createTimeline, type TimelineDeps } from "./timeline.ts";

/** How often Kit looks for sessions to close. Running programs are checked at the same interval. */
const checkEveryMs = 5_000;
/** Pause between two reads of the journal. Thus, even under load, there is only one small commit a second for many events. */
const paceMs = 1_000;
/** Pause after a full batch: short, but long enough for ingest to go first. */
const behindMs = 50;
/** Delay before sessions are reassigned to games: many new ids often arrive together, and one pass serves them all. */
const reassignAfterMs = 500;

export type GameSessionsDeps = Pick<SessionTrackerDeps, "gameOf" | "now" | "onChanged"> &
  Pick<RunReportsDeps, "register" | "onRunStarted" | "onRunEnded" | "reportCrash"> &
  Omit<TimelineDeps, "store" | "now"> & {
    readonly storage: Storage;
    readonly senders: SenderRegistry;
    readonly life: ProcessLife;
    readonly assignment: Pick<EventAssignment, "waitForSenders">;
  };

export type GameSessions = {
  load(): Promise<void>;
  /** Must be called after each stored event. Cheap. */
  wake(): void;
  /** Must be called when events may belong to other games. Cheap. */
  onGamesChanged(): void;
  /** Returns when the running game started: the start of its oldest session whose process runs. Undefined if there is none. */
  runningSinceMs(game: string): Promise<number | undefined>;
  /** Returns whether `kit run` reported that this run has ended. */
  hasRunEnded(run: string): Promise<boolean>;
  readonly routes: readonly Route[];
  /** Resolves once running work has ended. */
  stop(): Promise<void>;
};

export function createGameSessions(needs: GameSessionsDeps): GameSessions {
  const { storage } = needs;
  const store = createGameSessionStore(storage);
  const tracker = new SessionTracker({ ...needs, store, write: storage.write });
  const logFailure = (error: unknown) => log.operationFailed("game session", error);
  const processBatch = async () => {
    await needs.assignment.waitForSenders();
    return tracker.processNextBatch();
  };
  const follower = startFollower({ processBatch, paceMs, behindMs, onFailure: logFailure });
  const endTimer = setInterval(() => tracker.endFinishedSessions().catch(logFailure), checkEveryMs).unref();
  let reassignTimer: NodeJS.Timeout | undefined;
  const reassign = () => {
    reassignTimer = undefined;
    tracker.reassignGames().catch(logFailure);
  };

  return {
    async load() {
      await tracker.load();
      follower.wake();
    },
    wake: follower.wake,
    onGamesChanged() {
      reassignTimer ??= setTimeout(reassign, reassignAfterMs).unref();
    },
    async runningSinceMs(game) {
      const sessions = (await store.listOpen()).filter((session) => session.game === game);
      await needs.life.look(sessions.flatMap(({ process }) => process ?? []));
      const isRunning = ({ process }: StoredGameSession) => process !== null && needs.life.isAlive(process);
      return sessions.find(isRunning)?.startedMs;
    },
    hasRunEnded: async (run) => (await store.findByRun(run))?.endedMs != null,
    routes: gameSessionRoutes({
      store,
      timeline: createTimeline({ ...needs, store: createTimelineStore(storage) }),
      saveRun: createRunReports({ ...needs, tracker, store }),
    }),
    async stop() {
      clearInterval(endTimer);
      clearTimeout(reassignTimer);
      await follower.stop();
    },
  };
}
