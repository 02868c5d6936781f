// HTTP routes of sessions.
import {
  type GameSession,
  getSession,
  getTimeline,
  KitError,
  listSessions,
  type RunReport,
  recordRun,
} from "@kit/contract";
import { type Route, route } from "../../http/route.ts";
import { toGameSession } from "./open-session.ts";
import type { SessionStore } from "./session-store.ts";
import type { createTimeline } from "./timeline.ts";

const defaultLimit = 50;

export type SessionRouteDeps = {
  readonly store: SessionStore;
  readonly timeline: ReturnType<typeof createTimeline>;
  readonly saveRun: (report: RunReport) => Promise<GameSession>;
};

export function sessionRoutes({ store, timeline, saveRun }: SessionRouteDeps): readonly Route[] {
  const find = async (id: string) => {
    const found = await store.find(id);
    if (found === undefined) throw new KitError("not_found", "There is no such session. `kit sessions` lists them.");
    return found;
  };
  return [
    route(listSessions, async ({ query: { game = null, before = null, limit = defaultLimit } }) => {
      if (before !== null) await find(before);
      const [found, forgotten] = await Promise.all([store.list(game, before, limit + 1), store.countDeleted()]);
      return { sessions: found.slice(0, limit).map(toGameSession), more: found.length > limit, forgotten };
    }),
    route(getSession, async ({ params }) => toGameSession(await find(params.id))),
    route(getTimeline, async ({ params, query }) => timeline(await find(params.id), Number(query.after ?? 0))),
    route(recordRun, ({ body }) => saveRun(body)),
  ];
}
