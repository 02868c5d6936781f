// Tests of several tabs of one browser: they share one sign-in session, in whatever order the launcher's responses arrive.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { changeLibraryGame, passParameter, setCover } from "@kit/contract";
import type { Page, Route } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { clientOf } from "./issue-stage.ts";
import { eventually, idsShown, openStage, type Stage } from "./stage.ts";

const skip = skipWithout("Chromium");

/** Holds the next response to a page from the moment at which the launcher has sent it until `release`. */
async function holdResponse(page: Page, url: RegExp) {
  let status: number | undefined;
  const released = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    const response = await route.fetch();
    status = response.status();
    await released.promise;
    await route.fulfill({ response });
  };
  await page.route(url, hold, { times: 1 });
  return { isHeld: (expected: number) => eventually(async () => status, expected), release: released.resolve };
}

const goTo = (page: Page, { launcher }: Stage, fragment: string) =>
  page.goto(`http://127.0.0.1:${launcher.port}/${fragment}`);

test("three tabs stay signed in when one of them signs in again, and its response and that to another tab are late", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  const second = await stage.newPage();
  await goTo(second, stage, "#/live");
  await second.getByRole("heading", { name: "Live" }).waitFor();
  const third = await stage.newPage();
  const signIn = await holdResponse(third, /\/api\/session$/u);
  await third.goto(await launcher.ownLink());
  await signIn.isHeld(201);
  const late = await holdResponse(page, /\/api\/games$/u);
  const first = await launcher.send("recording", { eventId: "mygame_new" });
  await late.isHeld(200);
  signIn.release();
  await third.getByRole("heading", { name: "Home" }).waitFor();
  late.release();
  await goTo(third, stage, "#/live");
  const next = await launcher.send("recording", { eventId: "mygame_seen_by_all" });
  for (const tab of [page, second, third]) await eventually(() => idsShown(tab), [next.id, first.id]);
  assert.deepEqual(stage.complaints, []);
});

test("three sign-in links that are opened at once in a signed-out browser sign in all three tabs", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { launcher } = stage;
  const profile = await stage.newProfile();
  const tabs = await Promise.all([1, 2, 3].map(() => profile.newPage()));
  const links = await Promise.all(tabs.map(() => launcher.ownLink()));
  await Promise.all(tabs.map((tab, index) => tab.goto(links[index] ?? "")));
  for (const tab of tabs) await tab.getByRole("heading", { name: "Home" }).waitFor();
  for (const tab of tabs) {
    await tab.reload();
    await goTo(tab, stage, "#/live");
    await tab.getByRole("status").filter({ hasText: "Listening" }).waitFor();
  }
  assert.equal((await profile.cookies()).length, 1);
});

const picture = readFileSync(join(import.meta.dirname, "../public/icons/kit-192.png"), "base64");
const cover = (page: Page) => page.getByRole("article", { name: "lanternwood" }).locator(".game-cover img");
const passOf = async (page: Page) => {
  const src = (await cover(page).getAttribute("src")) ?? "";
  return new URL(src, page.url()).searchParams.get(passParameter) ?? "";
};
const isSeen = (page: Page) =>
  eventually(() => cover(page).evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0), true);

test("all tabs use one pass for pictures, also after a restart of the launcher and after a tab signs in again", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { page, launcher } = stage;
  await launcher.send("recording", { eventId: "lanternwood_step" });
  const client = clientOf(launcher);
  await client.call(changeLibraryGame, { body: { game: "lanternwood" } });
  await client.call(setCover, { params: { game: "lanternwood" }, body: { picture } });
  await goTo(page, stage, "#/games");
  await isSeen(page);
  const pass = await passOf(page);
  await launcher.killHard();
  await launcher.start();
  await page.reload();
  await isSeen(page);
  const second = await stage.newPage();
  await second.goto(await launcher.ownLink());
  await goTo(second, stage, "#/games");
  await isSeen(second);
  assert.deepEqual([await passOf(page), await passOf(second)], [pass, pass]);
  const isOfRestart = (text: string) => /ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|ERR_SOCKET/u.test(text);
  assert.deepEqual(
    stage.complaints.filter((text) => !isOfRestart(text)),
    [],
  );
});
