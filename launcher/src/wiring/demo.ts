// Creates the demo slice.
import { demoAccountName, demoGame } from "@kit/contract";
import { createDemo, demoRoutes } from "../demo/index.ts";
import type { Route } from "../http/route.ts";
import { log } from "../log.ts";
import { createAccountStore } from "../social/accounts/account-store.ts";
import type { SharedDeps } from "./shared.ts";

type DemoSlice = { load(): Promise<void>; readonly routes: readonly Route[]; stop(): Promise<void> };

export function wireDemo({ config, storage, now, games, feed }: SharedDeps): DemoSlice {
  const launcherArgs = ["--port", String(config.port), "--data-dir", config.dataDir];
  const demo = createDemo({
    command: [...config.ownCommand, "demo", "--json", ...launcherArgs],
    hasWindow: Boolean(config.display),
    hasStoredDemo: () => games.isRegistered(demoGame),
    onChanged: () => feed.notifyChange("demo"),
    onFailure: log.operationFailed,
  });
  /** Reopens the webhook of an earlier demo on its old port, because a draft of that demo may still be approved. */
  const reopenWebhook = async () => {
    const accounts = await createAccountStore(storage, now).all();
    const account = accounts.find(({ name, network }) => network === "webhook" && name === demoAccountName);
    const port = account?.host.split(":")[1];
    if (port !== undefined) await demo.reopenWebhook(Number(port));
  };
  return {
    load: () => reopenWebhook().catch((error) => log.operationFailed("demo webhook", error)),
    routes: demoRoutes(demo),
    stop: demo.stop,
  };
}
