// A test of signing in with several tabs in a real browser: links that work once, and tabs that share a sign-in.
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { eventually, idsShown, openPage, openStage } from "./stage.ts";

const skip = skipWithout("Chromium");

test("a sign-in link works once, a second one leaves the first tab signed in, and tabs without a link are signed in by the others", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  const stranger = await stage.newProfile();
  const tab = await stranger.newPage();
  await tab.goto(`http://127.0.0.1:${launcher.port}/`);
  await tab.getByText("kit open").waitFor();
  const link = await launcher.link();
  const other = await stranger.newPage();
  await other.goto(link);
  await other.getByRole("heading", { name: "Home" }).waitFor();
  await eventually(async () => new URL(other.url()).hash, "");
  const late = await (await stage.newProfile()).newPage();
  await late.goto(link);
  await late.getByRole("heading", { name: "That link was already used or has expired" }).waitFor();

  const second = await stage.newPage();
  await second.goto(await launcher.link());
  await second.getByRole("heading", { name: "Home" }).waitFor();
  await openPage(second, "Live");
  const third = await stage.newPage();
  await third.goto(`http://127.0.0.1:${launcher.port}/#/live`);
  await third.getByRole("heading", { name: "Live" }).waitFor();
  const { id } = await launcher.send("recording", { eventId: "mygame_seen_by_all" });
  for (const each of [page, second, third]) await eventually(() => idsShown(each), [id]);
  await page.getByRole("combobox", { name: "Game" }).selectOption("mygame");
  await eventually(() => idsShown(page), [id]);
});
