// Tests of how often a browser follows a server that redirects to itself. GML cannot forbid it, but the browser limits it.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium } from "playwright-core";
import { type TestContext, test } from "vitest";
import { pathOf, skipWithout } from "../../../tools/engines/locate.ts";

const skip = skipWithout("Chromium");
const redirectsMax = 20;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(t: TestContext, answer: Answer): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.onTestFinished(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** The number of POSTs of one call, sent from a page as the official HTML5 runtime sends it. */
async function postsOfOneCall(t: TestContext, permitting: Record<string, string>): Promise<number> {
  let posts = 0;
  const stranger = await serve(t, (request, response) => {
    const isPreflight = request.method === "OPTIONS" && Object.keys(permitting).length > 0;
    if (request.method === "POST") posts += 1;
    response.writeHead(isPreflight ? 204 : 307, { ...permitting, ...(isPreflight ? {} : { Location: request.url }) });
    response.end();
  });
  const page = await serve(t, (_request, response) => response.setHeader("Content-Type", "text/html").end("a game"));
  const browser = await chromium.launch({ executablePath: pathOf("Chromium"), args: ["--no-sandbox"] });
  t.onTestFinished(() => browser.close());
  const tab = await browser.newPage();
  await tab.goto(page);
  await tab.evaluate(`new Promise((ended) => {
    const request = new XMLHttpRequest();
    request.open("POST", ${JSON.stringify(stranger)}, true);
    request.setRequestHeader("Content-Type", "application/json");
    request.onreadystatechange = () => request.readyState === 4 && ended();
    request.send("{}");
  })`);
  return posts;
}

test("a foreign server that redirects without CORS headers receives no event", { skip }, async (t) => {
  assert.equal(await postsOfOneCall(t, {}), 0);
});

test("a foreign server that allows the page and redirects to itself receives one call up to 21 times", {
  skip,
}, async (t) => {
  const posts = await postsOfOneCall(t, {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Headers": "content-type",
  });
  assert.equal(posts, redirectsMax + 1);
});
