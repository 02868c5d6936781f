// Tests of the Rules page in a real browser: rules of event ids are changed, undone, and imported from a file.
import assert from "node:assert/strict";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { visibleLine } from "../src/ui/visible-text.ts";
import { assertAccessible, inColours } from "./accessible.ts";
import { hostileStrings } from "./hostile-strings.ts";
import { postRuleOf } from "./post-samples.ts";
import { toast } from "./post-stage.ts";
import { answerRulesFor, eventRuleOf, type RulesAnswers, rulesAnswersWith } from "./rules-answers.ts";
import { clearPage, eventually, openStage, type Stage } from "./stage.ts";

const skip = skipWithout("Chromium");

/** Loads the page with the test's answers. */
function shareRules(options: BrowserContextOptions = {}) {
  const answers = rulesAnswersWith();
  let stage: Stage | undefined;
  beforeAll(async () => {
    if (skip === false) stage = await openStage({ ...options, prepare: (page) => answerRulesFor(page, answers) });
  });
  afterAll(async () => await stage?.[Symbol.asyncDispose]());
  return async (fragment: string, given: Partial<RulesAnswers>) => {
    if (stage === undefined) throw new Error("the stage was not opened");
    const { page, launcher, complaints } = stage;
    await clearPage(page);
    Object.assign(answers, rulesAnswersWith(given));
    complaints.length = 0;
    await page.goto(`http://127.0.0.1:${launcher.port}/${fragment}`);
    return { page, answers, complaints };
  };
}

const open = shareRules();

const someRules = () => [
  eventRuleOf("saga_boss_defeated"),
  eventRuleOf("saga_boss_defeated", { kind: "social", postText: "Down it went" }),
  eventRuleOf("saga_boss_defeted", { similarTo: "saga_boss_defeated" }),
  eventRuleOf("saga_step", { enabled: false }),
  eventRuleOf("loose", { game: null }),
];

const rowOf = (page: Page, name: string) => page.getByRole("article", { name, exact: true });
const panelOf = (page: Page, name: string) => page.getByRole("complementary", { name });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
/** Real changes only, without previews and dry runs. */
const changesOf = ({ requests }: RulesAnswers) => requests.filter((each) => !/preview|dryRun/u.test(each));
const fileOf = (text: string) => ({ name: "kit.events.json", mimeType: "application/json", buffer: Buffer.from(text) });
const goodFile = JSON.stringify({ kitEvents: 1, game: "saga", events: {} });

test("an event is edited by keyboard with a live preview, saved, and the change can be undone", {
  skip,
}, async () => {
  const { page, answers, complaints } = await open("#/rules", { rules: someRules() });
  await rowOf(page, "Boss defeated").getByText("Clip of 17 s").waitFor();
  await rowOf(page, "Boss defeated").getByRole("button", { name: "Edit: Boss defeated" }).focus();
  await page.keyboard.press("ArrowDown");
  await eventually(() => focused(page), "Edit: Boss defeted");
  await page.keyboard.press("Home");
  await eventually(() => focused(page), "Edit: Boss defeated");
  await page.keyboard.press("Enter");
  const panel = panelOf(page, "Boss defeated");
  await eventually(() => page.evaluate(() => document.activeElement?.tagName), "H2");
  await panel.getByText("A clip of 25 s at", { exact: false }).waitFor();
  await panel.getByLabel("Before the moment").fill("20,5");
  await panel.getByText("A clip of 33.5 s at", { exact: false }).filter({ hasText: "with 3 moments" }).waitFor();
  await panel.getByText("Within its cooldown").waitFor();
  await panel.getByText("A single moment makes a clip of 25.5 s.", { exact: false }).waitFor();
  assert.deepEqual(changesOf(answers), []);
  await panel.getByLabel("Maximum length").fill("10");
  await panel.getByText("Must be at least 25.5 seconds, the time before and after the moment.").waitFor();
  assert.equal(await panel.getByRole("button", { name: "Save" }).isDisabled(), true);
  await panel.getByLabel("Maximum length").fill("120");
  await panel.getByRole("textbox", { name: "Label" }).fill("Boss down");
  await panel.getByRole("radio", { name: "Default icon" }).focus();
  await page.keyboard.press("ArrowRight");
  await panel.getByRole("textbox", { name: "Label" }).press("Enter");
  await toast(page, "Saved: boss defeated.").waitFor();
  assert.deepEqual(changesOf(answers), [
    'PUT /api/recorder/rules {"eventId":"saga_boss_defeated","preSeconds":20.5}',
    'PUT /api/rules {"kind":"recording","eventId":"saga_boss_defeated","label":"Boss down","icon":"star"}',
  ]);
  // The message stays while it has the focus.
  await toast(page, "Saved").getByRole("button", { name: "Undo" }).focus();
  await rowOf(page, "Boss down").getByText("Clip of 25.5 s").waitFor();
  await toast(page, "Saved").getByRole("button", { name: "Undo" }).click();
  await toast(page, "Undone.").waitFor();
  await rowOf(page, "Boss defeated").getByText("Clip of 17 s").waitFor();
  await panelOf(page, "Boss defeated").getByRole("textbox", { name: "Label" }).press("Escape");
  await panel.waitFor({ state: "detached" });
  await eventually(() => focused(page), "Edit: Boss defeated");
  assert.deepEqual(complaints, []);
});

test("discarded changes and the reset to the defaults can be undone", { skip }, async () => {
  const { page, answers, complaints } = await open("#/rules?open=saga_boss_defeated", { rules: someRules() });
  const panel = panelOf(page, "Boss defeated");
  await panel.getByRole("radio", { name: "Marker" }).click();
  await panel.getByRole("button", { name: "Cancel" }).click();
  await toast(page, "Your changes to boss defeated were not saved.").getByRole("button", { name: "Undo" }).click();
  await eventually(() => panel.getByRole("radio", { name: "Marker" }).getAttribute("aria-checked"), "true");
  await panel.getByRole("slider").fill("900");
  await panel.getByText("Deleted last").waitFor();
  answers.refuseWith = "priority must be 0 to 1,000.";
  await panel.getByRole("button", { name: "Save" }).click();
  await panel.getByRole("alert").filter({ hasText: "Not saved: priority must be 0 to 1,000." }).waitFor();
  await panel.getByRole("button", { name: "Save" }).click();
  await rowOf(page, "Boss defeated").getByText("Marker").waitFor();
  await panel.getByRole("button", { name: "Reset to defaults" }).click();
  await rowOf(page, "Boss defeated").getByText("Clip of 17 s").waitFor();
  await toast(page, "Reset to defaults").getByRole("button", { name: "Undo" }).click();
  await rowOf(page, "Boss defeated").getByText("Marker").waitFor();
  await eventually(async () => answers.recording[0]?.priority, 900);
  // The browser also reports the refused request.
  assert.deepEqual(
    complaints.filter((text) => !text.includes("422")),
    [],
  );
});

test("a row has the switch, the suggestion for a mistyped id, and the link to its post rules", { skip }, async () => {
  const given = { rules: someRules(), postRules: [postRuleOf("saga_*")] };
  const { page, answers, complaints } = await open("#/rules", given);
  const step = page.getByRole("switch", { name: "Recording: accept step" });
  await step.click();
  await toast(page, "Kit accepts step again.").getByRole("button", { name: "Undo" }).click();
  await eventually(() => step.getAttribute("aria-checked"), "false");
  await rowOf(page, "Boss defeated").getByRole("link", { name: "Posts: 1 rule" }).waitFor();
  await rowOf(page, "Boss defeted").getByRole("button", { name: "Did you mean saga_boss_defeated?" }).click();
  await page.getByRole("button", { name: "Open the other event" }).click();
  await panelOf(page, "Boss defeated").getByText("The developer suggests: Down it went").waitFor();
  await rowOf(page, "Boss defeted").getByRole("button", { name: "Did you mean" }).click();
  await page.getByRole("button", { name: "This is a different event" }).click();
  await page.reload();
  await rowOf(page, "Boss defeted").waitFor();
  assert.equal(await page.getByText("Did you mean").count(), 0);
  await page.evaluate(() => localStorage.removeItem("kit-rules-distinct"));
  assert.deepEqual(changesOf(answers), [
    'PUT /api/rules {"kind":"recording","eventId":"saga_step","enabled":true}',
    'PUT /api/rules {"kind":"recording","eventId":"saga_step","enabled":false}',
  ]);
  assert.deepEqual(complaints, []);
});

test("an import shows its changes first, applies all at once and can be undone, and a broken file is reported with the line", {
  skip,
}, async () => {
  const changes = [
    { eventId: "saga_boss_defeated", what: "recording.preSeconds", from: "12", to: "20" },
    { eventId: null, what: "build", from: "", to: "1.4.2" },
  ];
  const { page, answers } = await open("#/rules", { rules: someRules(), changes });
  const choose = (text: string) => page.getByLabel("kit.events.json", { exact: true }).setInputFiles(fileOf(text));
  await choose('{\n  "kitEvents": 1,\n}');
  const dialog = page.getByRole("dialog", { name: "Import kit.events.json" });
  await dialog.getByText("The file is not JSON.").waitFor();
  await dialog.getByText("Line 3, column 1").waitFor();
  assert.deepEqual(answers.requests, []);
  await page.keyboard.press("Escape");
  answers.fileErrors = [{ path: "/events/saga_boss/recording/preSeconds", message: "must be 120 or less" }];
  await choose(goodFile);
  await dialog.getByText("/events/saga_boss/recording/preSeconds").waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  answers.fileErrors = [];
  await choose(goodFile);
  await dialog.getByText("This file makes 2 changes.", { exact: false }).waitFor();
  await dialog.getByText("saga_boss_defeated").waitFor();
  await dialog.getByText("Build", { exact: true }).waitFor();
  assert.deepEqual(changesOf(answers), []);
  await dialog.getByRole("button", { name: "Apply 2 changes" }).click();
  await toast(page, "2 changes applied.").getByRole("button", { name: "Undo" }).click();
  await toast(page, "Undone.").waitFor();
  assert.deepEqual(changesOf(answers), [
    `PUT /api/rules/file ${goodFile}`,
    `PUT /api/rules/file?replace=true ${JSON.stringify(answers.before)}`,
  ]);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export kit.events.json of saga" }).click();
  assert.equal((await saved).suggestedFilename(), "kit.events.json");
});

test("hostile ids, labels, suggested texts and reasons are shown as text", { skip }, async () => {
  const texts = hostileStrings.slice(0, 24).map((text) => visibleLine(text, 80));
  const rules = hostileStrings.slice(0, 24).map((text, n) => {
    const id = `saga_${n}_${text.slice(0, 100)}`;
    return eventRuleOf(id, { kind: "social", label: text, icon: text, similarTo: text, postText: text });
  });
  const { page, complaints } = await open("#/rules", { rules });
  // Only visible rows are drawn, so each event is opened once.
  for (const [n, { eventId }] of rules.entries()) {
    await page.evaluate((id) => {
      location.hash = `#/rules?${new URLSearchParams({ open: id })}`;
    }, eventId);
    await eventually(() => page.locator(".rule-panel h2").textContent(), visibleLine(rules[n]?.label ?? "", 100));
    assert.equal(await page.locator("#kit :is(script, iframe, [onerror], [onload])").count(), 0);
    const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflowPx <= 0, `nothing is wider than the page: ${texts[n]}`);
  }
  assert.deepEqual(complaints, []);
});

test("ten thousand ids scroll with only the visible rows drawn, and one key reaches the last", { skip }, async () => {
  const rules = Array.from({ length: 10_000 }, (_, n) => eventRuleOf(`saga_event_${n}`));
  const { page, complaints } = await open("#/rules", { rules });
  await rowOf(page, "Event 0").getByRole("button").first().focus();
  await page.keyboard.press("End");
  await eventually(() => focused(page), "Edit: Event 9999");
  assert.ok((await page.getByRole("article").count()) < 60);
  await page.getByRole("searchbox").fill("event_4321");
  await eventually(() => page.getByRole("article").count(), 1);
  await page.getByRole("searchbox").fill("nothing like it");
  await page.getByRole("button", { name: "Show all events" }).click();
  await rowOf(page, "Event 0").waitFor();
  assert.deepEqual(complaints, []);
});

describe("list, editor and import are accessible in both colour schemes, wide and at 390 px", { skip }, () => {
  // The page's own security policy would block axe.
  const openFree = shareRules({ bypassCSP: true, reducedMotion: "reduce" });
  test("one rule of each sort", async () => {
    const changes = [{ eventId: "saga_step", what: "label", from: "", to: "A step" }];
    const { page } = await openFree("#/rules", { rules: someRules(), changes, postRules: [postRuleOf("saga_*")] });
    for (const colours of ["light", "dark"] as const) {
      await inColours(page, colours);
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 840 });
        const state = `${colours} at ${width}`;
        await rowOf(page, "Step").waitFor();
        await assertAccessible(page, `list, ${state}`);
        await rowOf(page, "Boss defeted").getByRole("button").first().click();
        await page.getByText("A clip of 25 s at", { exact: false }).waitFor();
        await page.getByLabel("Maximum length").fill("3");
        await assertAccessible(page, `editor, ${state}`);
        const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.equal(overflowPx, 0, `nothing is wider than the page, ${state}`);
        await page.getByRole("button", { name: "Cancel" }).click();
        await page.getByRole("button", { name: "Dismiss" }).click();
        await page.getByLabel("kit.events.json", { exact: true }).setInputFiles(fileOf(goodFile));
        await page.getByText("This file makes 1 change.", { exact: false }).waitFor();
        await assertAccessible(page, `import, ${state}`);
        await page.keyboard.press("Escape");
      }
    }
  });
});
