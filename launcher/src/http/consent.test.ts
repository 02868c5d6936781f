// Tests of the consent of web origins: how it is asked for, given for a time and revoked.
import assert from "node:assert/strict";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../test/support/storage-folder.ts";
import { sql } from "../storage/sql.ts";
import { createConsentStore } from "./admission-store.ts";
import { createWebOriginConsent, type WebOriginConsent } from "./consent.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const origin = "https://html-classic.itch.zone";

let folder: StorageFolder;
let nowMs = Date.UTC(2026, 0, 1);
let changes = 0;
beforeAll(async () => {
  folder = await openStorageFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());
beforeEach(async () => {
  await folder.storage.write(sql`DELETE FROM origin`);
  changes = 0;
});

/** The consents after a start with the stored decisions. */
async function restarted(): Promise<WebOriginConsent> {
  const onChanged = () => {
    changes += 1;
  };
  const consent = createWebOriginConsent(createConsentStore(folder.storage), () => nowMs, onChanged);
  await consent.load();
  return consent;
}

const statesOf = (consent: WebOriginConsent) => consent.list().origins.map((entry) => [entry.origin, entry.state]);

const pendingIn = (consent: WebOriginConsent) =>
  consent.list().origins.flatMap((entry) => (entry.state === "pending" ? [entry.origin] : []));

test("an origin that asks is listed as pending with its attempts, and is not allowed", async () => {
  const consent = await restarted();
  const firstAskedAt = new Date(nowMs).toISOString();
  consent.ask(origin);
  nowMs += 1_000;
  consent.ask(origin);
  const entry = { origin, state: "pending", shared: true, firstAskedAt, expiresAt: null, attempts: 2 };
  assert.deepEqual(consent.list(), { origins: [entry], dropped: 0 });
  assert.equal(consent.stateOf(origin), "unasked");
  assert.ok(changes > 0, "a change is reported");
});

test("pending origins are forgotten at a restart", async () => {
  (await restarted()).ask(origin);
  assert.deepEqual(statesOf(await restarted()), []);
});

test("at most 20 origins are pending: the oldest with the fewest attempts is dropped and counted", async () => {
  const consent = await restarted();
  for (const origin of ["https://game-0.example", "https://game-0.example", "https://game-1.example"])
    consent.ask(origin);
  for (let index = 2; index < 23; index += 1) consent.ask(`https://game-${index}.example`);
  const { origins, dropped } = consent.list();
  assert.deepEqual([origins.length, dropped], [20, 3]);
  const gone = [0, 1, 2, 3, 4, 22].filter(
    (at) => !origins.some((each) => each.origin === `https://game-${at}.example`),
  );
  assert.deepEqual(gone, [1, 2, 3], "the first origin asked twice");
  await consent.decide("https://game-0.example", "blocked");
  consent.ask("https://game-23.example");
  assert.deepEqual([pendingIn(consent).length, consent.list().dropped], [20, 3], "a decision frees a place");
});

test("at most five origins of one site are pending, and the largest site loses its places first", async () => {
  const consent = await restarted();
  for (let index = 0; index < 9; index += 1) consent.ask(`https://sub-${index}.deep.evil.example:${8_000 + index}`);
  for (let index = 0; index < 9; index += 1) consent.ask(`http://192.0.2.${index}`);
  for (let index = 0; index < 9; index += 1) consent.ask(`http://[2001:db8::${index}]:80`);
  const of = (part: string) => pendingIn(consent).filter((origin) => origin.includes(part)).length;
  assert.deepEqual([of("evil"), of("192"), of("2001"), consent.list().dropped], [2, 9, 9, 7]);
  assert.ok(pendingIn(consent).includes("https://sub-8.deep.evil.example:8008"), "the newest is pending");
});

test("a pending origin is forgotten an hour after its last attempt", async () => {
  const consent = await restarted();
  consent.ask(origin);
  nowMs += hourMs - 1;
  consent.ask(origin);
  nowMs += hourMs - 1;
  assert.deepEqual(statesOf(consent), [[origin, "pending"]]);
  nowMs += 1;
  assert.deepEqual(consent.list(), { origins: [], dropped: 1 });
  consent.ask(origin);
  assert.equal(consent.list().origins[0]?.attempts, 1);
});

const unstored = () =>
  createWebOriginConsent(
    { all: async () => [], save: async () => undefined, remove: async () => undefined },
    () => nowMs,
    () => undefined,
  );
const realGame = "https://html-classic.itch.zone";
/** A page can invent any number of origins below the sites that it owns. */
const invented = (sites: number) =>
  fc
    .record({ site: fc.nat(sites - 1), host: fc.stringMatching(/^[a-z]{1,6}(\.[a-z]{1,6})?$/), port: fc.nat(60_000) })
    .map(({ site, host, port }) => `https://${host}.evil-${site}.example:${port}`);

test("the real game stays pending, whatever origins a page with up to 19 sites invents before and after it", () => {
  fc.assert(
    fc.property(
      fc.array(invented(19), { minLength: 30, maxLength: 200 }),
      fc.array(invented(19), { minLength: 30, maxLength: 200 }),
      (before, after) => {
        const consent = unstored();
        for (const origin of before) consent.ask(origin);
        consent.ask(realGame);
        for (const origin of after) consent.ask(origin);
        const pending = pendingIn(consent);
        assert.ok(pending.includes(realGame) && pending.length <= 20, pending.join(" "));
      },
    ),
    { numRuns: 60 },
  );
});

test("an origin is listed as pending at once, however many others of its site ask too", () => {
  const host = fc.stringMatching(/^[a-z]{1,8}$/).map((name) => `https://${name}.itch.zone`);
  fc.assert(
    fc.property(fc.array(fc.oneof(host, invented(40)), { minLength: 30, maxLength: 100 }), (flood) => {
      const consent = unstored();
      for (const origin of [...flood, realGame]) {
        consent.ask(origin);
        assert.ok(pendingIn(consent).includes(origin));
      }
      assert.ok(pendingIn(consent).length <= 20);
    }),
    { numRuns: 40 },
  );
});

test("consent until exit lasts at most 12 hours, and ends at a restart", async () => {
  const consent = await restarted();
  consent.ask(origin);
  const decided = await consent.decide(origin, "until-exit");
  assert.deepEqual([decided.state, decided.attempts], ["until-exit", 1]);
  assert.equal(decided.expiresAt, new Date(nowMs + 12 * hourMs).toISOString());
  assert.equal(consent.stateOf(origin), "allowed");
  assert.equal((await restarted()).stateOf(origin), "unasked");
  nowMs += 12 * hourMs;
  assert.equal(consent.stateOf(origin), "unasked");
  assert.deepEqual(statesOf(consent), []);
});

test("consent for 30 days survives a restart, and ends", async () => {
  await (await restarted()).decide(origin, "30-days");
  nowMs += 30 * dayMs - 1;
  const consent = await restarted();
  assert.equal(consent.stateOf(origin), "allowed");
  nowMs += 1;
  assert.equal(consent.stateOf(origin), "unasked");
  assert.equal((await restarted()).stateOf(origin), "unasked");
});

test("a blocked origin stays blocked after a restart", async () => {
  const consent = await restarted();
  assert.equal((await consent.decide(origin, "blocked")).expiresAt, null);
  nowMs += 1_000 * dayMs;
  for (const known of [consent, await restarted()]) assert.equal(known.stateOf(origin), "blocked");
});

test("a later decision replaces an earlier one, also on disk", async () => {
  const consent = await restarted();
  await consent.decide(origin, "30-days");
  await consent.decide(origin, "blocked");
  assert.equal((await restarted()).stateOf(origin), "blocked");
  await consent.decide(origin, "until-exit");
  assert.equal(consent.stateOf(origin), "allowed");
  assert.equal((await restarted()).stateOf(origin), "unasked", "consent until exit replaces the longer one");
});

for (const mintable of ["null", "file://"]) {
  test(`${mintable}, which any page can have as its origin, is allowed until exit at most`, async () => {
    const consent = await restarted();
    assert.equal((await consent.decide(mintable, "30-days")).state, "until-exit");
    assert.equal(consent.stateOf(mintable), "allowed");
    assert.equal((await restarted()).stateOf(mintable), "unasked");
  });
}

test("an origin whose decision was removed is unasked again", async () => {
  const consent = await restarted();
  await consent.decide(origin, "30-days");
  assert.equal(await consent.forget(origin), true);
  assert.equal(await consent.forget(origin), false);
  for (const known of [consent, await restarted()]) assert.equal(known.stateOf(origin), "unasked");
});

test("further attempts change no decision", async () => {
  const consent = await restarted();
  await consent.decide(origin, "blocked");
  for (let times = 0; times < 100; times += 1) consent.ask(origin);
  assert.equal(consent.stateOf(origin), "blocked");
});

test("the consent of one origin does not apply to any other", async () => {
  const consent = await restarted();
  await consent.decide("https://game.example", "30-days");
  for (const other of [
    "http://game.example",
    "https://game.example:8443",
    "https://GAME.example",
    "https://game.example.",
    "https://www.game.example",
    "__proto__",
    "",
  ]) {
    assert.equal(consent.stateOf(other), "unasked", other);
  }
});

test("a decision that cannot be stored is not made", async () => {
  const fail = () => Promise.reject(new Error("The disk is full."));
  const consent = createWebOriginConsent(
    { all: async () => [], save: fail, remove: fail },
    () => nowMs,
    () => {},
  );
  await assert.rejects(consent.decide(origin, "30-days"));
  assert.equal(consent.stateOf(origin), "unasked");
});

test("many decisions never displace a blocked origin, and their number is limited", async () => {
  const consent = await restarted();
  await consent.decide(origin, "blocked");
  for (let index = 0; index < 600; index += 1) await consent.decide(`https://game-${index}.example`, "until-exit");
  assert.ok(consent.list().origins.length <= 501);
  assert.equal(consent.stateOf(origin), "blocked");
});
