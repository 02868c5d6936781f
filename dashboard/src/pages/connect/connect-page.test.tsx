// Tests of the Connect page: the steps of each engine, its packages, and whether the first event has arrived.
import assert from "node:assert/strict";
import { engines, expectGame, listEvents, listRecordingRules, listSdk, type SdkPackage } from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, onTestFinished, test } from "vitest";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { answerDetails, entryOf, errorOf, listOf, refusalOf, triggerOf } from "../../../test/component/fake-events.ts";
import { createFakeLauncher, type FakeLauncher } from "../../../test/component/fake-launcher.ts";
import { openApp } from "../../../test/component/open-app.tsx";
import { eventItem } from "../../../test/feed-samples.ts";

const plugin: SdkPackage = {
  ...{ binding: "rpgmaker", name: "Plugin for MV and MZ", version: "0.1.0" },
  ...{ file: "KitSDK.js", bytes: 23_450, sha256: "0b5e".repeat(16) },
};

let launcher: FakeLauncher;
beforeEach(() => {
  launcher = createFakeLauncher();
  launcher.when(listRecordingRules).reply(() => ({ rules: [] }));
  launcher.when(expectGame).reply(() => undefined);
  launcher.when(listSdk).reply(() => ({ packages: [plugin], missing: [] }));
});

const arrival = () => screen.findByRole("region", { name: "First event" });
/** Waits until the page says this about the first event. The buttons below it also have a status each. */
const status = async (text: string | RegExp) => {
  const region = within(await arrival());
  await waitFor(() => assert.match(region.getAllByRole("status")[0]?.textContent ?? "", new RegExp(text, "u")));
};
const engineLink = (name: string) => screen.getByRole("link", { name: new RegExp(`^${name}`, "u") });

/** Opens the page, and waits until it follows the feed. */
async function openConnect(fragment = "#/connect", waiting = "Waiting for your first event") {
  const opened = await openApp(fragment, launcher);
  await status(`^${waiting}$`);
  return opened;
}

test("an event is shown as arrived, with its state, and the link opens it on the Live page", async () => {
  const { user } = await openConnect("#/connect/rpgmaker");
  const event = triggerOf("mygame_boss_defeated");
  launcher.when(listEvents).reply(() => listOf(event));
  answerDetails(launcher, event);
  launcher.send(eventItem(event));
  await status(/^Your first event arrived: mygame_boss_defeated$/);
  const region = within(await arrival());
  for (const says of ["mygame_boss_defeated", "GodotEngine/4.6 (Linux)", "Recording", "Accepted"])
    region.getByText(says);
  launcher.send({ type: "receipt", id: event.id, entry: entryOf("marked", "recording") });
  await region.findByText("Marker saved");
  // The next game still needs this launcher's address, because it listens on another port than games send to.
  screen.getByText(`The line sends to port 9876, but this Kit listens on port ${location.port}.`);
  const port = screen.getByText("Another port").closest("details") ?? assert.fail();
  assert.ok(port.open);
  assert.match(port.textContent, /In the plugin manager, set Launcher URL of KitSDK to http:\/\/127\.0\.0\.1:\d+/u);
  await assertAccessible();
  await user.click(region.getByRole("link", { name: "Show it in Live" }));
  const details = await screen.findByRole("complementary", { name: "Details" });
  within(details).getByRole("heading", { level: 2, name: "mygame_boss_defeated" });
});

test("a developer whose port 9876 is taken finds how to give Kit and the game another", async () => {
  const { href } = location;
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL("http://127.0.0.1:9876/");
  onTestFinished(() => (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(href));
  const { user } = await openConnect("#/connect/godot");
  const details = screen.getByText("Another port").closest("details") ?? assert.fail();
  assert.ok(!details.open);
  await user.click(screen.getByText("Another port"));
  within(details).getByText("npx kit start --port 9877");
  assert.match(details.textContent, /set kit_sdk\/launcher_url to http:\/\/127\.0\.0\.1:9877/u);
  await assertAccessible();
});

test("while the page waits for an event, the recorder is told to expect it", async () => {
  await openConnect();
  await waitFor(() => assert.deepEqual(launcher.changes, ["POST /api/recorder/expect"]));
  launcher.send(eventItem(triggerOf("mygame_boss_defeated")));
  await status(/^Your first event arrived/);
  assert.equal(launcher.changes.length, 1);
});

test("a refused request is shown with its reason until an event is accepted", async () => {
  await openConnect();
  launcher.send({ type: "refusal", refusal: refusalOf() });
  await status(/^A request arrived but was refused: timestamp: an ISO 8601 time/);
  const region = within(await arrival());
  assert.match(
    region.getByRole("listitem").textContent,
    /^timestamp an ISO 8601 time like YYYY-MM-DDTHH:MM:SS\.sssZ$/u,
  );
  region.getByText("POST /api/social/trigger");
  region.getByText(/^Nothing was stored/);
  await assertAccessible();
  launcher.send(eventItem(triggerOf("mygame_win", { kind: "social" })));
  await status("^Your first event arrived");
  assert.ok(region.queryByText(/^Nothing was stored/) === null);
});

test("the link of a refused request opens it on the Live page", async () => {
  const { user } = await openConnect();
  const refusal = refusalOf({ errors: [], detail: "The body is not JSON.", code: "not_json" });
  launcher.send({ type: "refusal", refusal });
  await user.click(await within(await arrival()).findByRole("link", { name: "Show it in Live" }));
  await screen.findByText("Listening");
  // A new feed begins with the refused requests that the launcher remembers.
  launcher.send({ type: "refusal", refusal });
  within(await screen.findByRole("complementary", { name: "Details" })).getByText("not_json");
});

test("an event from before the page was opened does not count as arrived, and a person may wait for another", async () => {
  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
  const earlier = triggerOf("mygame_earlier", { receivedAt: anHourAgo });
  launcher.when(listEvents).reply(() => listOf(earlier));
  const { user } = await openConnect("#/connect", "Waiting for your next event");
  launcher.send({ type: "refusal", refusal: refusalOf({ at: anHourAgo }) });
  const region = within(await arrival());
  assert.equal(region.getByRole("link", { name: "mygame_earlier" }).getAttribute("href"), `#/live?show=${earlier.id}`);
  launcher.send(eventItem(errorOf("Nil has no hp")));
  await status("^Your event arrived: Nil has no hp$");
  region.getByText("Nil has no hp");
  await user.click(region.getByRole("button", { name: "Wait for another event" }));
  await status("^Waiting for your next event$");
  region.getByRole("link", { name: "Nil has no hp" });
  await assertAccessible();
});

test("if the feed skips events, the page still finds the one that arrived", async () => {
  await openConnect();
  launcher.asked.length = 0;
  launcher.when(listEvents).reply(() => listOf(triggerOf("mygame_in_a_storm")));
  launcher.send({ type: "skipped", events: 700 });
  await status("mygame_in_a_storm");
  assert.deepEqual(launcher.asked, ["/api/events?limit=1"]);
});

test("an ignored event counts as arrived, and the page says which switch ignored it", async () => {
  await openConnect();
  launcher.send(eventItem(triggerOf("mygame_step", { status: "ignored", state: "ignored", reason: "event_off" })));
  await status("^Your first event arrived");
  within(await arrival()).getByText("The event was stored but ignored: This event is switched off.");
});

test("a missing launcher is reported, and an event that arrives after its restart is shown", async () => {
  await openConnect();
  launcher.stop();
  await status("^Kit is not responding. Events cannot arrive until it is running again.$");
  launcher.start();
  await status("^Waiting");
  launcher.send(eventItem(triggerOf("mygame_back")));
  await status("arrived: mygame_back$");
});

test("the packages are listed as soon as an engine is chosen, so that nothing below them moves later", async () => {
  const { user } = await openConnect();
  await waitFor(() => assert.ok(launcher.asked.includes("/api/sdk")));
  // No later request is answered.
  launcher.when(listSdk).reply(() => new Promise(() => undefined));
  await user.click(engineLink("RPG Maker"));
  const steps = await screen.findByRole("list", { name: "Steps" });
  within(steps).getByRole("link", { name: "KitSDK.js" });
});

test("a package is listed with its size and checksum, and the checksum and the line of code are copied in full", async () => {
  const { user } = await openConnect("#/connect/rpgmaker");
  const link = await screen.findByRole("link", { name: "KitSDK.js" });
  assert.deepEqual([link.getAttribute("href"), link.getAttribute("download")], ["/sdk/KitSDK.js", "KitSDK.js"]);
  screen.getByText("Plugin for MV and MZ, version 0.1.0, 22.9 KiB");
  screen.getByText(plugin.sha256);
  await assertAccessible();
  await user.click(screen.getByRole("button", { name: "Copy the checksum of KitSDK.js" }));
  assert.equal(await navigator.clipboard.readText(), plugin.sha256);
  await user.click(screen.getByRole("button", { name: /^Copy: KitSDK/ }));
  assert.equal(await navigator.clipboard.readText(), 'KitSDK.Recording.triggerEvent("mygame_boss_defeated");');
});

test("each engine has its own address and at most four steps", async () => {
  await openConnect();
  const nav = within(screen.getByRole("navigation", { name: "Engine" }));
  for (const { binding, name } of engines) {
    location.hash = `#/connect/${binding}`;
    await waitFor(() => assert.equal(document.title, `Connect ${name} · Kit`));
    const current = nav.getByRole("link", { current: true });
    assert.deepEqual([current.firstChild?.textContent, current.getAttribute("href")], [name, location.hash]);
    const steps = screen.getByRole("list", { name: "Steps" }).children.length;
    assert.ok(steps >= 2 && steps <= 4, `${name}: ${steps} steps`);
  }
});

test("the keyboard chooses an engine and reaches its file", async () => {
  const { user } = await openConnect();
  await waitFor(() => assert.ok(launcher.asked.includes("/api/sdk")));
  engineLink("Godot").focus();
  await user.tab();
  await user.keyboard("{Enter}");
  await screen.findByRole("link", { name: "KitSDK.js" });
  assert.equal(location.hash, "#/connect/rpgmaker");
  for (let presses = 0; presses < 4; presses += 1) await user.tab();
  assert.ok(document.activeElement === screen.getByRole("link", { name: "KitSDK.js" }));
});

test("a package that could not be built is listed with the reason and the remedy", async () => {
  const reason = "Needs the .NET SDK. Install it, then run `npm run bundle`.";
  const missing = [{ binding: "monogame", name: "NuGet package", reason } as const];
  launcher.when(listSdk).reply(() => ({ packages: [], missing }));
  await openConnect("#/connect/monogame");
  const item = (await screen.findByText("NuGet package: not available.")).closest("li");
  assert.equal(item?.textContent, `NuGet package: not available. ${reason.replaceAll("`", "")}`);
  await assertAccessible();
});

test("without any package the page shows the command that builds them", async () => {
  launcher.when(listSdk).reply(() => ({ packages: [], missing: [] }));
  await openConnect("#/connect/unity");
  await screen.findByText(/^The packages have not been built yet/);
  screen.getByText("npm run bundle");
});
