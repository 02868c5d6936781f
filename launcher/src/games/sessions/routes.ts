// Sessions over the wire.
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
import { showSession } from "./open-session.ts";
import type { SessionStore } from "./session-store.ts";
import type { createTimeline } from "./timeline.ts";

const listedUnlessSaid = 50;

export type SessionParts = {
  readonly store: SessionStore;
  readonly timeline: ReturnType<typeof createTimeline>;
  readonly record: (said: RunReport) => Promise<GameSession>;
};

export function sessionRoutes({ store, timeline, record }: SessionParts): readonly Route[] {
  const find = async (id: string) => {
    const found = await store.find(id);
    if (found === undefined) throw new KitError("not_found", "There is no such session. `kit sessions` lists them.");
    return found;
  };
  return [
    route(listSessions, async ({ query: { game = null, before = null, limit = listedUnlessSaid } }) => {
      if (before !== null) await find(before);
      const [found, forgotten] = await Promise.all([store.list(game, before, limit + 1), store.forgotten()]);
      return { sessions: found.slice(0, limit).map(showSession), more: found.length > limit, forgotten };
    }),
    route(getSession, async ({ params }) => showSession(await find(params.id))),
    route(getTimeline, async ({ params, query }) => timeline(await find(params.id), Number(query.after ?? 0))),
    route(recordRun, ({ body }) => record(body)),
  ];
}
