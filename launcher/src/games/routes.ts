// HTTP routes of games, rules, switches, source folders, kit.events.json, the library and sessions.
import {
  addLibraryGame,
  changeEventIdRule,
  changeLibraryGame,
  exportEventsFile,
  forgetGame,
  forgetSourceFolder,
  getCover,
  getIcon,
  getSession,
  getTimeline,
  importEventsFile,
  KitError,
  listGames,
  listLibrary,
  listSessions,
  listSourceFolders,
  playGame,
  registerGame,
  reportRun,
  setCover,
  setSourceFolder,
  switchServices,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { FastifyReply } from "fastify";
import { type Route, route } from "../http/route.ts";
import type { Storage } from "../storage/storage.ts";
import type { EventsFiles } from "./events-file.ts";
import { createRuleCountStore } from "./game-store.ts";
import type { GameRegistry } from "./games.ts";
import type { GameImage, GameLibrary } from "./library/library.ts";
import type { createRunReports } from "./sessions/run-reports.ts";
import type { GameSessionStore } from "./sessions/session-store.ts";
import { toGameSession } from "./sessions/stored-session.ts";
import type { createTimeline } from "./sessions/timeline.ts";
import type { SourceFolders } from "./sources.ts";

type GameRoutesDeps = {
  readonly storage: Storage;
  readonly games: GameRegistry;
  readonly sources: SourceFolders;
  readonly eventsFiles: EventsFiles;
  readonly library: GameLibrary;
};

function sendImage({ type, version, bytes }: GameImage, known: string | undefined, reply: FastifyReply): void {
  const tag = `"${version}"`;
  reply.header("content-type", type).header("cache-control", "private, no-cache").header("etag", tag);
  if (known === tag) reply.code(304).send();
  else reply.send(bytes);
}

export function gameRoutes({ storage, games, sources, eventsFiles, library }: GameRoutesDeps): readonly Route[] {
  const counts = createRuleCountStore(storage);
  return [
    route(listGames, async () => {
      const { rules, ...known } = games.list();
      return { ...known, rules: await counts.addCounts(rules) };
    }),
    route(registerGame, ({ body }) => games.registerGame(body.game, body.switches ?? {})),
    route(forgetGame, ({ query }) => games.deleteGame(query.game)),
    route(changeEventIdRule, async ({ body: { kind, eventId, ...change } }) =>
      counts.addCount(await games.changeRule(kind, eventId, change)),
    ),
    route(switchServices, ({ body }) => games.switchServices(body)),

    route(listSourceFolders, async () => ({ sources: await sources.list() })),
    route(setSourceFolder, ({ body }) => sources.set(body.game, body.root, body.editor)),
    route(forgetSourceFolder, ({ query }) => sources.forget(query.game)),

    route(exportEventsFile, ({ query }) => eventsFiles.export(query.game)),
    route(importEventsFile, ({ body, query }) => eventsFiles.import(body, query)),

    route(listLibrary, async () => ({ games: await library.list() })),
    route(addLibraryGame, ({ body }) => library.add(body)),
    route(changeLibraryGame, ({ body }) => library.change(body)),
    route(playGame, ({ params }) => library.play(params.game)),
    route(setCover, ({ params, body }) => library.setCover(params.game, body)),
    route(getCover, async ({ params, header }, reply) =>
      sendImage(await library.cover(params.game), header("if-none-match"), reply),
    ),
    route(getIcon, async ({ params, header }, reply) =>
      sendImage(await library.icon(params.game), header("if-none-match"), reply),
    ),
  ];
}

type SessionRoutesDeps = {
  readonly store: GameSessionStore;
  readonly timeline: ReturnType<typeof createTimeline>;
  readonly saveRun: ReturnType<typeof createRunReports>;
};

const sessionsPerPage = 50;

export function gameSessionRoutes({ store, timeline, saveRun }: SessionRoutesDeps): readonly Route[] {
  const find = async (id: string) => {
    const found = await store.find(id);
    if (found === undefined) throw new KitError("not_found", message("session.unknown"));
    return found;
  };
  return [
    route(listSessions, async ({ query: { game = null, before = null, limit = sessionsPerPage } }) => {
      if (before !== null) await find(before);
      const [found, forgotten] = await Promise.all([store.list(game, before, limit + 1), store.countDeleted()]);
      return { sessions: found.slice(0, limit).map(toGameSession), more: found.length > limit, forgotten };
    }),
    route(getSession, async ({ params }) => toGameSession(await find(params.id))),
    route(getTimeline, async ({ params, query }) => timeline(await find(params.id), Number(query.after ?? 0))),
    route(reportRun, ({ body }) => saveRun(body)),
  ];
}
