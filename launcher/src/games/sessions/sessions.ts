// Sessions: one run of one game each. Puts the parts of this folder together.
import type { Route } from "../../http/route.ts";
import { log } from "../../log.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Senders } from "../senders.ts";
import { startFollower } from "./follow.ts";
import { createKeeper, type KeeperNeeds } from "./keeper.ts";
import type { OpenSession } from "./open-session.ts";
import type { ProcessLife } from "./process-life.ts";
import { sessionRoutes } from "./routes.ts";
import { createRuns, type RunsNeeds } from "./runs.ts";
import { createSessionStore } from "./session-store.ts";
import { createTimeline, type TimelineNeeds } from "./timeline.ts";
import { createTimelineStore } from "./timeline-store.ts";

/** As often as programs of games are looked for. */
const lookEveryMs = 5_000;
/** Many ids are seen for the first time at once. */
const refileAfterMs = 500;

export type SessionsNeeds = Pick<KeeperNeeds, "gameOf" | "now" | "onChanged"> &
  Pick<RunsNeeds, "register" | "report"> &
  Omit<TimelineNeeds, "store" | "now"> & {
    readonly storage: Storage;
    readonly senders: Senders;
    readonly life: ProcessLife;
    /** Resolves when it is known who sent what is stored. */
    readonly settled: () => Promise<void>;
  };

export type Sessions = {
  load(): Promise<void>;
  /** An event was stored. Cheap. */
  wake(): void;
  /** Events are filed under other games now. Cheap. */
  gamesChanged(): void;
  /** When the oldest run of a game began whose process runs now; undefined where there is none. */
  runsSince(game: string): Promise<number | undefined>;
  readonly routes: readonly Route[];
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
};

export function createSessions(needs: SessionsNeeds): Sessions {
  const { storage } = needs;
  const store = createSessionStore(storage);
  const keeper = createKeeper({ ...needs, store, write: storage.write });
  const failed = (error: unknown) => log.notKept("game session", error);
  const follow = async () => {
    await needs.settled();
    return keeper.follow();
  };
  const follower = startFollower(follow, failed);
  const lookTimer = setInterval(() => keeper.look().catch(failed), lookEveryMs).unref();
  let refiling: NodeJS.Timeout | undefined;
  const refile = () => {
    refiling = undefined;
    keeper.refile().catch(failed);
  };

  return {
    async load() {
      await keeper.load();
      follower.wake();
    },
    wake: follower.wake,
    gamesChanged() {
      refiling ??= setTimeout(refile, refileAfterMs).unref();
    },
    async runsSince(game) {
      const runs = ({ process, game: of }: OpenSession) =>
        of === game && process !== null && needs.life.isAlive(process);
      return (await store.open()).find(runs)?.startedMs;
    },
    routes: sessionRoutes({
      store,
      timeline: createTimeline({ ...needs, store: createTimelineStore(storage) }),
      record: createRuns({ ...needs, keeper, store }),
    }),
    async stop() {
      clearInterval(lookTimer);
      clearTimeout(refiling);
      await follower.stop();
    },
  };
}
