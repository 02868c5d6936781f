// Tests of hostile text on every page: whatever a game, or a program that pretends to be one, puts into any text,
// no script runs, the security policy blocks nothing, no dialog opens, no other server is contacted, and no page scrolls sideways.
import assert from "node:assert/strict";
import { changeIssue, networks, previewPost } from "@kit/contract";
import type { Page, Route } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { visibleLine, visibleText } from "../src/ui/visible-text.ts";
import { answerAs } from "./answer-as.ts";
import { answerFor, answersWith } from "./clip-answers.ts";
import { clipOf, everyKind, ruleOf } from "./clip-samples.ts";
import { createFakeLauncher, type FakeLauncher } from "./component/fake-launcher.ts";
import { type FakePosts, givePosts, previewsOf } from "./component/fake-posts.ts";
import { hostileStrings } from "./hostile-strings.ts";
import { clientOf, issueOf, issuesShown, stackOf } from "./issue-stage.ts";
import { answerPictures } from "./post-pictures.ts";
import { accountOf, everyPost, postIdOf, postRuleOf } from "./post-samples.ts";
import { eventually, openStage, resizeTo, type Stage } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");

/** The pages draw more of a long text only on request. */
const drawnCharsMax = 6_000;

/** Elements that no page creates, and addresses that no page links to. */
const forbiddenElements = [
  "iframe, object, embed, base, template, math, meta[http-equiv], #kit script, #kit style, #kit link",
  "[onerror], [onload], [onfocus], [ontoggle], [onblur], [contenteditable]",
  "img[src]:not([src^='/assets/'], [src^='/api/clips/'], [src^='/api/posts/']), video[src]:not([src^='/api/clips/'])",
  "img[srcset]:not([srcset^='/api/clips/']), source",
  // A network gives the address of a post itself. Only https pages are allowed.
  "a[href]:not([href^='#/'], [href^='/api/clips/'], [href^='/sdk/'], [target='_blank'][href^='https://'])",
].join(", ");

const narrowWidths = [320, 360, 480, 640, 768];
/** Pages to check at the narrow widths too, with the places where that was done. It costs minutes on lists of hundreds of rows. */
const checkedNarrow = new WeakMap<Page, Set<string>>();

async function assertFits(page: Page, where: string): Promise<void> {
  const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(overflowPx <= 0, `${where} grew ${overflowPx} px too wide`);
}

async function assertHarmless(page: Page, place: string, detail = ""): Promise<void> {
  const where = `${place} ${detail}`;
  const forbidden = await page.locator(forbiddenElements).evaluateAll((found) => found.map((each) => each.outerHTML));
  assert.deepEqual(forbidden, [], where);
  await assertFits(page, where);
  const checked = checkedNarrow.get(page);
  const size = page.viewportSize();
  if (checked === undefined || size === null || checked.has(place)) return;
  checked.add(place);
  for (const width of narrowWidths) {
    await resizeTo(page, width, size.height);
    await assertFits(page, `${where}, ${width} px wide,`);
  }
  await page.setViewportSize(size);
}

/** Fields that contain text from outside, or may one day. */
const texts = new Set(
  "message stackTrace title game eventId origin client note why function file text label detail reason path link name says source encoder body dialect degraded root altText contentWarning asks host stopped lastError pattern what problems program signal".split(
    " ",
  ),
);

/** The same answer with hostile texts in those fields. */
function poisoned(value: unknown, next: Poison["next"], member = ""): unknown {
  if (typeof value === "string") return texts.has(member) ? next(member) : value;
  if (Array.isArray(value)) return value.map((each) => poisoned(each, next, member === "notes" ? "text" : member));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, poisoned(each, next, name)]));
}

/** Fills fields that are null, so that they get a hostile text too. */
const filled = (issue: object) => ({ ...issue, game: "x", note: "x", culprit: { function: "x", file: "x" } });

const crashed = (session: object) => ({ ...session, game: "x", program: "x", signal: "x", ending: "crashed" });

/** `next` returns the next hostile text, for the field of the given name. */
type Poison = { next: (member: string) => string };

/** Replaces the texts in all of the launcher's answers, except the feed. */
async function poisonAnswers(page: Page, poison: Poison): Promise<void> {
  const answer = async (route: Route) => {
    const request = route.request();
    if (request.method() !== "GET" || /\/api\/(?:feed|health)|\/(?:video|poster|preview)$/u.test(request.url()))
      return await route.fallback();
    // Any requested report is answered with the same one, with other texts.
    const url = request.url().replace(/[?&]event=[^&]*/u, "");
    // A kept-alive connection may close just as it is used again.
    const fetched = await route.fetch({ url, maxRetries: 3 });
    const json = await fetched.json();
    if (json.issue) {
      json.issue = filled(json.issue);
      json.report = { ...json.report, origin: "x", client: "x" };
      for (const frame of json.report.frames) frame.source = { path: "x", link: "x" };
    }
    if (json.issues) json.issues = json.issues.map(filled);
    if (json.sessions) json.sessions = json.sessions.map(crashed);
    if (json.session) json.session = crashed(json.session);
    // The clips are the samples', so every entry belongs to one of those.
    if (json.entries) json.entries = json.entries.map((entry: object) => ({ ...entry, clip: clipOf(0).id, second: 1 }));
    return await route.fulfill({ response: fetched, json: poisoned(json, poison.next) });
  };
  await page.context().route(/\/api\/(?!clips|recorder|posts|post-|accounts)/u, answer);
}

/** Returns the next text of the corpus at each call, and starts over after the last. */
function rotation(): () => string {
  let at = 0;
  return () => hostileStrings[at++ % hostileStrings.length] ?? "";
}

/** Posts, accounts and rules in which each text is the next of the corpus. */
function poisonedPosts(next: () => string): FakeLauncher {
  const posts = Array.from({ length: 4 }, (_, n) =>
    everyPost().map((post, at) => ({ ...post, id: postIdOf(900 - n * 20 - at), asks: post.asks && "x" })),
  ).flat();
  const accounts = networks.map((network, n) =>
    accountOf(network, { link: "x", lastError: "x", stopped: n % 2 ? "x" : null }),
  );
  const rules = Array.from({ length: 20 }, (_, n) => ({ ...postRuleOf("x"), id: `rule-${n}` }));
  const checked = Array.from({ length: 10 }, (_, n) => ({ what: "x", ok: n % 2 === 0, says: "x" }));
  const given = { posts, accounts, rules, test: { ok: false, says: "x", checked } };
  const fake = createFakeLauncher();
  const has = givePosts(fake, poisoned(given, next) as Partial<FakePosts>);
  fake.when(previewPost).reply(({ body }) => ({
    previews: previewsOf(has, body).map((preview) => ({
      ...preview,
      problems: [...preview.problems, next(), next()],
    })),
  }));
  return fake;
}

/** Opens a stage that reports any script that does not belong to the page, and any request to another server. */
async function openWatchedStage(poison?: Poison): Promise<Stage & { go(fragment: string): Promise<void> }> {
  const requested: string[] = [];
  const next = rotation();
  const clips = Array.from({ length: 40 }, (_, n) => clipOf(n, { poster: false, preview: false, notes: ["x"] }));
  const rules = Array.from({ length: 40 }, (_, n) => ruleOf(`x${n}`));
  const answers = poisoned({ clips: [...everyKind(), ...clips], rules }, next) as Pick<
    ReturnType<typeof answersWith>,
    "clips" | "rules"
  >;
  const prepare = async (page: Page) => {
    await page.context().addInitScript(() => {
      for (const name of ["alert", "confirm", "prompt", "print", "open"] as const)
        Object.defineProperty(window, name, { value: () => console.error(`canary: ${name} was called`) });
    });
    page.on("request", (request) => requested.push(request.url()));
    await answerPictures(page);
    await answerFor(page, answersWith(answers));
    await answerAs(page, poisonedPosts(next));
    if (poison) await poisonAnswers(page, poison);
  };
  const stage = await openStage({ prepare });
  const origin = `http://127.0.0.1:${stage.launcher.port}/`;
  const go = async (fragment: string) => void (await stage.page.goto(origin + fragment));
  return {
    ...stage,
    go,
    get complaints() {
      const elsewhere = requested.filter((address) => !address.startsWith(origin) && address !== "about:blank");
      return [...stage.complaints, ...elsewhere.map((address) => `requested elsewhere: ${address}`)];
    },
  };
}

/** The text as HTTP allows it in a header: its UTF-8, without control characters. */
const headerOf = (text: string) =>
  Buffer.from(text.slice(0, 200))
    .toString("latin1")
    .replaceAll(/\p{Cc}/gu, " ")
    .trim() || "x";

/** Sends the whole corpus as a game would, in every field and in the headers. */
async function sendCorpus({ launcher }: Stage): Promise<string[]> {
  const events: string[] = [];
  for (const [n, text] of hostileStrings.entries()) {
    const headers = { "user-agent": headerOf(text) };
    const stackTrace = n % 2 === 0 ? text : stackOf("x").replaceAll("res://", text.replaceAll("\n", " ").slice(0, 200));
    const { status, id } = await launcher.send("monitor", { message: text, stackTrace }, headers);
    assert.equal(status, 202, JSON.stringify(text.slice(0, 60)));
    events.push(id);
    await launcher.send(n % 2 ? "recording" : "social", { eventId: text.slice(0, 100) }, headers);
    await launcher.send("recording", { eventId: "x_y" }, { origin: n % 2 ? headerOf(text) : `https://x${n}.example` });
  }
  return events;
}

test("hostile text in real requests runs nothing on any page", { skip }, async () => {
  await using stage = await openWatchedStage();
  const { page, go } = stage;
  const events = await sendCorpus(stage);
  const client = clientOf(stage.launcher);
  const ids = new Map<string, string>();
  for (const [n, event] of events.entries()) {
    const id = await issueOf({ client }, event);
    if (ids.has(id)) continue;
    ids.set(id, event);
    const note = hostileStrings[n] ?? "";
    await client.call(changeIssue, { params: { id }, body: { note } });
  }
  await go("#/live");
  await page.locator(".row").first().waitFor();
  await assertHarmless(page, "Live");
  for (const row of (await page.locator(".row").all()).filter((_, n) => n % 20 === 0)) {
    await row.click();
    await page.getByRole("complementary", { name: "Details" }).waitFor();
    await assertHarmless(page, "Live, an event");
  }
  await go("#/issues");
  await eventually(async () => (await issuesShown(page)).length > 40, true);
  await assertHarmless(page, "Issues");
  for (const [id, event] of [...ids].filter((_, n) => n % 4 === 0)) {
    await go(`#/issues/${id}?event=${event}`);
    await page.locator(".crumbs").first().waitFor();
    await assertHarmless(page, "an issue");
  }
  await visitSession(page, go);
  await page.getByRole("button", { name: /^Alerts/ }).click();
  await page.locator(".notice-list li").first().waitFor();
  await assertHarmless(page, "Alerts");
  await go("#/connect/godot");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await stage.launcher.send("recording", { eventId: "<img src=x onerror=alert(1)>" });
  await stage.launcher.send("recording", { eventId: "x_<img src=x onerror=alert(1)>" });
  await page
    .getByRole("status")
    .filter({ hasText: /arrived|refused/ })
    .first()
    .waitFor();
  await assertHarmless(page, "Connect");
  assert.deepEqual(stage.complaints, []);
});

test("every text of an issue is shown as text, parsed and as sent", { skip }, async () => {
  const next = rotation();
  const poison: Poison = { next };
  await using stage = await openWatchedStage(poison);
  const { page, go } = stage;
  const { id: event } = await stage.launcher.send("monitor", { message: "x", stackTrace: stackOf("x") });
  const id = await issueOf({ client: clientOf(stage.launcher) }, event);
  const heading = page.locator(".issue-head h1");
  // Each page shows three texts of the corpus in the places that are checked, and the next ones everywhere else.
  for (let n = 0; n < hostileStrings.length; n += 3) {
    const [title = "", name = "", stackTrace = ""] = hostileStrings.slice(n, n + 3);
    const places = new Map([
      ["title", title],
      ["function", name],
      ["stackTrace", stackTrace || "x"],
    ]);
    poison.next = (member) => places.get(member) ?? next();
    await go(`#/issues/${id}?event=${n}`);
    await eventually(() => heading.textContent(), visibleLine(title, 400) || "Error without a message");
    assert.equal(await page.locator(".frame-name").first().textContent(), visibleLine(name, 300));
    assert.equal(await page.locator(".source-link").count(), 0);
    await assertHarmless(page, "an issue of", JSON.stringify(title.slice(0, 60)));
    await page.getByRole("radio", { name: "As sent" }).click();
    const sent = await page.getByRole("region", { name: "The stack as it was sent" }).textContent();
    assert.equal(sent, visibleText(stackTrace || "x").slice(0, drawnCharsMax));
    await assertHarmless(page, "as sent:", JSON.stringify(stackTrace.slice(0, 60)));
    await page.getByRole("radio", { name: "Parsed" }).click();
  }
  assert.deepEqual(stage.complaints, []);
});

/** Opens a session, shows some of its errors, and moves along its track. */
async function visitSession(page: Page, go: (fragment: string) => Promise<void>): Promise<void> {
  await go("#/sessions");
  await page.reload();
  await page.locator(".session-row").first().waitFor();
  await assertHarmless(page, "Sessions");
  await page.locator(".session-row").first().click();
  const errors = page.locator('.item[data-lane="errors"]');
  await errors.nth(5).waitFor();
  await assertHarmless(page, "a session");
  for (const n of [0, 5]) {
    await errors.nth(n).getByRole("button").click();
    await page.getByRole("complementary").waitFor();
    await assertHarmless(page, "a session, an event");
  }
  await page.getByRole("slider").focus();
  for (const key of ["Home", "ArrowRight", "ArrowRight", "+", "+", "End"]) await page.keyboard.press(key);
  await assertHarmless(page, "a session, after moving along the track");
}

/** Edits, previews and tests posts, accounts and rules, and opens the confirmation dialogs. */
async function visitPosts(page: Page, go: (fragment: string) => Promise<void>): Promise<void> {
  await go("#/posts");
  const draft = page.locator('.post[data-state="draft"]').first();
  await draft.getByRole("button", { name: /^Edit/ }).click();
  await draft.locator(".preview-problem").first().waitFor();
  await assertHarmless(page, "a post being edited");
  await page.getByRole("button", { name: /^Approve all/ }).click();
  await page.getByRole("dialog").waitFor();
  await assertHarmless(page, "confirmation before approving all");
  await go("#/accounts");
  await page.locator(".account").first().getByRole("button", { name: "Test" }).click();
  await page.locator(".test-result li").first().waitFor();
  await page.locator(".account").first().getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").waitFor();
  await assertHarmless(page, "a tested account, confirmation before removing it");
  await go("#/post-rules");
  await page.locator(".rule").first().getByRole("button", { name: /^Edit/ }).click();
  await page.locator(".preview-problem").first().waitFor();
  await assertHarmless(page, "a rule being edited");
}

test("every text of every page is shown as text", { skip }, async () => {
  const poison: Poison = { next: rotation() };
  await using stage = await openWatchedStage(poison);
  const { page, launcher, go } = stage;
  checkedNarrow.set(page, new Set());
  for (let n = 0; n < 30; n += 1) {
    await launcher.send("monitor", {
      message: `kind ${"abcdefghijklmnopqrstuvwxyzabcd"[n]}${"x".repeat(n)}`,
      stackTrace: "x",
    });
    await launcher.send("recording", { eventId: `saga_${n}` });
    await launcher.send("recording", { eventId: "web_x" }, { origin: `https://x${n}.example` });
  }
  const places = [
    ["#/home", ".home-line"],
    ["#/live", ".row"],
    ["#/issues", ".issue-row"],
    ["#/clips", ".clip-card"],
    ["#/recorder", ".rule-counts li"],
    ["#/rules", ".rule-row"],
    ["#/connect/godot", "h1"],
    ["#/forwarding", "h1"],
    ["#/posts", ".post"],
    ["#/accounts", ".account"],
    ["#/post-rules", ".rule"],
  ] as const;
  for (const [place, shows] of places) {
    await go(place);
    await page.reload();
    await page.locator(shows).first().waitFor();
    await assertHarmless(page, place);
    await page.getByRole("button", { name: /^Alerts/ }).click();
    await page.locator(".notice-list li").first().waitFor();
    await assertHarmless(page, `${place}, Alerts`);
    await page.keyboard.press("Escape");
  }
  await go("#/clips");
  await page.locator(".clip-link").nth(5).click();
  await page.getByRole("dialog").locator("h2").first().waitFor();
  await assertHarmless(page, "a clip");
  await page.keyboard.press("Escape");
  await visitSession(page, go);
  await visitPosts(page, go);
  assert.deepEqual(stage.complaints, []);
  // Proves that the stage notices a script that runs and a request to another server.
  await page.evaluate(() => {
    alert(1);
    new Image().src = "https://evil.example/x";
  });
  const noticed = async () => ["canary: alert", "evil.example"].every((sign) => stage.complaints.join().includes(sign));
  await eventually(noticed, true);
});
