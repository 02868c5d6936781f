// Creates the demo slice.
import { demoAccountName, demoGame } from "@kit/contract";
import { createDemo, type DemoGame } from "../demo/demo.ts";
import { demoRoutes } from "../demo/routes.ts";
import type { GameRegistry } from "../games/games.ts";
import type { Route } from "../http/route.ts";
import type { Feed } from "../inbox/feed.ts";
import { log } from "../log.ts";
import { createAccountStore } from "../social/accounts/account-store.ts";
import type { Core } from "./core.ts";

type DemoSlice = { load(): Promise<void>; readonly routes: readonly Route[]; stop(): Promise<void> };

/** Reopens the webhook of an earlier demo on its old port, because a draft of that demo may still be approved. */
async function reopenWebhook(demo: DemoGame, { storage, now }: Omit<Core, "config">): Promise<void> {
  const accounts = await createAccountStore(storage, now).all();
  const port = accounts
    .find(({ name, network }) => network === "webhook" && name === demoAccountName)
    ?.host.split(":")[1];
  if (port !== undefined) await demo.reopenWebhook(Number(port));
}

export function wireDemo({
  config,
  games,
  feed,
  ...core
}: Core & { readonly games: GameRegistry; readonly feed: Feed }): DemoSlice {
  const launcherArgs = ["--port", String(config.port), "--data-dir", config.dataDir];
  const demo = createDemo({
    command: [...config.ownCommand, "demo", "--json", ...launcherArgs],
    hasWindow: Boolean(config.display),
    hasStoredDemo: () => games.isRegistered(demoGame),
    onChanged: () => feed.notifyChange("demo"),
    onFailure: log.operationFailed,
  });
  return {
    load: () => reopenWebhook(demo, core).catch((error) => log.operationFailed("demo webhook", error)),
    routes: demoRoutes(demo),
    stop: demo.stop,
  };
}
