// The library over the wire.
import { changeLibraryGame, getCover, listLibrary, playGame, setCover } from "@kit/contract";
import { type Route, route } from "../../http/route.ts";
import type { Library } from "./library.ts";

export function libraryRoutes(library: Library): readonly Route[] {
  return [
    route(listLibrary, async () => ({ games: await library.list() })),
    route(changeLibraryGame, ({ body }) => library.change(body)),
    route(playGame, ({ params }) => library.play(params.game)),
    route(setCover, ({ params, body }) => library.setCover(params.game, body)),
    route(getCover, async ({ params, header }, reply) => {
      const { type, version, bytes } = await library.cover(params.game);
      const tag = `"${version}"`;
      reply.header("content-type", type).header("cache-control", "private, no-cache").header("etag", tag);
      if (header("if-none-match") === tag) reply.code(304).send();
      else reply.send(bytes);
    }),
  ];
}
