// Tests of accessibility with axe: the event rules, wide and at 390 px.
import assert from "node:assert/strict";
import { importEventsFile } from "@kit/contract";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessibleInBothSchemes } from "./accessible.ts";
import { answerAs } from "./answer-as.ts";
import { launcherWithRules, someRules } from "./component/fake-rules.ts";
import { hostileStrings } from "./hostile-strings.ts";
import { postRuleOf } from "./post-samples.ts";
import { eventRuleOf } from "./rule-samples.ts";
import { openStage, resizeTo } from "./stage.ts";

const skip = skipWithout("Chromium");

test("list, editor and import of event rules are accessible in both colour schemes, wide and at 390 px", {
  skip,
}, async () => {
  const fake = launcherWithRules({ rules: someRules(), postRules: [postRuleOf("saga_*")] });
  const changes = [{ eventId: "saga_step", what: "label", from: "", to: "A step" }];
  fake.when(importEventsFile).reply(() => ({ changes, before: { kitEvents: 1, game: "saga", events: {} } }));
  // The page's own security policy would block axe.
  await using stage = await openStage({ bypassCSP: true, prepare: (page) => answerAs(page, fake) });
  const { page, launcher } = stage;
  await page.goto(`http://127.0.0.1:${launcher.port}/#/rules`);
  const row = (name: string) => page.getByRole("article", { name, exact: true });
  for (const width of [1280, 390]) {
    await resizeTo(page, width, 840);
    await row("Step").waitFor();
    await assertAccessibleInBothSchemes(page, `list at ${width}`);
    await row("Boss defeted").getByRole("button").first().click();
    await page.getByText("A clip of 25 s at", { exact: false }).waitFor();
    await page.getByLabel("Maximum length").fill("3");
    await assertAccessibleInBothSchemes(page, `editor at ${width}`);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Dismiss" }).click();
    const buffer = Buffer.from(JSON.stringify({ kitEvents: 1, game: "saga", events: {} }));
    const file = { name: "kit.events.json", mimeType: "application/json", buffer };
    await page.getByLabel("kit.events.json", { exact: true }).setInputFiles(file);
    await page.getByText("This file makes 1 change.", { exact: false }).waitFor();
    await assertAccessibleInBothSchemes(page, `import at ${width}`);
    await page.keyboard.press("Escape");
  }
});

test("hostile ids, labels and suggested texts make nothing wider than the page", { skip }, async () => {
  const rules = hostileStrings.slice(0, 24).map((text, n) => {
    const id = `saga_${n}_${text.slice(0, 100)}`;
    return eventRuleOf(id, { kind: "social", label: text, icon: text, similarTo: text, postText: text });
  });
  await using stage = await openStage({ prepare: (page) => answerAs(page, launcherWithRules({ rules })) });
  const { page, launcher, complaints } = stage;
  for (const [n, { eventId }] of rules.entries()) {
    await page.goto(`http://127.0.0.1:${launcher.port}/#/rules?${new URLSearchParams({ open: eventId })}`);
    await page
      .getByRole("complementary")
      .filter({ hasText: `saga_${n}_` })
      .waitFor();
    const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflowPx <= 0, eventId);
  }
  assert.deepEqual(complaints, []);
});
