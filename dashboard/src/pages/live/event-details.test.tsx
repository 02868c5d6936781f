// Tests of the details of an event on the Live page: its receipt and payload, its switch, its game, and the links to what Kit made of it.
import assert from "node:assert/strict";
import {
  allSwitchesOn,
  changeEventIdRule,
  type EventIdRule,
  getReceipt,
  KitError,
  type KitEvent,
  listEvents,
  listGames,
  listRecordingRules,
  registerGame,
} from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, test } from "vitest";
import { assertAccessible } from "../../../test/component/accessible.ts";
import {
  answerDetails,
  entryOf,
  errorOf,
  eventIdRuleOf,
  knownGameOf,
  listOf,
  triggerOf,
} from "../../../test/component/fake-events.ts";
import { createFakeLauncher, type FakeLauncher } from "../../../test/component/fake-launcher.ts";
import { openApp } from "../../../test/component/open-app.tsx";
import { eventItem } from "../../../test/feed-samples.ts";

let launcher: FakeLauncher;
let rules: EventIdRule[];
beforeEach(() => {
  launcher = createFakeLauncher();
  rules = [];
  launcher.when(listRecordingRules).reply(() => ({ rules: [] }));
  launcher.when(listGames).reply(() => ({ services: allSwitchesOn, games: [], rules }));
  launcher.when(changeEventIdRule).reply(({ body: { kind, eventId, ...change } }) => {
    const rule = { ...eventIdRuleOf(eventId, { kind }), ...rules.find((known) => known.eventId === eventId) };
    const changed = { ...rule, ...change, assigned: change.game === undefined ? rule.assigned : change.game !== null };
    rules = [changed];
    return changed;
  });
});

/** Opens the page with these events, and the details of the first. */
async function openDetails(...events: readonly [KitEvent, ...KitEvent[]]) {
  launcher.when(listEvents).reply(() => listOf(...events));
  const opened = await openApp(`#/live?show=${events[0].id}`, launcher);
  await screen.findByText("Listening");
  return { ...opened, details: within(await screen.findByRole("complementary", { name: "Details" })) };
}

const gamesShown = () => [...document.querySelectorAll(".row .game")].map((game) => game.textContent);
const gameField = () => screen.findByRole("combobox", { name: "The game this event belongs to" });

test("the details of an event show its payload, its sender and its receipt", async () => {
  const event = errorOf("Nil has no hp", "at boss.gd:88\nat player.gd:12");
  answerDetails(launcher, event, entryOf("handed-over", "monitor"));
  const { details } = await openDetails(event);
  const states = () =>
    details.getAllByRole("listitem").map((item) => item.querySelector(".timeline-state")?.textContent);
  await waitFor(() => assert.deepEqual(states(), ["Accepted", "Dispatched"]));
  const issue = "01990000-0000-7000-8000-00000000aaaa";
  const reason = { text: "It is in an issue.", code: "issue.grouped", values: { issue } } as const;
  launcher.send({ type: "receipt", id: event.id, entry: entryOf("grouped", "monitor", reason) });
  await waitFor(() => assert.deepEqual(states(), ["Accepted", "Dispatched", "Grouped"]));
  const link = details.getByRole("link", { name: "Open the issue" });
  assert.equal(link.getAttribute("href"), `#/issues/${issue}?event=${event.id}`);
  assert.equal(details.getByRole("region", { name: "Stack trace" }).textContent, event.payload.stackTrace);
  const payload = details.getByRole("region", { name: "Payload" }).textContent;
  assert.deepEqual(JSON.parse(payload), event.payload);
  details.getByText("GodotEngine/4.6 (Linux)");
  details.getByText(`npx kit show ${event.id}`);
  const times = details.getAllByText(/, \d\d:\d\d:\d\d\.\d{3}$/u, { selector: "dd time" });
  assert.equal(times.length, document.querySelectorAll("dd time").length);
  await assertAccessible();
});

test("a link opens the receipt of an event that is older than the list", async () => {
  const old = triggerOf("mygame_old");
  answerDetails(launcher, old, entryOf("ignored", "recording", "recording is switched off"));
  launcher.when(listEvents).reply(() => listOf(triggerOf("mygame_new")));
  await openApp(`#/live?show=${old.id}`, launcher);
  await screen.findByText(/recording is switched off/u);
});

test("a receipt that cannot be read is reported, and the rest of the details is shown", async () => {
  const event = triggerOf("mygame_step");
  answerDetails(launcher, event);
  launcher.when(getReceipt).reply(() => {
    throw new KitError("not_found", "The event was deleted.");
  });
  const { details } = await openDetails(event);
  await details.findByText("The event was deleted.");
  details.getByText("mygame_step");
});

test("an event id can be ignored, and accepted again", async () => {
  rules = [eventIdRuleOf("mygame_step")];
  const event = triggerOf("mygame_step");
  answerDetails(launcher, event);
  const { user, details } = await openDetails(event);
  await user.click(await details.findByRole("button", { name: "Ignore this event" }));
  await details.findByRole("button", { name: "Accept this event" });
  const ignored = triggerOf("mygame_step", { status: "ignored", state: "ignored", reason: "event_off" });
  answerDetails(launcher, ignored);
  launcher.send(eventItem(ignored));
  await user.click(await screen.findByRole("button", { name: /Step.*Ignored$/ }));
  const now = within(screen.getByRole("complementary", { name: "Details" }));
  now.getByText("This event is switched off.");
  await assertAccessible();
  await user.click(now.getByRole("button", { name: "Accept this event" }));
  await now.findByRole("button", { name: "Ignore this event" });
  const change = (enabled: boolean) =>
    `PUT /api/rules {"kind":"recording","eventId":"mygame_step","enabled":${enabled}}`;
  assert.deepEqual(launcher.changes, [change(false), change(true)]);
});

test("a corrected game applies to every event with that prefix", async () => {
  const [boss, win] = [triggerOf("star_fox_boss"), triggerOf("star_fox_win", { kind: "social" })];
  rules = [eventIdRuleOf("star_fox_boss"), eventIdRuleOf("star_fox_win", { kind: "social" })];
  answerDetails(launcher, boss);
  launcher.when(registerGame).reply(({ body: { game } }) => {
    rules = rules.map((rule) => ({ ...rule, game }));
    return knownGameOf(game);
  });
  const { user, details } = await openDetails(boss, win);
  assert.deepEqual(gamesShown(), ["Star", "Star"]);
  await user.click(details.getByRole("button", { name: "Change" }));
  const field = await gameField();
  assert.ok(document.activeElement === field);
  await user.clear(field);
  details.getByText("The beginning of the event ID that identifies the game, e.g. my_game.");
  await user.type(field, "star_fox");
  details.getByText("All events that begin with star_fox_ will be assigned to star_fox, including earlier ones.");
  await assertAccessible();
  await user.keyboard("{Enter}");
  await waitFor(() => assert.deepEqual(gamesShown(), ["Star Fox", "Star Fox"]));
  assert.deepEqual(launcher.changes, ['PUT /api/games {"game":"star_fox"}']);
});

test("one event id can be assigned to a game by hand, and by its name again", async () => {
  const event = triggerOf("bosskill", { game: null });
  rules = [eventIdRuleOf("bosskill", { game: null })];
  answerDetails(launcher, event);
  const { user, details } = await openDetails(event);
  assert.deepEqual(gamesShown(), ["Unsorted"]);
  await user.click(details.getByRole("button", { name: "Change" }));
  await user.type(await gameField(), "my game");
  await user.click(details.getByRole("button", { name: "Save" }));
  await waitFor(() => assert.deepEqual(gamesShown(), ["My Game"]));
  await user.click(await details.findByRole("button", { name: "Assign by event name again" }));
  await waitFor(() => assert.deepEqual(gamesShown(), ["Unsorted"]));
  const change = (game: string) => `PUT /api/rules {"kind":"recording","eventId":"bosskill","game":${game}}`;
  assert.deepEqual(launcher.changes, [change('"my game"'), change("null")]);
});

test("Escape ends the correction of a game without a change, and the details stay open", async () => {
  const event = triggerOf("mygame_step");
  answerDetails(launcher, event);
  const { user, details } = await openDetails(event);
  await user.click(details.getByRole("button", { name: "Change" }));
  await user.type(await gameField(), "s{Escape}");
  details.getByRole("button", { name: "Change" });
  assert.deepEqual(launcher.changes, []);
});
