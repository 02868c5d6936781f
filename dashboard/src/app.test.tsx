// Tests of what surrounds the pages: the link behind the navigation, and commands that reach this launcher.
import assert from "node:assert/strict";
import { getCommandOptions, listClips } from "@kit/contract";
import { screen } from "@testing-library/react";
import { test } from "vitest";
import { createFakeLauncher } from "../test/component/fake-launcher.ts";
import { openApp } from "../test/component/open-app.tsx";

test("the first Tab stop moves the focus behind the navigation, so that the next one is in the page", async () => {
  const { user } = await openApp("#/home");
  await screen.findByRole("button", { name: "Play the demo" });
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
