// HTTP routes of games, rules, switches, source folders, kit.events.json and the library.
import {
  changeEventIdRule,
  changeLibraryGame,
  exportEventsFile,
  forgetGame,
  forgetSourceFolder,
  getCover,
  getIcon,
  importEventsFile,
  listGames,
  listLibrary,
  listSourceFolders,
  playGame,
  registerGame,
  setCover,
  setSourceFolder,
  switchServices,
} from "@kit/contract";
import type { FastifyReply } from "fastify";
import { type Route, route } from "../http/route.ts";
import type { Storage } from "../storage/storage.ts";
import type { EventsFiles } from "./events-file/events-file.ts";
import type { GameRegistry } from "./games.ts";
import type { GameImage, GameLibrary } from "./library/library.ts";
import { createRuleCountStore } from "./rule-count-store.ts";
import type { SourceFolders } from "./source/sources.ts";

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
