// Tests of notices with a real database and a real program in the place of the desktop.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { gameInWords, Notice, noticeSettingDefaults, textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { Value } from "typebox/value";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { type MonitorFolder, openMonitorFolder, reportWith } from "../../../test/monitor/monitor-folder.ts";
import { standInDesktop } from "../../../test/monitor/stand-in-desktop.ts";
import { patienceMs } from "../../../test/support/until.ts";
import { type Say, sayIn } from "../../reader-language.ts";
import { sql } from "../../storage/sql.ts";
import { createDesktopNotifier } from "./desktop-notifier.ts";
import { createNoticeStore } from "./notice-store.ts";
import { createNotices } from "./notices.ts";

let folder: MonitorFolder;
beforeAll(async () => {
  folder = await openMonitorFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());
beforeEach(async () => {
  await folder.clear();
  await folder.storage.write(sql`DELETE FROM notice_setting`);
});

/** Waits for the result of a desktop or an upkeep that takes its time. */
async function eventually<T>(look: () => T | Promise<T>, expected: T): Promise<void> {
  const deadlineMs = performance.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (JSON.stringify(found) === JSON.stringify(expected)) return;
    if (performance.now() > deadlineMs) return assert.deepEqual(found, expected);
    await pause(20);
  }
}

function open(searchPath = "", say: Say = textOf) {
  const { storage, clock } = folder;
  let changes = 0;
  const notices = createNotices({
    store: createNoticeStore(storage),
    write: storage.write,
    now: () => clock.ms,
    gameName: gameInWords,
    say,
    desktop: createDesktopNotifier({ searchPath, onFailure: () => undefined }),
    onChanged() {
      changes += 1;
    },
  });
  const list = async (before?: number, limit = 100) => {
    const listed = await notices.list(before, limit);
    for (const notice of listed.notices) assert.ok(Value.Check(Notice, notice), JSON.stringify(notice));
    return listed;
  };
  return { ...notices, list, changes: () => changes, [Symbol.asyncDispose]: notices.stop };
}
const titlesOf = (notices: readonly Notice[]) => notices.map(({ kind, title }) => `${kind} ${title}`);

test("the list continues from page to page, newest first, and knows which notices were seen and how many are gone", async () => {
  await using notices = open();
  for (const word of ["key", "door", "lamp"]) await folder.take([reportWith(`No ${word}`)]);
  const first = await notices.list(undefined, 2);
  assert.deepEqual([titlesOf(first.notices), first.more, first.unseen], [["new No lamp", "new No door"], true, 3]);
  const second = await notices.list(first.notices[1]?.number, 2);
  assert.deepEqual([titlesOf(second.notices), second.more], [["new No key"], false]);
  assert.deepEqual(await notices.markSeen(first.notices[1]?.number ?? 0), { unseen: 1 });
  assert.deepEqual(await notices.markSeen(0), { unseen: 1 }, "a seen notice stays seen");
  assert.deepEqual(
    (await notices.list()).notices.map(({ seen }) => seen),
    [false, true, true],
  );
  await notices.markSeen(Number.MAX_SAFE_INTEGER);
  await folder.take([reportWith("No sword")]);
  const { unseen, gone } = await notices.list();
  assert.equal(unseen, 1, "a later notice is unseen");
  await folder.storage.write(sql`DELETE FROM notice WHERE number = (SELECT min(number) FROM notice)`);
  assert.equal((await notices.list()).gone, gone + 1);
});

test("notices of a quiet kind or game are listed, but neither unseen nor shown on the desktop", async () => {
  using stand = standInDesktop();
  await using notices = open(stand.folder);
  await notices.changeSettings({ desktop: true, kinds: ["regressed", "times"], quietGames: ["saga", "unsorted"] });
  await folder.take([reportWith("No key", { game: "saga" }), reportWith("No door", { game: "tale" })]);
  notices.checkForNew();
  const ten = (game?: string) => Array.from({ length: 9 }, () => reportWith("No door", game ? { game } : {}));
  await folder.take([...ten("tale"), ...ten()]);
  notices.checkForNew();
  await eventually(() => stand.calls().map((words) => words.slice(2)), [["Reported 10 times in Tale", "No door"]]);
  const { notices: listed, unseen } = await notices.list();
  assert.deepEqual([listed.map(({ quiet }) => quiet).toSorted(), unseen], [[false, true, true, true], 1]);
});

test("the desktop shows nothing until it is enabled, then six a minute and the rest in one sentence", async () => {
  using stand = standInDesktop();
  await using notices = open(stand.folder);
  assert.deepEqual(await notices.settings(), { ...noticeSettingDefaults, trouble: null });
  const take = async (word: string, count: number) => {
    const games = Array.from({ length: count }, (_, index) => reportWith(`No ${word}`, { game: `saga${index}` }));
    await folder.take(games);
    const before = notices.changes();
    notices.checkForNew();
    await eventually(() => notices.changes() > before, true);
  };
  await take("key", 3);
  await notices.changeSettings({ desktop: true });
  await take("door", 8);
  await eventually(() => stand.calls().length, 6);
  assert.deepEqual(stand.calls()[0]?.slice(2), ["New error in Saga0", "No door"]);
  folder.clock.ms += 60_000;
  await take("lamp", 1);
  await eventually(() => stand.calls().length, 8);
  const [single, digest] = stand.calls().slice(6);
  assert.deepEqual(single?.slice(2), ["New error in Saga0", "No lamp"]);
  assert.deepEqual(digest?.slice(2), ["Kit", "1 new error in Saga6; 1 new error in Saga7"]);
});

test("the desktop speaks the language of the system, also in a digest", async () => {
  using stand = standInDesktop();
  await using notices = open(stand.folder, await sayIn("ja"));
  await notices.changeSettings({ desktop: true });
  await notices.showTest();
  await folder.take(Array.from({ length: 7 }, (_, index) => reportWith("No door", { game: `saga${index}` })));
  notices.checkForNew();
  await eventually(() => stand.calls().length, 7);
  folder.clock.ms += 60_000;
  await folder.take([reportWith("No lamp", { game: "saga" })]);
  notices.checkForNew();
  await eventually(() => stand.calls().length, 9);
  const said = stand.calls().map((words) => words.slice(2));
  assert.deepEqual(said[0], ["Kit", "Kit は新しいエラーをこのように表示します。"]);
  assert.deepEqual(said[1], ["Saga0：新しいエラー", "No door"]);
  assert.deepEqual(said.at(-1), ["Kit", "Saga6：新しいエラー 1 件"]);
});

test("notices from before the start are not shown again, and the settings report a failing desktop", async () => {
  await folder.take([reportWith("No key")]);
  await folder.storage.write(
    sql`INSERT INTO notice_setting (name, value) VALUES ('desktop', 'true'), ('kinds', '"all"')`,
  );
  using stand = standInDesktop();
  stand.setScript("echo no bus >&2; exit 1");
  await using notices = open(stand.folder);
  assert.deepEqual(
    (await notices.settings()).kinds,
    noticeSettingDefaults.kinds,
    "an invalid stored setting is ignored",
  );
  await folder.take([reportWith("No door")]);
  notices.checkForNew();
  await eventually(
    async () => textOf((await notices.settings()).trouble ?? ""),
    "Desktop notifications are not available: no bus.",
  );
  assert.deepEqual(
    stand.calls().map((words) => words.at(-1)),
    ["No door"],
  );
  assert.deepEqual(await notices.showTest(), { ok: false, says: message("notice.unavailable", { reason: "no bus" }) });
  stand.setScript("");
  assert.equal((await notices.showTest()).ok, true);
});
