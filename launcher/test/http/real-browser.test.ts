// Tests of what web pages in a real browser can send to, read from and embed of a real launcher, and when it asks for consent.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { FeedItem, KitEvent, ProblemCode, WebOrigin } from "@kit/contract";
import { EventSourceParserStream } from "eventsource-parser/stream";
import type { Browser, BrowserContext, Frame, Page } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { openBrowser } from "../support/browser.ts";
import { type LauncherProcess, startLauncherProcess } from "../support/own-launcher.ts";
import { patienceMs } from "../support/until.ts";
import { type Outcome, vectorsScript } from "./page-vectors.ts";

const skip = skipWithout("Chromium");
let launcher: LauncherProcess;
let pages: Server;
let pagesPort = 0;
let browser: Browser;
let context: BrowserContext;
let kit = "";

beforeAll(async () => {
  if (skip) return;
  launcher = await startLauncherProcess();
  kit = `http://127.0.0.1:${launcher.port}`;
  pages = createServer((_, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>a page</title><body>");
  }).listen(0, "127.0.0.1");
  await once(pages, "listening");
  pagesPort = (pages.address() as AddressInfo).port;
  const rules = ["MAP rebind.test 127.0.0.1", `MAP game.example:80 127.0.0.1:${pagesPort}`];
  browser = await openBrowser(rules);
  context = await browser.newContext();
  context.setDefaultTimeout(patienceMs);
  await signIn();
});
afterAll(async () => {
  await browser?.close();
  pages?.close();
  await launcher?.[Symbol.asyncDispose]();
});

/** The attacked browser is the one in which the user is signed in to the dashboard. */
async function signIn(): Promise<void> {
  const { ticket } = (await launcher.api("POST", "/api/tickets")).json<{ ticket: string }>();
  const page = await context.newPage();
  const opened = page.waitForResponse((response) => response.url() === `${kit}/api/session`);
  await page.goto(`${kit}/#t=${ticket}`);
  assert.equal((await opened).status(), 201);
  assert.ok((await context.cookies(`${kit}/api/events`)).length > 0, "the browser holds the session's cookie");
}

async function storedEvents(): Promise<KitEvent[]> {
  return (await launcher.api("GET", "/api/events?limit=500")).json<{ events: KitEvent[] }>().events;
}
const eventIdsOf = (events: readonly KitEvent[], name: string) =>
  events
    .map(({ eventId }) => eventId ?? "")
    .filter((eventId) => eventId.startsWith(`${name}_`))
    .map((eventId) => eventId.slice(name.length + 1))
    .toSorted();

/** Opens a page. An address that ends in /hostile is served here, like an attacker's own server would. */
async function openPage(address: string): Promise<Page> {
  const page = await context.newPage();
  if (!address.endsWith("/hostile")) {
    await page.goto(address);
    return page;
  }
  await page.route(address, (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><body>" }));
  await page.goto(address);
  // While a request is routed, the browser does not send its own preflights.
  await page.unrouteAll();
  return page;
}

/** An iframe without an origin of its own, which any site can create. */
async function sandboxed(page: Page): Promise<Frame> {
  await page.setContent('<iframe sandbox="allow-scripts allow-forms" srcdoc="<!doctype html><body>"></iframe>');
  const frame = page.frames().find((candidate) => candidate !== page.mainFrame());
  assert.ok(frame);
  return frame;
}

/** `shown` is the content of the page's frames that came from the launcher. */
type Got = { readonly outcomes: readonly Outcome[]; readonly shown: readonly string[] };

/** Tries everything from a page, waits until no request is running, and closes it. */
async function attack(page: Page, where: Page | Frame, name: string, at = kit): Promise<Got> {
  const outcomes = (await where.evaluate(
    `${vectorsScript}(${JSON.stringify(at)}, ${JSON.stringify(name)})`,
  )) as Outcome[];
  await page.waitForLoadState("networkidle");
  const framed = page
    .frames()
    .filter((frame) => frame.parentFrame() !== null && frame !== where && frame.url().startsWith(at));
  const shown = await Promise.all(framed.map((frame) => frame.content()));
  await page.close();
  return { outcomes, shown };
}

/** Content of the launcher that a page must never see. */
const isSecret = /"product"|"events"|"ticket"|"cursor"|"recording":|id="root"|<script/;

async function assertNothingGot({ outcomes, shown }: Got, admitted: readonly string[]): Promise<void> {
  for (const { vector, status, text } of outcomes) {
    if (admitted.includes(vector)) continue;
    assert.ok(status === 0 || status >= 400, `${vector} was answered ${status}: ${text}`);
    assert.doesNotMatch(text, isSecret, `${vector} could read: ${text}`);
  }
  for (const content of shown) assert.match(content, /urn:kit:problem:/, "a frame shows more than a refusal");
  const { services } = (await launcher.api("GET", "/api/games")).json<{ services: { recording: boolean } }>();
  assert.equal(services.recording, true, "a switch was changed");
}

for (const host of ["127.0.0.1", "localhost"]) {
  test(`a page of another port of ${host} can send JSON events and nothing else`, { skip }, async () => {
    const name = `port-${host}`;
    const page = await openPage(`http://${host}:${pagesPort}/`);
    const got = await attack(page, page, name);
    // A beacon always carries cookies, which no answer allows, so its preflight fails.
    const sent = ["cors-json"];
    await assertNothingGot(got, sent);
    assert.deepEqual(eventIdsOf(await storedEvents(), name), sent);
    const answer = got.outcomes.find(({ vector }) => vector === "cors-json");
    assert.equal(answer?.status, 202);
    assert.match(answer?.text ?? "", /"status":"accepted"/, "the page may read the acknowledgement");
  });
}

/** Resolves when the launcher reports a refusal for that origin and reason, which shows that the attempts reached it. */
async function assertReached(origin: string, code: ProblemCode): Promise<void> {
  const secret = readFileSync(join(launcher.dataDir, "secret"), "utf8");
  const headers = { authorization: `Bearer ${secret}`, "last-event-id": "0-0-0" };
  const feed = await fetch(`${kit}/api/feed`, { headers, signal: AbortSignal.timeout(patienceMs) });
  assert.ok(feed.body);
  for await (const { data } of feed.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())) {
    const item = JSON.parse(data) as FeedItem;
    if (item.type === "refusal" && item.refusal.origin === origin && item.refusal.code === code) return;
  }
}

type Stranger = {
  readonly label: string;
  /** PAGES and KIT stand for the ports of the pages and of the launcher. */
  readonly address: string;
  readonly at?: string;
  readonly origin: string;
  readonly code: ProblemCode;
};
const rebound = "http://rebind.test:KIT";
const strangers: readonly Stranger[] = [
  { label: "a web page", address: "http://game.example/", origin: "http://game.example", code: "consent_needed" },
  {
    label: "a web page on https",
    address: "https://secure.example/hostile",
    origin: "https://secure.example",
    code: "consent_needed",
  },
  {
    label: "a page that rebound its name to this computer",
    address: `${rebound}/hostile`,
    at: rebound,
    origin: rebound,
    code: "misdirected",
  },
  {
    label: "a rebound page that uses the launcher's own address",
    address: `${rebound}/hostile`,
    origin: rebound,
    code: "consent_needed",
  },
  {
    label: "a page that uses 0.0.0.0",
    address: "http://127.0.0.1:PAGES/",
    at: "http://0.0.0.0:KIT",
    origin: "http://127.0.0.1:PAGES",
    code: "misdirected",
  },
  { label: "a data: page", address: "data:text/html,<!doctype html><body>", origin: "null", code: "consent_needed" },
];
for (const [index, { label, address, at = "http://127.0.0.1:KIT", origin, code }] of strangers.entries()) {
  test(`${label} sends nothing, reads nothing and shows nothing`, { skip }, async () => {
    const here = (text: string) => text.replace("PAGES", String(pagesPort)).replace("KIT", String(launcher.port));
    const page = await openPage(here(address));
    const got = await attack(page, page, `stranger${index}`, here(at));
    await assertNothingGot(got, []);
    assert.deepEqual(eventIdsOf(await storedEvents(), `stranger${index}`), []);
    await assertReached(here(origin), code);
  });
}

test("a frame without an origin sends nothing, reads nothing and shows nothing, even inside a local page", {
  skip,
}, async () => {
  const page = await openPage(`http://127.0.0.1:${pagesPort}/`);
  const got = await attack(page, await sandboxed(page), "sandboxed");
  await assertNothingGot(got, []);
  assert.deepEqual(eventIdsOf(await storedEvents(), "sandboxed"), []);
});

test("a link or a form that navigates to the launcher sends no event", { skip }, async () => {
  for (const address of [`http://127.0.0.1:${pagesPort}/`, "http://game.example/"]) {
    const page = await openPage(address);
    const body = JSON.stringify({ eventId: "navigation_form", timestamp: new Date().toISOString(), x: "" }).slice(
      0,
      -2,
    );
    const fields = `<input name='${body}' value='"}'>`;
    await page.setContent(
      `<form method="post" enctype="text/plain" action="${kit}/api/recording/trigger">${fields}</form>`,
    );
    await Promise.all([page.waitForNavigation(), page.evaluate("document.forms[0].submit()")]);
    assert.match(await page.content(), /urn:kit:problem:/);
    const answer = await page.goto(`${kit}/api/recording/trigger`, { referer: address });
    assert.ok((answer?.status() ?? 0) >= 400);
    await page.close();
  }
  assert.deepEqual(eventIdsOf(await storedEvents(), "navigation"), []);
});

test("a web page asks for consent, is listed, and can send as long as it is allowed", { skip }, async () => {
  const origin = "http://asking.example";
  const asking = await openBrowser([`MAP asking.example:80 127.0.0.1:${pagesPort}`]);
  const page = await asking.newPage();
  page.setDefaultTimeout(patienceMs);
  await page.goto(`${origin}/`);
  const send = () =>
    page.evaluate(`fetch(${JSON.stringify(`${kit}/api/social/trigger`)}, {
      method: "POST", headers: { "content-type": "application/json" },
      body: JSON.stringify({ eventId: "asking_game", timestamp: new Date().toISOString() }),
    }).then((answer) => answer.status, () => "not readable")`);
  const stateNow = async () =>
    (await launcher.api("GET", "/api/origins"))
      .json<{ origins: WebOrigin[] }>()
      .origins.find((entry) => entry.origin === origin)?.state;
  const decide = (decision: string) => launcher.api("PUT", "/api/origins", { origin, decision });
  try {
    assert.equal(await send(), "not readable");
    assert.equal(await stateNow(), "pending");

    assert.equal((await decide("until-exit")).status, 200);
    assert.equal(await send(), 202);
    assert.equal((await storedEvents()).find(({ eventId }) => eventId === "asking_game")?.origin, origin);
    await launcher.restart();
    assert.equal(await send(), "not readable", "after a restart consent is needed again");
    assert.equal(await stateNow(), "pending");

    await decide("30-days");
    assert.equal(await send(), 202);
    await launcher.restart();
    assert.equal(await send(), 202, "30 days survive a restart");

    await decide("blocked");
    assert.equal(await send(), "not readable");
    await launcher.restart("SIGKILL");
    assert.equal(await send(), "not readable", "blocked stays blocked");

    assert.equal((await launcher.api("DELETE", `/api/origins?origin=${encodeURIComponent(origin)}`)).status, 204);
    assert.equal(await send(), "not readable");
    assert.equal(await stateNow(), "pending", "after the removal consent is needed again");
    assert.equal((await storedEvents()).filter(({ eventId }) => eventId === "asking_game").length, 3);
  } finally {
    await asking.close();
  }
});
