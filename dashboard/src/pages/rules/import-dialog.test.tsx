// Tests of the import and export of a game's kit.events.json: what would change is shown first, applied at once, and undone.
import assert from "node:assert/strict";
import { type EventsFile, exportEventsFile, type FieldError, importEventsFile, KitError } from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { test, vi } from "vitest";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { launcherWithRules, realChanges } from "../../../test/component/fake-rules.ts";
import { openApp } from "../../../test/component/open-app.tsx";

const goodFile = JSON.stringify({ kitEvents: 1, game: "saga", events: {} });
const before: EventsFile = { kitEvents: 1, game: "saga", events: {} };
const fileOf = (text: string) => new File([text], "kit.events.json", { type: "application/json" });
const named = { name: "Import kit.events.json" };
const theDialog = async () => within(await screen.findByRole("dialog", named));

test("an import shows its changes first, applies all at once and can be undone, and a broken file is reported with the line", async () => {
  const launcher = launcherWithRules();
  const changes = [
    { eventId: "saga_boss_defeated", what: "recording.preSeconds", from: "12", to: "20" },
    { eventId: null, what: "build", from: "", to: "1.4.2" },
  ];
  let errors: FieldError[] = [{ path: "/events/saga_boss/recording/preSeconds", message: "must be 120 or less" }];
  launcher.when(importEventsFile).reply(() => {
    if (errors.length > 0)
      throw new KitError("payload_invalid", "The file is not a kit.events.json Kit can take.", errors);
    return { changes, before };
  });
  const { user } = await openApp("#/rules", launcher);
  const choose = async (text: string) =>
    await user.upload(await screen.findByLabelText("kit.events.json"), fileOf(text));
  await choose('{\n  "kitEvents": 1,\n}');
  const broken = await theDialog();
  await broken.findByText("The file is not JSON.");
  await broken.findByText("Line 3, column 1");
  assert.deepEqual(launcher.changes, []);
  await user.keyboard("{Escape}");
  await waitFor(() => assert.ok(!screen.queryByRole("dialog", named)));
  await choose(goodFile);
  const refused = await theDialog();
  await refused.findByText("/events/saga_boss/recording/preSeconds");
  await refused.findByText("must be 120 or less");
  await user.click(refused.getByRole("button", { name: "Close" }));
  errors = [];
  await choose(goodFile);
  const good = await theDialog();
  await good.findByText(/^This file makes 2 changes\./u);
  await good.findByText("saga_boss_defeated");
  await good.findByText("Build");
  await assertAccessible();
  assert.deepEqual(realChanges(launcher), []);
  await user.click(good.getByRole("button", { name: "Apply 2 changes" }));
  await screen.findByText("2 changes applied.");
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await screen.findByText("Undone.");
  assert.deepEqual(realChanges(launcher), [
    `PUT /api/rules/file ${goodFile}`,
    `PUT /api/rules/file?replace=true ${JSON.stringify(before)}`,
  ]);
});

test("the rules of a game are saved as its kit.events.json", async () => {
  const launcher = launcherWithRules();
  launcher.when(exportEventsFile).reply(() => before);
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  const { user } = await openApp("#/rules", launcher);
  await user.click(await screen.findByRole("button", { name: "Export kit.events.json of Saga" }));
  await waitFor(() => assert.deepEqual(saved, ["kit.events.json"]));
  assert.ok(launcher.asked.includes("/api/rules/file?game=saga"));
});
