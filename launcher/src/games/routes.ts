// HTTP routes of games, rules and switches.
import { changeRule, forgetGame, listGames, registerGame, switchServices } from "@kit/contract";
import { type Route, route } from "../http/route.ts";
import type { GameRegistry } from "./games.ts";
import type { RuleCountStore } from "./rule-count-store.ts";

export function gameRoutes(games: GameRegistry, seen: RuleCountStore): readonly Route[] {
  return [
    route(listGames, async () => {
      const { rules, ...known } = games.list();
      return { ...known, rules: await seen.addCounts(rules) };
    }),
    route(registerGame, ({ body }) => games.registerGame(body.game, body.switches ?? {})),
    route(forgetGame, ({ query }) => games.deleteGame(query.game)),
    route(changeRule, async ({ body: { kind, eventId, ...change } }) =>
      seen.addCount(await games.changeRule(kind, eventId, change)),
    ),
    route(switchServices, ({ body }) => games.switchServices(body)),
  ];
}
