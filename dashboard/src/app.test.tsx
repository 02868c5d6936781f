// Tests of what surrounds the pages: the link behind the navigation, and commands that reach this launcher.
import assert from "node:assert/strict";
import { getCommandOptions, getHealth, listClips, listOrigins } from "@kit/contract";
import { screen } from "@testing-library/react";
import { test } from "vitest";
import { createFakeLauncher } from "../test/component/fake-launcher.ts";
import { launcherWithSessions } from "../test/component/fake-sessions.ts";
import { openApp } from "../test/component/open-app.tsx";

test("the first Tab stop moves the focus behind the navigation, so that the next one is in the page", async () => {
  const { user } = await openApp("#/home");
  await screen.findByRole("link", { name: "Play the demo" });
  await user.tab();
  assert.equal(document.activeElement?.textContent, "Skip to the content");
  await user.keyboard("{Enter}");
  assert.equal(document.activeElement?.tagName, "MAIN");
  await user.tab();
  assert.ok(document.activeElement?.closest("main") && document.activeElement.tagName !== "MAIN");
});

test("a command on a page names the data folder of the launcher that serves the page", async () => {
  const launcher = createFakeLauncher();
  launcher.when(getCommandOptions).reply(() => ({ program: "npx kit", options: '--data-dir "/mnt/my kit"' }));
  launcher.when(listClips).reply(() => ({ clips: [], more: false, bytes: 0, quotaBytes: 1e10 }));
  await openApp("#/sessions", launcher);
  await screen.findByText('npx kit run --data-dir "/mnt/my kit" -- ./mygame');
});

test("a page of one session, too, says when nothing can be stored and which web pages ask to send events", async () => {
  const { launcher } = launcherWithSessions();
  launcher.when(getHealth).reply(() => ({
    ...{ product: "kit", version: "1.0.0", capabilities: [], storage: { state: "failing", notices: [] } },
    dropped: { evicted: 0, refusals: 0, events: 0 },
  }));
  const asking = { origin: "https://play.example", state: "pending", shared: false, attempts: 1 } as const;
  const origin = { ...asking, firstAskedAt: "2026-05-01T10:00:00.000Z", expiresAt: null };
  launcher.when(listOrigins).reply(() => ({ origins: [origin], dropped: 0 }));
  await openApp("#/sessions/gone", launcher);
  await screen.findByText("Kit cannot store events right now.");
  await screen.findByRole("region", { name: "Web pages that ask to send events" });
});
