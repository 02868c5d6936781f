// A dashboard session: opened by a ticket that is good once, proved by two halves, ended by time or by hand.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { openStorageFolder, type StorageFolder } from "../../../test/storage-folder.ts";
import { sql } from "../../storage/sql.ts";
import { createSessionStore } from "./session-store.ts";
import { createSessions, type OpenedSession, type Sessions } from "./sessions.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

let folder: StorageFolder;
let nowMs = Date.UTC(2026, 0, 1);
before(async () => {
  folder = await openStorageFolder();
});
after(() => folder?.[Symbol.asyncDispose]());
beforeEach(() => folder.storage.write(sql`DELETE FROM session`));

/** Sessions are written down in passing; what is written after them is committed after them. */
const written = () => folder.storage.write(sql`DELETE FROM session WHERE 0`);

/** The sessions of a launcher that has just started on what is on disk. */
async function restarted(): Promise<Sessions> {
  await written();
  const sessions = createSessions(
    createSessionStore(folder.storage, (error) => assert.fail(`${error}`)),
    () => nowMs,
  );
  await sessions.load();
  return sessions;
}

function open(sessions: Sessions): OpenedSession {
  const opened = sessions.open(sessions.createTicket().ticket);
  assert.ok(opened);
  return opened;
}

test("a ticket opens one session and no second one", async () => {
  const sessions = await restarted();
  const { ticket } = sessions.createTicket();
  assert.ok(sessions.open(ticket));
  assert.equal(sessions.open(ticket), undefined);
});

test("a ticket is good for 60 seconds", async () => {
  const sessions = await restarted();
  const [soon, late] = [sessions.createTicket(), sessions.createTicket()];
  assert.equal(soon.expiresAtMs, nowMs + minuteMs);
  nowMs += minuteMs;
  assert.ok(sessions.open(soon.ticket));
  nowMs += 1;
  assert.equal(sessions.open(late.ticket), undefined);
});

test("a ticket nobody made opens nothing", async () => {
  const sessions = await restarted();
  sessions.createTicket();
  for (const ticket of ["", "x", "__proto__", "a".repeat(43)]) assert.equal(sessions.open(ticket), undefined);
});

test("of more than 20 tickets the oldest are no longer good", async () => {
  const sessions = await restarted();
  const tickets = Array.from({ length: 21 }, () => sessions.createTicket().ticket);
  assert.equal(sessions.open(tickets[0] ?? ""), undefined);
  assert.ok(sessions.open(tickets[1] ?? ""));
  assert.ok(sessions.open(tickets[20] ?? ""));
});

test("a session needs both of its halves", async () => {
  const sessions = await restarted();
  const [one, other] = [open(sessions), open(sessions)];
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

test("halves are long, and never the same twice", async () => {
  const sessions = await restarted();
  const halves = Array.from({ length: 5 }, () => open(sessions)).flatMap(({ cookie, token }) => [cookie, token]);
  assert.equal(new Set(halves).size, 10);
  for (const half of halves) assert.match(half, /^[A-Za-z0-9_-]{43}$/);
});

test("a session survives a restart; what is on disk opens no door", async () => {
  const { cookie, token } = open(await restarted());
  await written();
  const rows = await folder.storage.read(sql`SELECT * FROM session`);
  assert.equal(rows.length, 1);
  assert.ok(!JSON.stringify(rows).includes(cookie) && !JSON.stringify(rows).includes(token));
  const sessions = await restarted();
  assert.equal(sessions.isOpen(cookie, token), true);
  const { cookie_hash: cookieHash, token_hash: tokenHash } = rows[0] ?? {};
  assert.equal(sessions.isOpen(String(cookieHash), String(tokenHash)), false);
});

test("a session ends 12 hours after it was last used", async () => {
  const sessions = await restarted();
  const { cookie, token } = open(sessions);
  for (let uses = 0; uses < 4; uses += 1) {
    nowMs += 11 * hourMs;
    assert.equal(sessions.isOpen(cookie, token), true);
  }
  assert.equal((await restarted()).isOpen(cookie, token), true, "its use is written down");
  nowMs += 12 * hourMs;
  assert.equal(sessions.isOpen(cookie, token), false);
  assert.equal((await restarted()).isOpen(cookie, token), false);
});

test("a session ends after 30 days, however much it is used", async () => {
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

test("a session in use is not written down at every request", async () => {
  let saved = 0;
  const count = () => {
    saved += 1;
  };
  const sessions = createSessions({ all: () => Promise.resolve([]), save: count, remove: () => {} }, () => nowMs);
  const { cookie, token } = open(sessions);
  for (let seconds = 0; seconds < 3_600; seconds += 1) {
    nowMs += 1_000;
    assert.equal(sessions.isOpen(cookie, token), true);
  }
  assert.ok(saved > 1 && saved < 20, `it was written ${saved} times in an hour`);
});

test("a closed session stays closed, also after a restart", async () => {
  const sessions = await restarted();
  const [one, other] = [open(sessions), open(sessions)];
  sessions.close(one.cookie);
  for (const known of [sessions, await restarted()]) {
    assert.equal(known.isOpen(one.cookie, one.token), false);
    assert.equal(known.isOpen(other.cookie, other.token), true);
  }
});

test("of more than 10 sessions the one that was longest unused goes", async () => {
  const sessions = await restarted();
  const opened: OpenedSession[] = [];
  for (let count = 0; count < 10; count += 1) {
    nowMs += 10 * minuteMs;
    opened.push(open(sessions));
  }
  nowMs += 10 * minuteMs;
  const isOpen = (index: number) => sessions.isOpen(opened[index]?.cookie ?? "", opened[index]?.token ?? "");
  assert.equal(isOpen(0), true, "the first is used again");
  opened.push(open(sessions));
  assert.deepEqual([isOpen(0), isOpen(1), isOpen(2), isOpen(10)], [true, false, true, true]);
  await written();
  assert.equal((await folder.storage.read(sql`SELECT 1 FROM session`)).length, 10);
});
