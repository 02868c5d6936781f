// Tests of the detected problems on the Connect page: each is listed with its remedy, and disappears when it is solved.
import assert from "node:assert/strict";
import {
  allSwitchesOn,
  changeEventIdRule,
  decideConsent,
  type EventIdRule,
  expectGame,
  listGames,
  listOrigins,
  listRecordingRules,
  listSdk,
  type WebOrigin,
} from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, test } from "vitest";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { eventIdRuleOf, refusalOf, triggerOf } from "../../../test/component/fake-events.ts";
import { createFakeLauncher, type FakeLauncher } from "../../../test/component/fake-launcher.ts";
import { openApp } from "../../../test/component/open-app.tsx";
import { eventItem } from "../../../test/feed-samples.ts";

let launcher: FakeLauncher;
let [rules, origins]: [EventIdRule[], WebOrigin[]] = [[], []];
beforeEach(() => {
  launcher = createFakeLauncher();
  [rules, origins] = [[], []];
  launcher.when(listRecordingRules).reply(() => ({ rules: [] }));
  launcher.when(expectGame).reply(() => undefined);
  launcher.when(listSdk).reply(() => ({ packages: [], missing: [] }));
  launcher.when(listGames).reply(() => ({ services: allSwitchesOn, games: [], rules }));
  launcher.when(listOrigins).reply(() => ({ origins, dropped: 0 }));
});

const region = () => screen.findByRole("region", { name: "Detected problems" });
/** The problem that says this, or undefined. */
const problemNow = async (says: string | RegExp) =>
  within(await region())
    .queryAllByRole("listitem")
    .find((item) => (typeof says === "string" ? item.textContent.includes(says) : says.test(item.textContent)));
const problem = (says: string | RegExp) =>
  waitFor(async () => within((await problemNow(says)) ?? assert.fail(`no problem says ${says}`)));
/** What the user changed. The Connect page also says that it waits for a game. */
const decisions = () => launcher.changes.filter((call) => call !== "POST /api/recorder/expect");
const solved = (says: string) => waitFor(async () => assert.ok((await problemNow(says)) === undefined));

async function openPage(fragment: string) {
  const { user } = await openApp(fragment, launcher);
  await waitFor(() => assert.deepEqual(launcher.followed(), ["/api/feed"]));
  return user;
}

test("before the first event, the Live page shows where games can send", async () => {
  await openPage("#/live");
  await problem(new RegExp(`^No request has arrived yet.*http://127\\.0\\.0\\.1:${location.port}`, "u"));
});

test("a refused field is listed with a link to the row, and disappears after an event is accepted", async () => {
  await openPage("#/connect");
  const refusal = refusalOf();
  launcher.send({ type: "refusal", refusal });
  const says = "A request was refused: timestamp: an ISO 8601 time";
  const link = (await problem(says)).getByRole("link", { name: /^Show the newest in Live/ });
  assert.equal(
    link.getAttribute("href"),
    `#/live?show=${encodeURIComponent(`refusal 1 ${refusal.at}`).replaceAll("%20", "+")}`,
  );
  await assertAccessible();
  launcher.send(eventItem(triggerOf("mygame_win", { kind: "social", client: null })));
  await solved(says);
});

test("a waiting web origin is decided at its card, which the remedy brings to the keyboard", async () => {
  const origin = "https://game.example";
  const waiting: WebOrigin = {
    origin,
    state: "pending",
    shared: false,
    firstAskedAt: "",
    expiresAt: null,
    attempts: 1,
  };
  origins = [waiting];
  launcher.when(decideConsent).reply(({ body: { decision: state } }) => {
    const decided = { ...waiting, state };
    origins = [decided];
    return decided;
  });
  const user = await openPage("#/connect");
  const says = `${origin} is waiting for your consent`;
  (await problem(says)).getByRole("button", { name: /^Decide/ }).focus();
  await user.keyboard("{Enter}");
  assert.equal(document.activeElement?.textContent, "Allow for 30 days");
  await assertAccessible();
  await user.keyboard("{Enter}");
  await solved(says);
  assert.deepEqual(decisions(), [`PUT /api/origins {"origin":"${origin}","decision":"30-days"}`]);
});

test("a switch that ignores events is turned on from the list, and then the heading has the focus", async () => {
  rules = [eventIdRuleOf("mygame_step", { enabled: false })];
  launcher.when(changeEventIdRule).reply(() => {
    const rule = eventIdRuleOf("mygame_step");
    rules = [rule];
    return rule;
  });
  const user = await openPage("#/connect");
  launcher.send(eventItem(triggerOf("mygame_step", { status: "ignored", state: "ignored", reason: "event_off" })));
  const says = "mygame_step is switched off";
  (await problem(says)).getByRole("button", { name: /^Switch on/ }).focus();
  await assertAccessible();
  await user.keyboard("{Enter}");
  await solved(says);
  await waitFor(() => assert.equal(document.activeElement?.textContent, "Detected problems"));
  assert.deepEqual(decisions(), ['PUT /api/rules {"kind":"recording","eventId":"mygame_step","enabled":true}']);
});

test("a launcher that does not respond is the only problem until it is back", async () => {
  await openPage("#/connect");
  launcher.stop();
  await problem("Kit is not responding, so nothing can arrive until it is running again");
  launcher.start();
  await solved("Kit is not responding");
});
