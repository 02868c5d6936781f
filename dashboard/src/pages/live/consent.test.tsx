// Tests of consent on the Live page: the cards of web origins that wait, and the list of those that a person decided.
import assert from "node:assert/strict";
import { decideConsent, forgetOrigin, KitError, listOrigins, listRecordingRules, type WebOrigin } from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, test } from "vitest";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { createFakeLauncher, type FakeLauncher } from "../../../test/component/fake-launcher.ts";
import { openApp } from "../../../test/component/open-app.tsx";

const originOf = (origin: string, members: Partial<WebOrigin> = {}): WebOrigin => ({
  ...{
    origin,
    state: "pending",
    shared: false,
    firstAskedAt: "2026-05-01T10:00:00.000Z",
    expiresAt: null,
    attempts: 1,
  },
  ...members,
});

let launcher: FakeLauncher;
let [origins, dropped]: [WebOrigin[], number] = [[], 0];
beforeEach(() => {
  launcher = createFakeLauncher();
  [origins, dropped] = [[], 0];
  launcher.when(listRecordingRules).reply(() => ({ rules: [] }));
  launcher.when(listOrigins).reply(() => ({ origins, dropped }));
  launcher.when(decideConsent).reply(({ body: { origin, decision: state } }) => {
    const decided = originOf(origin, { state });
    origins = origins.map((one) => (one.origin === origin ? decided : one));
    return decided;
  });
  launcher.when(forgetOrigin).reply(({ query }) => {
    origins = origins.filter(({ origin }) => origin !== query.origin);
    return undefined;
  });
});

async function openLive() {
  const { user } = await openApp("#/live", launcher);
  await screen.findByText("Listening");
  return user;
}

const card = (name: RegExp) => screen.findByRole("article", { name });
const choices = (found: HTMLElement) =>
  within(found)
    .getAllByRole("button")
    .map(({ textContent }) => textContent);

/** The web origins on the cards, from top to bottom. */
const asked = () =>
  screen
    .queryAllByRole("article", { name: /^Consent for/ })
    .map((article) => article.querySelector(".code")?.textContent);
const subs = (...at: readonly number[]) => at.map((n) => `https://sub-${n}.evil.example`);

test("the consent card allows a web origin that asks while the page is open, which can be reset afterwards", async () => {
  const user = await openLive();
  origins = [originOf("https://games.example.org", { attempts: 3 })];
  launcher.tell("origins");
  const found = await card(/games\.example\.org/);
  within(found).getByText(/^It tried 3 times\./);
  assert.deepEqual(choices(found), ["Allow for 30 days", "Allow until Kit exits", "Block"]);
  await assertAccessible();
  await user.click(within(found).getByRole("button", { name: "Allow until Kit exits" }));
  await waitFor(() => assert.equal(found.isConnected, false));
  await user.click(await screen.findByText("Allowed and blocked web pages (1)"));
  screen.getByText("Allowed until Kit exits");
  await user.click(screen.getByRole("button", { name: "Ask again for https://games.example.org" }));
  await waitFor(() => assert.ok(screen.queryByText(/^Allowed and blocked web pages/) === null));
  assert.deepEqual(launcher.changes, [
    'PUT /api/origins {"origin":"https://games.example.org","decision":"until-exit"}',
    "DELETE /api/origins?origin=https%3A%2F%2Fgames.example.org",
  ]);
});

test("a web origin that many games share, and a page without an address, are allowed only until Kit exits", async () => {
  origins = [originOf("https://html-classic.itch.zone", { shared: true }), originOf("null")];
  await openLive();
  const [shared, none] = [await card(/itch\.zone/), await card(/null/)];
  within(shared).getByText("Many games share this web address. If you allow it, you allow all of them.");
  within(none).getByText(/^This page has no web address\./);
  for (const found of [shared, none]) assert.deepEqual(choices(found), ["Allow until Kit exits", "Block"]);
  await assertAccessible();
});

test("a decision that fails is reported on its card", async () => {
  origins = [originOf("https://games.example.org")];
  launcher.when(decideConsent).reply(() => {
    throw new KitError("internal", "The disk is full.");
  });
  const user = await openLive();
  const found = await card(/games\.example\.org/);
  await user.click(within(found).getByRole("button", { name: "Block" }));
  assert.equal((await within(found).findByRole("alert")).textContent, "The disk is full.");
});

test("two cards are shown at a time, and no card moves under the pointer while others ask", async () => {
  const itch = originOf("https://html-classic.itch.zone", { shared: true });
  const setWaiting = (...at: readonly number[]) => {
    origins = [
      ...subs(...at).map((origin) => originOf(origin)),
      ...origins.filter(({ origin }) => origin === itch.origin),
    ];
  };
  [origins, dropped] = [[itch], 3];
  setWaiting(3, 4, 5, 6, 7);
  const user = await openLive();
  await user.click(await screen.findByRole("button", { name: "4 more web pages are waiting" }));
  const before = [...subs(3, 4, 5, 6, 7), itch.origin];
  assert.deepEqual(asked(), before);
  screen.getByText(/^3 requests were removed without a decision/);
  await user.hover(await card(/itch/));
  dropped = 11;
  setWaiting(11, 12, 13, 14, 15);
  launcher.tell("origins");
  await screen.findByText(/^11 requests were removed without a decision/);
  assert.deepEqual(asked(), before);
  await user.click(within(await card(/itch/)).getByRole("button", { name: "Block" }));
  await user.hover(screen.getByRole("heading", { level: 1 }));
  await waitFor(() => assert.deepEqual(asked(), subs(11, 12, 13, 14, 15)));
});
