// HTTP routes of sessions: the list, one session, its timeline, and the reports of `kit run`.
import { getSession, getTimeline, KitError, listSessions, reportRun } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type Route, route } from "../../http/route.ts";
import type { createRunReports } from "./run-reports.ts";
import type { GameSessionStore } from "./session-store.ts";
import { toGameSession } from "./stored-session.ts";
import type { createTimeline } from "./timeline.ts";

type SessionRoutesDeps = {
  readonly store: GameSessionStore;
  readonly timeline: ReturnType<typeof createTimeline>;
  readonly saveRun: ReturnType<typeof createRunReports>;
};

const defaultLimit = 50;

export function gameSessionRoutes({ store, timeline, saveRun }: SessionRoutesDeps): readonly Route[] {
  const find = async (id: string) => {
    const found = await store.find(id);
    if (found === undefined) throw new KitError("not_found", message("session.unknown"));
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
    route(reportRun, ({ body }) => saveRun(body)),
  ];
}
