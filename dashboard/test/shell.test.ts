// Tests of what surrounds the pages: a page whose script cannot be loaded, a launcher that is away, and a browser that is not signed in.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { encodeInvitation } from "@kit/contract";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { eventually, openPage, openStage } from "./stage.ts";

const skip = skipWithout("Chromium");

test("a page that could not be loaded while the launcher was away loads by itself when the launcher answers", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { page } = stage;
  const isAway = (url: URL) => url.pathname.startsWith("/assets/") || url.pathname === "/api/health";
  await page.route(isAway, (route) => route.abort());
  await openPage(page, "Clips");
  await page.getByRole("heading", { name: "Couldn't load this page" }).waitFor();
  await page.unrouteAll({ behavior: "wait" });
  await page.getByRole("heading", { name: "Clips", exact: true }).waitFor();
  await eventually(async () => new URL(page.url()).hash, "#/clips");
});

test("a page that is reloaded while the launcher is away says so until it is back, and leaves the address to another program", {
  skip,
}, async () => {
  await using stage = await openStage({ serviceWorkers: "allow", colorScheme: "dark" });
  const { page, launcher } = stage;
  await page.evaluate(() => localStorage.setItem("kit-language", "ja"));
  await page.reload();
  const prepared = () => caches.match("/").then((found) => found?.text());
  await eventually(async () => (await page.evaluate(prepared))?.includes("起動していません"), true);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await launcher.killHard();
  await page.reload();
  await page.getByRole("heading", { name: "Kit は起動していません" }).waitFor();
  await page.getByText(`npx kit start --port ${launcher.port} --data-dir "${launcher.dataDir}"`).waitFor();
  assert.equal(
    await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor),
    "rgb(17, 17, 19)",
  );
  await launcher.start();
  await page.getByRole("heading", { name: "ライブ", exact: true }).waitFor();
  // The sign-in link of another page: the launcher judges by where a request comes from.
  const link = `<a href="${await launcher.ownLink()}">Kit</a>`;
  await page.goto(`data:text/html,${encodeURIComponent(link)}`);
  await page.getByRole("link", { name: "Kit" }).click();
  await page.getByRole("heading", { name: "ホーム", exact: true }).waitFor();
  await launcher.killHard();
  await using other = createServer((_, reply) => reply.end("another program")).listen(launcher.port, "127.0.0.1");
  await once(other, "listening");
  await page.goto(`http://127.0.0.1:${launcher.port}/?`);
  assert.equal(await page.locator("body").innerText(), "another program");
  const left = async () => [(await navigator.serviceWorker.getRegistrations()).length, await caches.keys()];
  await eventually(() => page.evaluate(left), [0, []]);
  other.closeAllConnections();
});

const invitationPage = `join/${encodeInvitation({
  version: 1,
  studio: "Lantern Games",
  text: "",
  kind: "sentry",
  address: "https://0123456789abcdef@example.com/4",
  game: null,
  environment: null,
  asks: [],
})}`;

/** Waits for a page that says how to sign in: first without a terminal, then with the command of this launcher. */
async function untilToldToSignIn(page: Page, dataDir: string, title: string): Promise<void> {
  await page.getByRole("heading", { name: title }).waitFor();
  const [, withoutTerminal, withTerminal] = await page.locator(".empty > p").allTextContents();
  assert.match(withoutTerminal ?? "", /^Open Kit from the Start menu or your menu of programs, or with its icon/u);
  assert.match(withTerminal ?? "", /^Or run this command in a terminal/u);
  assert.equal(await page.locator(".empty code").textContent(), `npx kit open --data-dir "${dataDir}"`);
}

test("a browser that is not signed in is told to open Kit, and the command with the data folder of this launcher", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { page, launcher } = stage;
  const address = `http://127.0.0.1:${launcher.port}/`;
  const { dataDir } = launcher;
  await page.waitForFunction(() => localStorage.getItem("kit-command") !== null);
  // The cookie has expired, the tab stays open: the next request ends the session.
  await page.context().clearCookies();
  await openPage(page, "Clips");
  await untilToldToSignIn(page, dataDir, "You are signed out");
  await page.evaluate(() => localStorage.removeItem("kit-session"));
  await page.goto(address);
  await page.reload();
  await untilToldToSignIn(page, dataDir, "Open Kit to sign in");
  await page.goto(`${address}#t=${"A".repeat(43)}`);
  await untilToldToSignIn(page, dataDir, "That link was already used or has expired");
  await page.goto(`${address}#/${invitationPage}`);
  await page.reload();
  await page.getByText("The invitation then opens, too. If it does not, open its link again.").waitFor();
  // The command is as short as without an invitation, which can have thousands of characters.
  assert.equal(await page.locator(".empty code").textContent(), `npx kit open --data-dir "${dataDir}"`);
});
