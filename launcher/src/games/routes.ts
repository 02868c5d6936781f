// Games, rules and switches over the wire.
import { changeRule, forgetGame, listGames, registerGame, switchServices } from "@kit/contract";
import { type Route, route } from "../http/route.ts";
import type { Games } from "./games.ts";
import type { SeenStore } from "./seen-store.ts";

export function gameRoutes(games: Games, seen: SeenStore): readonly Route[] {
  return [
    route(listGames, async () => {
      const { rules, ...known } = games.list();
      return { ...known, rules: await seen.ofAll(rules) };
    }),
    route(registerGame, ({ body }) => games.register(body.game, body.switches ?? {})),
    route(forgetGame, ({ query }) => games.forget(query.game)),
    route(changeRule, async ({ body: { kind, eventId, ...change } }) =>
      seen.of(await games.changeRule(kind, eventId, change)),
    ),
    route(switchServices, ({ body }) => games.switchServices(body)),
  ];
}
