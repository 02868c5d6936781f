// Tests of the Live page: rows as they arrive, filters, and what it shows before the first event.
import assert from "node:assert/strict";
import { getHealth, type KitEvent, listEvents, listRecordingRules } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, test } from "vitest";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { answerDetails, entryOf, errorOf, listOf, refusalOf, triggerOf } from "../../../test/component/fake-events.ts";
import { createFakeLauncher, type FakeLauncher } from "../../../test/component/fake-launcher.ts";
import { openApp } from "../../../test/component/open-app.tsx";
import { eventItem } from "../../../test/feed-samples.ts";

let launcher: FakeLauncher;
beforeEach(() => {
  launcher = createFakeLauncher();
  launcher.when(listRecordingRules).reply(() => ({ rules: [] }));
});

/** Opens the page, and waits until it follows the feed. */
async function openLive(fragment = "#/live") {
  const opened = await openApp(fragment, launcher);
  await screen.findByText("Listening");
  return opened;
}

const send = (...events: readonly KitEvent[]) => {
  for (const event of events) launcher.send(eventItem(event));
};
const shown = () =>
  [...document.querySelectorAll<HTMLElement>('.row[data-type="event"]')].map(({ dataset }) => dataset.key);
/** Waits until exactly these events are shown, from top to bottom. */
const untilShown = (...events: readonly KitEvent[]) =>
  waitFor(() =>
    assert.deepEqual(
      shown(),
      events.map(({ id }) => id),
    ),
  );
const row = (name: RegExp) => screen.findByRole("button", { name });
const gameIn = (found: HTMLElement) => found.querySelector(".game")?.textContent;

test("an event appears without a reload, with its game and its state", async () => {
  await openLive();
  screen.getByRole("heading", { name: "Waiting for your first event" });
  await assertAccessible();
  const event = triggerOf("mygame_boss_defeated");
  send(event);
  await row(/Recording.*Boss defeated.*Mygame.*Accepted$/);
  assert.ok(screen.queryByRole("heading", { name: "Waiting for your first event" }) === null);
  launcher.send({ type: "receipt", id: event.id, entry: entryOf("marked", "recording") });
  await row(/Recording.*Boss defeated.*Mygame.*Marker saved$/);
  await assertAccessible();
});

test("an event shows its id as it was sent, and then its name; an error shows its message", async () => {
  await openLive();
  const event = triggerOf("mygame_BOSS__defeated ");
  send(event, errorOf("Null value"));
  const found = await row(/Recording.*mygame_BOSS__defeated/);
  assert.equal(found.querySelector(".what code")?.textContent, "mygame_BOSS__defeated ");
  assert.match(found.querySelector(".what")?.textContent ?? "", /^mygame_BOSS__defeated +BOSS/iu);
  assert.equal((await row(/Null value/)).querySelector(".what code"), null);
});

test("an error that arrived before its game was known is assigned to the game later, while the page is open", async () => {
  await openLive();
  const error = errorOf("a door without a lock");
  send(error);
  const found = await row(/a door without a lock/);
  assert.equal(gameIn(found), "Unsorted");
  launcher.when(listEvents).reply(() => listOf({ ...error, game: "mygame" }));
  launcher.tell("games");
  await waitFor(() => assert.equal(gameIn(found), "Mygame"));
});

test("a refused request shows the invalid field and the expected value, and can be hidden", async () => {
  const { user } = await openLive();
  launcher.send({ type: "refusal", refusal: refusalOf() });
  const found = await row(/Refused.*timestamp.*ISO 8601.*422$/);
  await user.click(found);
  const details = within(screen.getByRole("complementary", { name: "Details" }));
  details.getByText("an ISO 8601 time like YYYY-MM-DDTHH:MM:SS.sssZ");
  details.getByText(/"timestamp":"yesterday"/);
  await assertAccessible();
  await user.click(screen.getByRole("switch", { name: "Refused" }));
  await waitFor(() => assert.equal(found.isConnected, false));
  assert.equal(location.hash, "#/live?refusals=hidden");
});

test("the launcher applies the filters by game and kind, also for the feed, and the page shows only what passes", async () => {
  const [boss, win, end] = [triggerOf("alpha_boss"), triggerOf("alpha_win", { kind: "social" }), triggerOf("beta_end")];
  const loner = triggerOf("loner", { game: null });
  launcher.when(listEvents).reply(() => listOf(boss, win, end, loner));
  const { user } = await openLive();
  await untilShown(loner, end, win, boss);
  const lists = () => launcher.asked.filter((address) => address.startsWith("/api/events"));
  assert.deepEqual([lists().at(-1), launcher.followed()], ["/api/events?limit=200", ["/api/feed"]]);
  const choose = async (act: () => Promise<void>, query: string, ...events: readonly KitEvent[]) => {
    launcher.asked.length = 0;
    launcher.when(listEvents).reply(() => listOf(...events.toReversed()));
    await act();
    await untilShown(...events);
    await waitFor(() => assert.deepEqual(launcher.followed(), [`/api/feed?${query}`]));
    assert.deepEqual([lists()[0], location.hash], [`/api/events?${query}&limit=200`, `#/live?${query}`]);
  };
  const game = screen.getByRole("combobox", { name: "Game" });
  await choose(() => user.selectOptions(game, "alpha"), "game=alpha", win, boss);
  await choose(() => user.click(screen.getByRole("radio", { name: "Social" })), "game=alpha&kind=social", win);
  const later = triggerOf("alpha_later", { kind: "social" });
  send(later);
  await untilShown(later, win);
});

test("filters are kept in the address, and can all be removed", async () => {
  const events = [triggerOf("alpha_win"), triggerOf("alpha_end")] as const;
  launcher.when(listEvents).reply(() => listOf(...events));
  const { user } = await openLive("#/live?game=alpha&kind=recording");
  await untilShown(events[1], events[0]);
  assert.deepEqual(
    launcher.asked.filter((address) => address.includes("/api/events"))[0],
    "/api/events?game=alpha&kind=recording&limit=200",
  );
  assert.equal(screen.getByRole<HTMLSelectElement>("combobox", { name: "Game" }).value, "alpha");
  assert.equal(screen.getByRole("radio", { name: "Recording" }).getAttribute("aria-checked"), "true");
  await user.type(screen.getByRole("searchbox"), "alpha_w");
  await untilShown(events[0]);
  await user.type(screen.getByRole("searchbox"), "nothing like it");
  screen.getByRole("heading", { name: "Nothing matches these filters" });
  await assertAccessible();
  await user.click(screen.getByRole("button", { name: "Show everything" }));
  await untilShown(events[1], events[0]);
  assert.equal(location.hash, "#/live");
});

test("new events are counted while the page is paused, and shown when it resumes", async () => {
  const [first, second, third] = [triggerOf("mygame_one"), triggerOf("mygame_two"), triggerOf("mygame_three")];
  const { user } = await openLive();
  send(first);
  await untilShown(first);
  await user.click(screen.getByRole("button", { name: "Pause" }));
  screen.getByText("Paused");
  send(second, third);
  const show = await screen.findByRole("button", { name: "Show 2 new" });
  await waitFor(() => assert.deepEqual([shown(), document.title], [[first.id], "(2) Kit"]));
  await user.click(show);
  await untilShown(third, second, first);
  screen.getByText("Listening");
});

test("in a storm the newest rows are on top, each once, and what the feed skipped can be loaded", async () => {
  const { user } = await openLive();
  const events = Array.from({ length: 30 }, (_, n) => errorOf(`storm ${n}`));
  const [skipped, over] = [errorOf("skipped"), triggerOf("storm_over")];
  send(...events, ...events.slice(-20));
  launcher.send({ type: "skipped", events: 1 });
  send(over);
  await untilShown(over, ...events.toReversed());
  screen.getByText("1 more event arrived than this page could show.");
  launcher.when(listEvents).reply(() => listOf(...events, skipped, over));
  await user.click(screen.getByRole("button", { name: "Load these events" }));
  await untilShown(over, skipped, ...events.toReversed());
});

test("the keyboard moves through the rows, and opens, changes and closes the details", async () => {
  const { user } = await openLive();
  const events = ["one", "two", "three"].map((name) => triggerOf(`mygame_${name}`));
  answerDetails(launcher, triggerOf("mygame_two"));
  send(...events);
  await untilShown(...events.toReversed());
  const title = () => screen.queryByRole("complementary", { name: "Details" })?.querySelector("h2")?.textContent;
  const focused = () => document.activeElement?.querySelector(".what code")?.textContent;
  await user.keyboard("{ArrowDown}");
  assert.equal(focused(), "mygame_three");
  await user.keyboard("{ArrowDown}");
  assert.deepEqual([focused(), title()], ["mygame_two", undefined]);
  await user.keyboard("{Enter}");
  assert.equal(title(), "mygame_two");
  await user.keyboard("{ArrowDown}");
  assert.equal(title(), "mygame_one");
  await user.keyboard("{Escape}");
  assert.deepEqual([focused(), title()], ["mygame_one", undefined]);
});

test("keys pause and resume the page, move to the filter and open the help, and a field takes them as text", async () => {
  const { user } = await openLive();
  await user.keyboard("p");
  screen.getByRole("button", { name: "Resume" });
  await user.keyboard("p");
  screen.getByRole("button", { name: "Pause" });
  await user.keyboard("/two/p");
  const field = screen.getByRole<HTMLInputElement>("searchbox");
  assert.equal(field.value, "two/p");
  screen.getByRole("button", { name: "Pause" });
  field.blur();
  await user.keyboard("?");
  within(screen.getByRole("dialog", { name: "Keyboard shortcuts" })).getByText("Pause, or show new events");
});

test("the empty page links to the steps of the selected engine", async () => {
  const { user } = await openLive();
  await user.click(screen.getByRole("tab", { name: /^GameMaker/ }));
  const link = await screen.findByRole("link", { name: /steps for GameMaker/ });
  assert.equal(link.getAttribute("href"), "#/connect/gamemaker");
});

test("while the disk is full, the banner leads to what frees space", async () => {
  const detail = message("storage.failed", { explanation: message("storage.disk_full"), problem: "SQLITE_FULL" });
  launcher.when(getHealth).reply(() => ({
    ...{ product: "kit", version: "1.0.0", capabilities: [], dropped: { evicted: 0, refusals: 0, events: 0 } },
    storage: { state: "failing", detail, notices: [] },
  }));
  await openLive();
  const banner = within(await screen.findByRole("alert"));
  assert.equal(banner.getByRole("link", { name: "Free up space" }).getAttribute("href"), "#/storage");
});

test("a problem with the storage is shown at the top of the page, and its notes can be hidden", async () => {
  const note = "2 damaged rows were set aside.";
  launcher.when(getHealth).reply(() => ({
    ...{ product: "kit", version: "1.0.0", capabilities: [], dropped: { evicted: 0, refusals: 0, events: 0 } },
    storage: { state: "failing", detail: "Another program has locked it.", notices: [note] },
  }));
  const { user } = await openLive();
  assert.match(
    (await screen.findByRole("alert")).textContent,
    /^Kit cannot store events.*Another program has locked it\.$/u,
  );
  assert.ok(screen.queryByRole("link", { name: "Free up space" }) === null);
  screen.getByText(note);
  await assertAccessible();
  await user.click(screen.getByRole("button", { name: "Hide" }));
  assert.ok(screen.queryByText(note) === null);
});
