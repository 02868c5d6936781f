// HTTP routes of source folders.
import { forgetSource, listSources, setSource } from "@kit/contract";
import { type Route, route } from "../../http/route.ts";
import type { Sources } from "./sources.ts";

export function sourceRoutes(sources: Sources): readonly Route[] {
  return [
    route(listSources, async () => ({ sources: await sources.list() })),
    route(setSource, ({ body }) => sources.set(body.game, body.root, body.editor)),
    route(forgetSource, ({ query }) => sources.forget(query.game)),
  ];
}
