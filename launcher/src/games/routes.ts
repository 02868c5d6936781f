// Games, rules and switches over the wire.
import { changeRule, forgetGame, listGames, registerGame, switchServices } from "@kit/contract";
import { type Route, route } from "../http/route.ts";
import type { Games } from "./games.ts";

export function gameRoutes(games: Games): readonly Route[] {
  return [
    route(listGames, () => games.list()),
    route(registerGame, ({ body }) => games.register(body.game, body.switches ?? {})),
    route(forgetGame, ({ query }) => games.forget(query.game)),
    route(changeRule, ({ body: { kind, eventId, ...change } }) => games.changeRule(kind, eventId, change)),
    route(switchServices, ({ body }) => games.switchServices(body)),
  ];
}
