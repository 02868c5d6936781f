// What the demo is handed: how Kit is started, whether something of it is kept, and where its letterbox was.
import { demoAccountName, demoGame } from "@kit/contract";
import { createDemo, type DemoGame } from "../demo/demo.ts";
import { demoRoutes } from "../demo/routes.ts";
import type { Games } from "../games/games.ts";
import type { Route } from "../http/route.ts";
import type { Feed } from "../inbox/feed.ts";
import { log } from "../log.ts";
import { createAccountStore } from "../social/accounts/account-store.ts";
import type { Core } from "./core.ts";

type DemoSlice = { load(): Promise<void>; readonly routes: readonly Route[]; stop(): Promise<void> };

/** A draft of an earlier demo may still be approved: its letterbox is opened where its account says. */
async function reopen(demo: DemoGame, { storage, now }: Omit<Core, "config">): Promise<void> {
  const accounts = await createAccountStore(storage, now).all();
  const port = accounts
    .find(({ name, network }) => network === "webhook" && name === demoAccountName)
    ?.host.split(":")[1];
  if (port !== undefined) await demo.reopen(Number(port));
}

export function createDemoFor({
  config,
  games,
  feed,
  ...core
}: Core & { readonly games: Games; readonly feed: Feed }): DemoSlice {
  const place = ["--port", String(config.port), "--data-dir", config.dataDir];
  const demo = createDemo({
    command: [...config.ownCommand, "demo", "--json", ...place],
    hasWindow: Boolean(config.display),
    isKept: () => games.isRegistered(demoGame),
    onChanged: () => feed.changed("demo"),
    onFailure: log.notKept,
  });
  return {
    load: () => reopen(demo, core).catch((error) => log.notKept("demo letterbox", error)),
    routes: demoRoutes(demo),
    stop: demo.stop,
  };
}
