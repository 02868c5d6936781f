// Tests of sign-in sessions: opened by a ticket that works once, proved by a cookie and a token, ended by time or by a person.
import assert from "node:assert/strict";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../../test/support/storage-folder.ts";
import { sql } from "../../storage/sql.ts";
import { createSignInSessionStore } from "../admission-store.ts";
import { createSignInSessions, type OpenedSignInSession, type SignInSessions } from "./sessions.ts";

type NewSession = OpenedSignInSession & { readonly cookie: string };
const secret = "3".repeat(64);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

let folder: StorageFolder;
/** The elapsed time. The computer's clock may differ from it. */
let nowMs = Date.UTC(2026, 0, 1);
let clockIsAheadMs = 0;
const clock = () => nowMs + clockIsAheadMs;
beforeAll(async () => {
  folder = await openStorageFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());
beforeEach(async () => {
  clockIsAheadMs = 0;
  await folder.storage.write(sql`DELETE FROM session`);
});

/** Sessions are saved without waiting; a later write is committed after them. */
const written = () => folder.storage.write(sql`DELETE FROM session WHERE 0`);

/** The sessions after a start with the stored ones. */
async function restarted(): Promise<SignInSessions> {
  await written();
  const startedMs = nowMs;
  const sessions = createSignInSessions(
    createSignInSessionStore(folder.storage, (error) => assert.fail(`${error}`)),
    secret,
    clock,
    () => nowMs - startedMs,
  );
  await sessions.load();
  return sessions;
}

function open(sessions: SignInSessions): NewSession {
  const opened = sessions.open(sessions.createTicket().ticket);
  assert.ok(opened?.cookie);
  return { ...opened, cookie: opened.cookie };
}

test("a ticket opens only one session", async () => {
  const sessions = await restarted();
  const { ticket } = sessions.createTicket();
  assert.ok(sessions.open(ticket));
  assert.equal(sessions.open(ticket), undefined);
});

test("a ticket redeemed in a browser with an open session gives that session, and replaces no cookie", async () => {
  const sessions = await restarted();
  const { cookie, token, pass, expiresAtMs } = open(sessions);
  nowMs += hourMs;
  const again = sessions.open(sessions.createTicket().ticket, cookie);
  assert.deepEqual(again, { token, pass, expiresAtMs });
  await written();
  assert.equal((await folder.storage.read(sql`SELECT 1 FROM session`)).length, 1);
});

test("redeeming a ticket uses the session, but does not extend its 30 days", async () => {
  const sessions = await restarted();
  const { cookie, token, expiresAtMs } = open(sessions);
  while (nowMs + 11 * hourMs < expiresAtMs) {
    nowMs += 11 * hourMs;
    assert.ok(sessions.open(sessions.createTicket().ticket, cookie));
  }
  assert.equal(sessions.isOpen(cookie, token), true);
  nowMs = expiresAtMs;
  assert.equal(sessions.isOpen(cookie, token), false);
});

test("a cookie without an open session gets a new session", async () => {
  const sessions = await restarted();
  const closed = open(sessions);
  sessions.close(closed.cookie);
  const idle = open(sessions);
  nowMs += 12 * hourMs;
  for (const cookie of ["", "x".repeat(43), closed.cookie, idle.cookie]) {
    const opened = sessions.open(sessions.createTicket().ticket, cookie);
    assert.ok(opened?.cookie !== undefined && opened.cookie !== cookie);
    assert.equal(sessions.isOpen(cookie, opened.token), false);
    assert.equal(sessions.isOpen(opened.cookie, opened.token), true);
  }
});

test("an open session's cookie makes no other ticket valid", async () => {
  const sessions = await restarted();
  const { cookie } = open(sessions);
  const { ticket } = sessions.createTicket();
  assert.ok(sessions.open(ticket, cookie));
  for (const refused of ["", "x", ticket]) assert.equal(sessions.open(refused, cookie), undefined);
});

test("a ticket is valid for 60 seconds", async () => {
  const sessions = await restarted();
  const soon = sessions.createTicket();
  const late = sessions.createTicket();
  assert.equal(soon.expiresAtMs, nowMs + minuteMs);
  nowMs += minuteMs;
  assert.ok(sessions.open(soon.ticket));
  nowMs += 1;
  assert.equal(sessions.open(late.ticket), undefined);
});

test("an invented ticket opens nothing", async () => {
  const sessions = await restarted();
  sessions.createTicket();
  for (const ticket of ["", "x", "__proto__", "a".repeat(43)]) assert.equal(sessions.open(ticket), undefined);
});

test("only the newest 20 tickets are valid", async () => {
  const sessions = await restarted();
  const tickets = Array.from({ length: 21 }, () => sessions.createTicket().ticket);
  assert.equal(sessions.open(tickets[0] ?? ""), undefined);
  assert.ok(sessions.open(tickets[1] ?? ""));
  assert.ok(sessions.open(tickets[20] ?? ""));
});

test("a session needs both its cookie and its token", async () => {
  const sessions = await restarted();
  const one = open(sessions);
  const other = open(sessions);
  assert.equal(sessions.isOpen(one.cookie, one.token), true);
  for (const [cookie, token] of [
    [one.cookie, ""],
    ["", one.token],
    [one.cookie, other.token],
    [other.cookie, one.token],
    [one.token, one.cookie],
  ] as const) {
    assert.equal(sessions.isOpen(cookie, token), false);
  }
});

test("a pass counts only with the cookie of its session, while that session is open", async () => {
  const sessions = await restarted();
  const one = open(sessions);
  const other = open(sessions);
  assert.equal(sessions.isPass(one.cookie, one.pass), true);
  for (const [cookie, pass] of [
    [one.cookie, other.pass],
    [one.cookie, one.token],
    [one.cookie, ""],
    ["", one.pass],
  ] as const) {
    assert.equal(sessions.isPass(cookie, pass), false);
  }
  assert.equal(sessions.isOpen(one.cookie, one.pass), false, "a pass is not a token");
  assert.equal((await restarted()).isPass(one.cookie, one.pass), true, "after a restart");
  sessions.close(one.cookie);
  assert.equal(sessions.isPass(one.cookie, one.pass), false);
  nowMs += 12 * hourMs;
  assert.equal(sessions.isPass(other.cookie, other.pass), false);
});

test("cookies, tokens and passes are long and unique", async () => {
  const sessions = await restarted();
  const halves = Array.from({ length: 5 }, () => open(sessions)).flatMap((one) => [one.cookie, one.token, one.pass]);
  assert.equal(new Set(halves).size, 15);
  for (const half of halves) assert.match(half, /^[A-Za-z0-9_-]{43}$/);
});

test("a session survives a restart, but what is stored opens nothing", async () => {
  const { cookie, token, pass } = open(await restarted());
  await written();
  const rows = await folder.storage.read(sql`SELECT * FROM session`);
  assert.equal(rows.length, 1);
  for (const half of [cookie, token, pass]) assert.ok(!JSON.stringify(rows).includes(half));
  const sessions = await restarted();
  assert.equal(sessions.isOpen(cookie, token), true);
  assert.equal(sessions.isOpen(String(rows[0]?.cookie_hash), token), false);
});

test("a session ends 12 hours after its last use", async () => {
  const sessions = await restarted();
  const { cookie, token } = open(sessions);
  for (let uses = 0; uses < 4; uses += 1) {
    nowMs += 11 * hourMs;
    assert.equal(sessions.isOpen(cookie, token), true);
  }
  assert.equal((await restarted()).isOpen(cookie, token), true, "its use is stored");
  nowMs += 12 * hourMs;
  assert.equal(sessions.isOpen(cookie, token), false);
  assert.equal((await restarted()).isOpen(cookie, token), false);
});

test("a session ends after 30 days, however often it is used", async () => {
  const sessions = await restarted();
  const { cookie, token, expiresAtMs } = open(sessions);
  assert.equal(expiresAtMs, nowMs + 30 * dayMs);
  while (nowMs + 10 * hourMs < expiresAtMs) {
    nowMs += 10 * hourMs;
    assert.equal(sessions.isOpen(cookie, token), true);
  }
  nowMs = expiresAtMs;
  assert.equal(sessions.isOpen(cookie, token), false);
});

test("a session in use is not saved at every request", async () => {
  let saved = 0;
  const count = () => {
    saved += 1;
  };
  const sessions = createSignInSessions(
    { all: () => Promise.resolve([]), save: count, remove: () => {} },
    secret,
    clock,
    () => nowMs,
  );
  const { cookie, token } = open(sessions);
  for (let seconds = 0; seconds < 3_600; seconds += 1) {
    nowMs += 1_000;
    assert.equal(sessions.isOpen(cookie, token), true);
  }
  assert.ok(saved > 1 && saved < 20, `it was written ${saved} times in an hour`);
});

test("a closed session stays closed after a restart", async () => {
  const sessions = await restarted();
  const one = open(sessions);
  const other = open(sessions);
  sessions.close(one.cookie);
  for (const known of [sessions, await restarted()]) {
    assert.equal(known.isOpen(one.cookie, one.token), false);
    assert.equal(known.isOpen(other.cookie, other.token), true);
  }
});

test("above 10 sessions the longest unused one is closed", async () => {
  const sessions = await restarted();
  const opened: NewSession[] = [];
  for (let count = 0; count < 10; count += 1) {
    nowMs += 10 * minuteMs;
    opened.push(open(sessions));
  }
  nowMs += 10 * minuteMs;
  const isOpen = (index: number) => sessions.isOpen(opened[index]?.cookie ?? "", opened[index]?.token ?? "");
  assert.equal(isOpen(0), true, "the first is used now");
  opened.push(open(sessions));
  assert.deepEqual([isOpen(0), isOpen(1), isOpen(2), isOpen(10)], [true, false, true, true]);
  await written();
  assert.equal((await folder.storage.read(sql`SELECT 1 FROM session`)).length, 10);
});

const jumps: readonly (readonly [name: string, byMs: number])[] = [
  ["13 hours on", 13 * hourMs],
  ["31 days on", 31 * dayMs],
  ["ten years on", 3_652 * dayMs],
  ["13 hours back", -13 * hourMs],
  ["25 years back", -9_131 * dayMs],
];
for (const [name, byMs] of jumps) {
  test(`a clock set ${name} during a run ends no session, and neither does its correction`, async () => {
    const sessions = await restarted();
    const used = open(sessions);
    const unused = open(sessions);
    const { ticket } = sessions.createTicket();
    const isOpen = (known: SignInSessions, { cookie, token }: NewSession) =>
      known.hasOpenSession(cookie) && known.isOpen(cookie, token);
    for (const aheadMs of [byMs, 0, byMs, 2 * byMs]) {
      clockIsAheadMs = aheadMs;
      nowMs += 10 * minuteMs;
      assert.ok(isOpen(sessions, used), `ahead by ${aheadMs}`);
    }
    assert.equal(sessions.open(ticket), undefined, "40 minutes passed");
    const later = open(sessions);
    const other = await restarted();
    assert.ok(isOpen(other, used) && isOpen(other, later), "measured by the clock of the last use");
    clockIsAheadMs = 0;
    nowMs += 10 * minuteMs;
    assert.ok(isOpen(sessions, used) && isOpen(sessions, unused) && isOpen(sessions, later));
    nowMs += 12 * hourMs;
    for (const known of [sessions, other])
      for (const each of [used, unused, later]) assert.ok(!isOpen(known, each), "12 hours without use have passed");
  });
}

test("a session ends by elapsed time, even if the clock was set back meanwhile", async () => {
  const sessions = await restarted();
  const { cookie, token } = open(sessions);
  clockIsAheadMs = -3_652 * dayMs;
  nowMs += 12 * hourMs;
  assert.equal(sessions.isOpen(cookie, token), false);
  assert.equal((await restarted()).isOpen(cookie, token), false);
});

test("a session saved by a clock that was ahead counts as used at the start of the launcher", async () => {
  clockIsAheadMs = 3_652 * dayMs;
  const { cookie, token } = open(await restarted());
  await written();
  clockIsAheadMs = 0;
  const sessions = await restarted();
  nowMs += 11 * hourMs;
  assert.equal(sessions.hasOpenSession(cookie), true);
  nowMs += hourMs;
  assert.equal(sessions.isOpen(cookie, token), false);
});

test("a restart does not extend a session beyond 30 days", async () => {
  let sessions = await restarted();
  const { cookie, token } = open(sessions);
  for (let days = 0; days < 29; days += 1) {
    clockIsAheadMs = days % 2 === 0 ? 400 * dayMs : -400 * dayMs;
    for (let uses = 0; uses < 3; uses += 1) {
      nowMs += 8 * hourMs;
      assert.equal(sessions.isOpen(cookie, token), true, `day ${days}`);
    }
    sessions = await restarted();
  }
  nowMs += 11 * hourMs;
  assert.equal(sessions.isOpen(cookie, token), true);
  nowMs += 11 * hourMs;
  assert.equal(sessions.isOpen(cookie, token), true);
  nowMs += 3 * hourMs;
  assert.equal(sessions.isOpen(cookie, token), false);
});
