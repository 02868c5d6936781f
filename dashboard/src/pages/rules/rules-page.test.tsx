// Tests of the Rules page: rules of event ids are changed and undone, and their list is moved through with the keyboard.
import assert from "node:assert/strict";
import { changeRecordingRule } from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { test } from "vitest";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { launcherWithRules, realChanges } from "../../../test/component/fake-rules.ts";
import { fill } from "../../../test/component/fill.ts";
import { openApp } from "../../../test/component/open-app.tsx";
import { hostileStrings } from "../../../test/hostile-strings.ts";
import { postRuleOf } from "../../../test/post-samples.ts";
import { eventRuleOf } from "../../../test/rule-samples.ts";
import { visibleLine } from "../../ui/visible-text.ts";

const rowOf = async (name: string) => within(await screen.findByRole("article", { name }));
const panelOf = async (name: string) => within(await screen.findByRole("complementary", { name }));
const focused = () => document.activeElement?.getAttribute("aria-label") ?? "";

test("an event is edited by keyboard with a live preview, saved, and the change can be undone", async () => {
  const { launcher, user } = await openApp("#/rules", launcherWithRules());
  const row = await rowOf("Boss defeated");
  await row.findByText("Clip of 17 s");
  await assertAccessible();
  row.getByRole("button", { name: "Edit: Boss defeated" }).focus();
  await user.keyboard("{ArrowDown}");
  await waitFor(() => assert.equal(focused(), "Edit: Boss defeted"));
  await user.keyboard("{Home}");
  await waitFor(() => assert.equal(focused(), "Edit: Boss defeated"));
  await user.keyboard("{Enter}");
  const panel = await panelOf("Boss defeated");
  await waitFor(() => assert.equal(document.activeElement?.tagName, "H2"));
  await panel.findByText(/^A clip of 25 s at/u);
  fill(panel.getByLabelText("Before the moment"), "20,5");
  await panel.findByText(/^A clip of 33\.5 s at .* with 3 moments/u);
  await panel.findByText(/Within its cooldown/u);
  await panel.findByText(/^A single moment makes a clip of 25\.5 s\./u);
  assert.deepEqual(realChanges(launcher), []);
  fill(panel.getByLabelText("Maximum length"), "10");
  await panel.findByText("Must be at least 25.5 seconds, the time before and after the moment.");
  await assertAccessible();
  assert.ok(panel.getByRole("button", { name: "Save" }).hasAttribute("disabled"));
  fill(panel.getByLabelText("Maximum length"), "120");
  fill(panel.getByRole("textbox", { name: "Label" }), "Boss down");
  panel.getByRole("radio", { name: "Default icon" }).focus();
  await user.keyboard("{ArrowRight}");
  panel.getByRole("textbox", { name: "Label" }).focus();
  await user.keyboard("{Enter}");
  const undo = await screen.findByRole("button", { name: "Undo" });
  screen.getByText("Saved: Boss defeated.");
  assert.deepEqual(realChanges(launcher), [
    'PUT /api/recorder/rules {"eventId":"saga_boss_defeated","preSeconds":20.5}',
    'PUT /api/rules {"kind":"recording","eventId":"saga_boss_defeated","label":"Boss down","icon":"star"}',
  ]);
  // The message stays while it has the focus.
  undo.focus();
  await (await rowOf("Boss down")).findByText("Clip of 25.5 s");
  await user.click(undo);
  await screen.findByText("Undone.");
  await (await rowOf("Boss defeated")).findByText("Clip of 17 s");
  (await panelOf("Boss defeated")).getByRole("textbox", { name: "Label" }).focus();
  await user.keyboard("{Escape}");
  await waitFor(() => assert.ok(!screen.queryByRole("complementary")));
  assert.equal(focused(), "Edit: Boss defeated");
});

test("discarded changes and the reset to the defaults can be undone", async () => {
  const { launcher, user } = await openApp("#/rules?open=saga_boss_defeated", launcherWithRules());
  const panel = await panelOf("Boss defeated");
  await user.click(panel.getByRole("radio", { name: "Marker" }));
  await user.click(panel.getByRole("button", { name: "Cancel" }));
  await screen.findByText("Your changes to Boss defeated were not saved.");
  await user.click(screen.getByRole("button", { name: "Undo" }));
  const again = await panelOf("Boss defeated");
  const isMarker = () => again.getByRole("radio", { name: "Marker" }).getAttribute("aria-checked");
  await waitFor(() => assert.equal(isMarker(), "true"));
  fill(again.getByRole("slider"), "900");
  await again.findByText(/Deleted last/u);
  launcher.refuseNext(changeRecordingRule, "priority must be 0 to 1,000.");
  await user.click(again.getByRole("button", { name: "Save" }));
  await waitFor(() =>
    assert.match(again.getByRole("alert").textContent ?? "", /Not saved: priority must be 0 to 1,000\./u),
  );
  await user.click(again.getByRole("button", { name: "Save" }));
  await (await rowOf("Boss defeated")).findByText("Marker");
  await user.click(again.getByRole("button", { name: "Reset to defaults" }));
  await (await rowOf("Boss defeated")).findByText("Clip of 17 s");
  await screen.findByText("Reset to defaults: Boss defeated.");
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await (await rowOf("Boss defeated")).findByText("Marker");
  const saved = 'PUT /api/recorder/rules {"eventId":"saga_boss_defeated","action":"marker","priority":900}';
  assert.deepEqual(realChanges(launcher).slice(0, 3), [
    saved,
    saved,
    "DELETE /api/recorder/rules?eventId=saga_boss_defeated",
  ]);
  assert.match(realChanges(launcher)[3] ?? "", /"action":"marker","priority":900\}$/u);
});

test("a row has the switch, the suggestion for a mistyped id, and the link to its post rules", async () => {
  const launcher = launcherWithRules({ postRules: [postRuleOf("saga_*")] });
  const { user } = await openApp("#/rules", launcher);
  const accepts = await screen.findByRole("switch", { name: "Recording: accept Step" });
  await user.click(accepts);
  await screen.findByText("Kit accepts Step again.");
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(() => assert.equal(accepts.getAttribute("aria-checked"), "false"));
  await (await rowOf("Boss defeated")).findByRole("link", { name: "Posts: 1 rule" });
  const mistyped = await rowOf("Boss defeted");
  await user.click(mistyped.getByRole("button", { name: "Did you mean saga_boss_defeated?" }));
  await user.click(await screen.findByRole("button", { name: "Open the other event" }));
  await (await panelOf("Boss defeated")).findByText(/The developer suggests:.*Down it went/u);
  await user.click(mistyped.getByRole("button", { name: /^Did you mean/u }));
  await user.click(await screen.findByRole("button", { name: "This is a different event" }));
  await waitFor(() => assert.ok(!screen.queryByText(/Did you mean/u)));
  assert.equal(localStorage.getItem("kit-rules-distinct"), '["saga_boss_defeted"]', "kept for the next visit");
  assert.deepEqual(realChanges(launcher), [
    'PUT /api/rules {"kind":"recording","eventId":"saga_step","enabled":true}',
    'PUT /api/rules {"kind":"recording","eventId":"saga_step","enabled":false}',
  ]);
});

test("a search narrows the list, and what finds nothing can be cleared", async () => {
  const rules = Array.from({ length: 200 }, (_, n) => eventRuleOf(`saga_event_${n}`));
  const { user } = await openApp("#/rules", launcherWithRules({ rules }));
  await rowOf("Event 0");
  const search = screen.getByRole("searchbox");
  await user.type(search, "event_43");
  await waitFor(() => assert.equal(screen.getAllByRole("article").length, 1));
  await user.clear(search);
  await user.type(search, "nothing");
  await user.click(await screen.findByRole("button", { name: "Show all events" }));
  await rowOf("Event 0");
});

test("hostile ids, labels, suggested texts and reasons are shown as text", async () => {
  const rules = hostileStrings.slice(0, 24).map((text, n) => {
    const id = `saga_${n}_${text.slice(0, 100)}`;
    return eventRuleOf(id, { kind: "social", label: text, icon: text, similarTo: text, postText: text });
  });
  await openApp("#/rules", launcherWithRules({ rules }));
  for (const { eventId, label } of rules) {
    location.hash = `#/rules?${new URLSearchParams({ open: eventId })}`;
    await waitFor(() =>
      assert.equal(document.querySelector(".rule-panel h2")?.textContent, visibleLine(label ?? "", 100)),
    );
    assert.ok(!document.querySelector("script, iframe, [onerror], [onload]"));
  }
});
