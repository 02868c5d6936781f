// Test of a long list of rules in a real browser, which knows what is in view.
import assert from "node:assert/strict";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { answerAs } from "./answer-as.ts";
import { launcherWithRules } from "./component/fake-rules.ts";
import { eventRuleOf } from "./rule-samples.ts";
import { eventually, openStage } from "./stage.ts";

const skip = skipWithout("Chromium");

test("ten thousand ids scroll with only the visible rows drawn, and one key reaches the last", { skip }, async () => {
  const rules = Array.from({ length: 10_000 }, (_, n) => eventRuleOf(`saga_event_${n}`));
  await using stage = await openStage({ prepare: (page) => answerAs(page, launcherWithRules({ rules })) });
  const { page, launcher, complaints } = stage;
  await page.goto(`http://127.0.0.1:${launcher.port}/#/rules`);
  await page.getByRole("article", { name: "Event 0", exact: true }).getByRole("button").first().focus();
  await page.keyboard.press("End");
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
  await eventually(focused, "Edit: Event 9999");
  assert.ok((await page.getByRole("article").count()) < 60);
  await page.getByRole("searchbox").fill("event_4321");
  await eventually(() => page.getByRole("article").count(), 1);
  assert.deepEqual(complaints, []);
});
