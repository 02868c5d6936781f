// Tests that no page with something on it scrolls sideways in a small window, in each language.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { answerAs } from "./answer-as.ts";
import { answerFor, answersWith } from "./clip-answers.ts";
import { clipOf, everyKind } from "./clip-samples.ts";
import { createFakeLauncher } from "./component/fake-launcher.ts";
import { givePosts } from "./component/fake-posts.ts";
import { launcherWithRules } from "./component/fake-rules.ts";
import { launcherWithSessions } from "./component/fake-sessions.ts";
import { clientOf, issueOf, stackOf } from "./issue-stage.ts";
import { shelf } from "./library-samples.ts";
import { answerPictures } from "./post-pictures.ts";
import { everyPost, postIdOf, postRuleOf } from "./post-samples.ts";
import { eventRuleOf } from "./rule-samples.ts";
import { fullTimeline, runningOf, sessionOf } from "./session-samples.ts";
import { openStage, resizeTo, type Stage } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");

const session = sessionOf(2);
const openClip = clipOf(20, { title: "Boss defeated in the long hall of the lantern keepers", tags: ["boss", "hall"] });
const postRules = [postRuleOf("lanternwood_boss_*"), postRuleOf("lanternwood_reached_the_end_of_the_long_road")];
const eventRules = ["lanternwood_boss_defeated", "lanternwood_reached_the_end_of_the_long_road"].map((eventId) =>
  eventRuleOf(eventId, { count: 12 }),
);

/** Answers the page with the sample data of all other tests. */
async function answerEverything(page: Page): Promise<void> {
  const ended = sessionOf(5, { ending: "crashed", signal: "SIGSEGV", exitCode: null, program: "lantern.x86_64" });
  const timelines = { [session.id]: [fullTimeline(session)] };
  await answerAs(page, launcherWithSessions({ sessions: [runningOf(0), session, ended], timelines }).launcher);
  await page.context().route(/\/api\/library(?:\?|$)/u, (route) => route.fulfill({ json: { games: shelf() } }));
  await answerFor(page, answersWith({ clips: [openClip, ...everyKind()] }));
  await answerAs(page, launcherWithRules({ rules: eventRules }));
  const launcher = createFakeLauncher();
  givePosts(launcher, { posts: everyPost(), rules: postRules });
  await answerAs(page, launcher);
  await answerPictures(page);
}

/** Each page with the element that shows its data. */
const pagesOf = (issue: string): readonly (readonly [address: string, shows: string])[] => [
  ["home", "main h1"],
  ["live", ".row"],
  ["clips", ".clip-card"],
  [`clips/${openClip.id}`, "dialog video"],
  ["issues", ".issue-row"],
  [`issues/${issue}`, ".issue-head"],
  ["posts", ".post"],
  [`posts?post=${postIdOf(30)}`, ".post"],
  ["accounts", ".account"],
  ["post-rules", ".rule"],
  ["sessions", ".session-row"],
  [`sessions/${session.id}`, ".item"],
  ["games", ".game-card"],
  ["rules", ".rule-game"],
  ["settings", "main h1"],
  ["storage", "main h1"],
  ["recorder", "main h1"],
  ["forwarding", "main h1"],
  ["connect", "main h1"],
  ["connect/godot", "main h1"],
];

const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll("main, dialog[open], .details")].some(
      (element) => element.scrollWidth > element.clientWidth + 1,
    ),
  );

async function visitAll({ page, launcher }: Stage, issue: string, widths: readonly number[]) {
  const wide: string[] = [];
  for (const [address, shows] of pagesOf(issue)) {
    await page.goto(`http://127.0.0.1:${launcher.port}/#/${address}`);
    await page.locator(shows).first().waitFor();
    for (const width of widths) {
      await resizeTo(page, width);
      if (await scrollsSideways(page)) wide.push(`${address} at ${width}`);
    }
  }
  assert.deepEqual(wide, []);
}

test("no page with data scrolls sideways in a small window, also in Japanese", { skip }, async () => {
  await using stage = await openStage({ prepare: answerEverything });
  const { page, launcher } = stage;
  const words = "The lantern keeper has no key for the door at the end of the long hall";
  const { id } = await launcher.send("monitor", { message: words, stackTrace: stackOf(words) });
  const issue = await issueOf({ client: clientOf(launcher) }, id);
  await visitAll(stage, issue, [320, 360, 480, 640, 768]);
  await page.evaluate(() => localStorage.setItem("kit-language", "ja"));
  await page.reload();
  await page.locator('html[lang="ja"] main').first().waitFor();
  await visitAll(stage, issue, [320]);
});
