// Tests of the navigation that all pages share.
import assert from "node:assert/strict";
import { listClips, listSessions } from "@kit/contract";
import { screen, within } from "@testing-library/react";
import { test } from "vitest";
import { createFakeLauncher } from "../test/component/fake-launcher.ts";
import { openApp } from "../test/component/open-app.tsx";
import { sessionOf } from "../test/session-samples.ts";

test("the developer's pages stand apart in the navigation, and Games holds the sessions and the event rules", async () => {
  const launcher = createFakeLauncher();
  launcher.when(listSessions).reply(() => ({ sessions: [sessionOf(1)], more: false, forgotten: 0 }));
  launcher.when(listClips).reply(() => ({ clips: [], more: false, bytes: 0, quotaBytes: 1e10 }));
  await openApp("#/sessions", launcher);
  const linksOf = (name: string) =>
    within(screen.getByRole("navigation", { name })).getAllByRole<HTMLAnchorElement>("link");
  const namesOf = (name: string) => linksOf(name).map(({ textContent }) => textContent);
  assert.deepEqual(namesOf("Pages"), ["Home", "Clips", "Posts", "Issues", "Games"]);
  assert.deepEqual(namesOf("Pages for developers"), ["Live", "Connect", "Forwarding"]);
  const tabs = linksOf("Games, sessions and rules");
  assert.deepEqual(
    tabs.map((link) => [link.textContent, link.getAttribute("href"), link.getAttribute("aria-current")]),
    [
      ["Games", "#/games", null],
      ["Sessions", "#/sessions", "page"],
      ["Event rules", "#/rules", null],
    ],
  );
  await screen.findByRole("link", { name: /^Lanternwood/u });
  const current = linksOf("Pages").filter((link) => link.getAttribute("aria-current") !== null);
  assert.deepEqual(
    current.map(({ textContent }) => textContent),
    ["Games"],
  );
});
