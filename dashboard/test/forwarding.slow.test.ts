// Tests of a tester's way from the link of an invitation to the first error at the server, with a real launcher and server.
// What the pages show and request is tested beside them, in `src/pages/forwarding`.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type Invitation, invitationLink } from "@kit/contract";
import type { BrowserContext, Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { isMachineTooBusy } from "../../tools/run-tests/cost.ts";
import { eventually, openStage } from "./stage.ts";

// The tests must not store keys in the keyring of whoever runs them.
process.env.KIT_SECRETS = "file";

const skip = skipWithout("Chromium");
const key = "00112233445566778899aabbccddeeff";

/** A server that takes everything. */
async function startServer() {
  const arrivedMs: number[] = [];
  const server = createServer((request, response) => {
    // Kit asks for the time.
    if (request.method === "HEAD") return void response.writeHead(405).end();
    request.resume().on("end", () => {
      arrivedMs.push(performance.now());
      response.writeHead(200).end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return {
    host: `127.0.0.1:${port}`,
    requests: () => arrivedMs.length,
    /** When each request had arrived. */
    arrivedMs,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** From the click on the link until the first error is at the server. */
const firstEventMsMax = 60_000;
const firstEventStepsMax = 4;

/** Counts what a person does in a browser: each page that they open, each click and each key. */
async function countActions(context: BrowserContext): Promise<() => number> {
  let actions = 0;
  await context.exposeBinding("countAction", () => {
    actions += 1;
  });
  await context.addInitScript(() => {
    const count = (event: globalThis.Event) => event.isTrusted && (globalThis as never as Counting).countAction();
    for (const type of ["pointerdown", "keydown"]) addEventListener(type, count, { capture: true });
  });
  context.on("request", (request) => {
    actions += Number(request.isNavigationRequest());
  });
  return () => actions;
}
type Counting = { countAction(): void };

const invitationTo = (host: string): Invitation => ({
  version: 1,
  studio: "Lantern Games",
  text: "<img src=x onerror=alert(1)> Kept for 90 days.",
  kind: "sentry",
  address: `http://${key}@${host}/7`,
  game: null,
  environment: "playtest",
  asks: ["earlierEvents", "installation", "videos"],
});

/** What a tester does on the page of an invitation. */
async function agreeToReports(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Lantern Games asks for error reports" }).waitFor();
  await page.getByRole("switch", { name: "Error reports" }).click();
  await page.getByRole("button", { name: "Agree and send" }).click();
  await page.getByText(/^From now on, Kit sends error reports to/).waitFor();
}

for (const isSignedIn of [true, false])
  test(`a tester who is ${isSignedIn ? "" : "not "}signed in opens a link, agrees, and the first error is at the server within four steps and a minute, and is shown to them`, {
    skip,
  }, async () => {
    await using stage = await openStage();
    await using server = await startServer();
    const { page, launcher } = stage;
    const context = isSignedIn ? page.context() : await stage.newProfile();
    const actions = await countActions(context);
    const openedMs = performance.now();
    // The tester clicks the link in a chat, here with the port of this launcher.
    let shown = await context.newPage();
    await shown.goto(invitationLink(invitationTo(server.host), launcher.port));
    if (!isSignedIn) {
      await shown.getByText("The invitation then opens, too. If it does not, open its link again.").waitFor();
      // Opens Kit from the menu, which opens a tab with a link from `kit open`.
      shown = await context.newPage();
      await shown.goto(await launcher.link());
    }
    await agreeToReports(shown);
    assert.equal(server.requests(), 0);
    await launcher.send("monitor", { message: "The bell rings twice" });
    await eventually(async () => server.requests(), 1);
    const tookMs = (server.arrivedMs[0] ?? assert.fail()) - openedMs;
    console.log(`from the link to the first event at the server: ${Math.round(tookMs)} ms, ${actions()} steps`);
    assert.equal(actions(), isSignedIn ? 3 : firstEventStepsMax);
    assert.ok(tookMs <= firstEventMsMax || isMachineTooBusy(), `${tookMs} ms`);
    await shown.getByRole("link", { name: "See what was sent, or switch it off" }).click();
    const card = shown.getByRole("region", { name: new RegExp(`${server.host} ?project 7`, "u") });
    await card.getByText(/Lantern Games, agreed on/).waitFor();
    await card.getByText("What was sent").click();
    await card.getByText(/reports: 1$/).click();
    await card.getByText(/The bell rings twice/).waitFor();
    assert.ok(!(await shown.content()).includes(key));
  });
