// HTTP routes of the library.
import { changeLibraryGame, getCover, getIcon, listLibrary, playGame, setCover } from "@kit/contract";
import type { FastifyReply } from "fastify";
import { type Route, route } from "../../http/route.ts";
import type { ImageContent, Library } from "./library.ts";

export function libraryRoutes(library: Library): readonly Route[] {
  return [
    route(listLibrary, async () => ({ games: await library.list() })),
    route(changeLibraryGame, ({ body }) => library.change(body)),
    route(playGame, ({ params }) => library.play(params.game)),
    route(setCover, ({ params, body }) => library.setCover(params.game, body)),
    route(getCover, async ({ params, header }, reply) =>
      send(await library.cover(params.game), header("if-none-match"), reply),
    ),
    route(getIcon, async ({ params, header }, reply) =>
      send(await library.icon(params.game), header("if-none-match"), reply),
    ),
  ];
}

function send({ type, version, bytes }: ImageContent, known: string | undefined, reply: FastifyReply): void {
  const tag = `"${version}"`;
  reply.header("content-type", type).header("cache-control", "private, no-cache").header("etag", tag);
  if (known === tag) reply.code(304).send();
  else reply.send(bytes);
}
