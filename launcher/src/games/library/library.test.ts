// Tests of the library, with real SQLite: the facts shown of each game, the speed of the list, what Play may start, and covers.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allSwitchesOn, coverBytesMax, type GameCommand, gameInWords, KitError } from "@kit/contract";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../../test/support/storage-folder.ts";
import { createIssueCountStore } from "../../monitor/issues/issue-store.ts";
import { createClipCountStore } from "../../recording/clips/clip-data-store.ts";
import { createDraftCountStore } from "../../social/posts/posts-for-others-store.ts";
import { type Statement, sql } from "../../storage/sql.ts";
import { saveProgram } from "../game-store.ts";
import { createGameLibrary, isProposable } from "./library.ts";
import { createIconFinder } from "./program-icon.ts";

let folder: StorageFolder;
let place: string;
/** The only temporary folder of this test, because `place` itself is in the OS's. */
let temporary: string;
beforeAll(async () => {
  folder = await openStorageFolder();
  place = mkdtempSync(join(tmpdir(), "kit-library-test-"));
  temporary = join(place, "temporary");
  mkdirSync(temporary);
  writeFileSync(join(place, "saga.exe"), "#!/bin/sh\n", { mode: 0o755 });
});
afterAll(async () => {
  rmSync(place, { recursive: true, force: true });
  await folder?.[Symbol.asyncDispose]();
});

const beganMs = Date.UTC(2026, 4, 1, 18);
const tables = ["clip_moment", "clip", "issue", "post", "game_session", "game_entry", "game_program"];
beforeEach(() =>
  folder.storage.write(...tables.map((name): Statement => ({ text: `DELETE FROM ${name}`, values: [] }))),
);

const names = ["saga", "quest", "kit_demo"];
const registered: string[] = [];
const given = new Map<string, string>();
const played: GameCommand[] = [];
/** The process whose window a person can choose, and the games whose programs are known. */
const running = { pid: 7, path: "/games/saga", command: "saga", arguments: [], folder: "/games", startedAt: "1" };
let programs: string[] = [];
const makeLibrary = (poster?: string) =>
  createGameLibrary({
    games: {
      list: () => ({
        services: allSwitchesOn,
        rules: [],
        games: [...names, ...registered.filter((game) => !names.includes(game))].map((game) => ({
          game,
          name: given.get(game) ?? gameInWords(game),
          registered: false,
          switches: allSwitchesOn,
          firstSeenAt: "",
        })),
      }),
      givenName: (game) => given.get(game) ?? null,
      planName: (game, name) => ({
        statements: [],
        committed: () => void (name === null ? given.delete(game) : given.set(game, name)),
      }),
      isRegistered: (game) => registered.includes(game),
      async registerGame(game) {
        registered.push(game);
        return { game, name: gameInWords(game), registered: true, switches: allSwitchesOn, firstSeenAt: "" };
      },
    },
    storage: folder.storage,
    now: () => beganMs,
    ...createClipCountStore(folder.storage),
    ...createIssueCountStore(folder.storage),
    ...createDraftCountStore(folder.storage),
    posterOf: async () => poster,
    programs: {
      find: async (pid) => (pid === running.pid ? running : undefined),
      gameOf: () => programs[0],
      add: async (game) => void programs.push(game),
    },
    findIcon: createIconFinder(() => beganMs),
    async play(_, command) {
      played.push(command);
      return { pid: 7 };
    },
    onChanged: () => undefined,
    temporaryFolders: [temporary],
  });
const one = async (game: string) => (await makeLibrary().list()).find((each) => each.game === game) ?? assert.fail();
const refusedAt = (path: string, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof KitError && error.code === "payload_invalid", String(error));
  assert.equal(error.errors?.[0]?.path, path);
  assert.match(error.message, message);
  return true;
};

type Clip = {
  seq: number;
  game?: string;
  state?: string;
  priority?: number;
  pinned?: number;
  poster?: number;
  binned?: number;
};
const clip = ({ seq, game = "saga", state = "saved", priority = 0, pinned = 0, poster = 1, binned }: Clip) => sql`
  INSERT INTO clip (seq, id, kind, state, title, game, from_ms, to_ms, priority, pinned, poster, deleted_at_ms)
  VALUES (${seq}, ${`clip ${seq}`}, 'clip', ${state}, '', ${game}, 0, 0, ${priority}, ${pinned}, ${poster}, ${binned ?? null})`;
const session = (seq: number, game: string, endedMs: number | null = beganMs) => sql`
  INSERT INTO game_session (seq, id, game, started_ms, ended_ms)
  VALUES (${seq}, ${`session ${seq}`}, ${game}, ${beganMs - 60_000 + seq}, ${endedMs})`;
/** Windows only starts files with such a name. */
const own = (program = "saga.exe"): GameCommand => ({
  program: join(place, program),
  arguments: ["--windowed"],
  folder: place,
});
/** The first bytes of pictures of this size, in each format. */
function headersOf(width: number, height: number): Record<string, Buffer> {
  const png = Buffer.concat([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), Buffer.alloc(13)]);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  // A segment of an application and a fill byte are before the frame.
  const frame = Buffer.from("ffd8ffe000104a46494600010100000100010000ffffc20011080000000003012200", "hex");
  frame.writeUInt16BE(height, 26);
  frame.writeUInt16BE(width, 28);
  const riff = (chunk: string, ...rest: readonly number[]) =>
    Buffer.concat([Buffer.from("RIFF\0\0\0\0WEBP"), Buffer.from(`${chunk}\0\0\0\0`), Buffer.from(rest)]);
  const little = (value: number, bytes: number) =>
    Array.from({ length: bytes }, (_, index) => (value >> (8 * index)) & 255);
  const lossless = ((width - 1) | ((height - 1) << 14)) >>> 0;
  return {
    png,
    jpeg: frame,
    webp: riff("VP8X", 0, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)),
    // These two formats of WebP hold at most 16,383 and 16,384 pixels.
    ...(width <= 16_383 && {
      lossy: riff("VP8 ", 0, 0, 0, 0x9d, 0x01, 0x2a, ...little(width, 2), ...little(height, 2)),
      lossless: riff("VP8L", 0x2f, ...little(lossless, 4)),
    }),
  };
}

const jpeg = (bytes: number) => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(bytes - 4)]);

test("a game that nobody played is named after its prefix, and the demo has its own name", async () => {
  const games = await makeLibrary().list();
  assert.deepEqual(
    games.map(({ name, named, cover, command, sessions, lastPlayedAt }) => [
      name,
      named,
      cover,
      command,
      sessions,
      lastPlayedAt,
    ]),
    [
      ["Kit's demo", false, null, null, 0, null],
      ["Quest", false, null, null, 0, null],
      ["Saga", false, null, null, 0, null],
    ],
  );
});

test("the library counts saved clips outside the trash, open issues, drafts, sessions and play time", async () => {
  const issue = (id: string, state: string, untilMs: number | null = null) => sql`
    INSERT INTO issue (id, title, game, lane, dialect, why, state, state_since_ms, muted_until_ms, created_ms, first_seen_ms,
      last_seen_ms, count) VALUES (${id}, '', 'saga', '', '', '[]', ${state}, 0, ${untilMs}, 0, 0, 0, 1)`;
  const post = (id: string, state: string) => sql`
    INSERT INTO post (id, event, event_seq, event_id, game, state, text, alt_text, content_warning, attach, without, visibility,
      footage, happened_ms, created_ms)
    VALUES (${id}, ${id}, 1, 'saga_a', 'saga', ${state}, '', '', '', 'none', 'post', 'public', 'none', 0, 0)`;
  await folder.storage.write(
    ...[
      clip({ seq: 1 }),
      clip({ seq: 2, state: "pending" }),
      clip({ seq: 3, binned: 1 }),
      clip({ seq: 4, game: "quest" }),
    ],
    ...[issue("a", "open"), issue("b", "regressed"), issue("c", "resolved")],
    ...[issue("d", "muted", beganMs + 1), issue("e", "muted", beganMs - 1)],
    ...[post("a", "draft"), post("b", "sent")],
    ...[session(1, "saga"), session(2, "saga", null), session(3, "quest")],
  );
  const { clips, issues, drafts, sessions, playing, session: newest, playedSeconds } = await one("saga");
  assert.deepEqual(
    [clips, issues, drafts, sessions, playing, newest, playedSeconds],
    [1, 3, 1, 2, true, "session 2", 120],
  );
  assert.deepEqual(
    (await makeLibrary().list()).map(({ game }) => game),
    ["saga", "quest", "kit_demo"],
  );
});

test("the best clip is a pinned one, then a highlight, then the one with the highest priority", async () => {
  const best = async () => (await one("saga")).coverVersion;
  await folder.storage.write(
    clip({ seq: 1, priority: 900 }),
    clip({ seq: 2, priority: 100 }),
    clip({ seq: 3, poster: 0 }),
  );
  assert.equal(await best(), "clip 1");
  await folder.storage.write(sql`UPDATE clip SET subject = 'error' WHERE seq = 1`);
  assert.equal(await best(), "clip 2");
  await folder.storage.write(clip({ seq: 4, priority: 0, pinned: 1 }));
  assert.equal(await best(), "clip 4");
});

test("a program that Kit saw is proposed, and is not started until a person agrees", async () => {
  const { program, arguments: words, folder: inFolder } = own();
  await folder.storage.write(
    ...saveProgram({ game: "saga", path: program, command: program, arguments: words, folder: inFolder }, 1, 200),
    ...saveProgram({ game: "quest", path: program, command: program }, 1, 200),
  );
  const { command, commandFrom } = await one("saga");
  assert.deepEqual([command, commandFrom, (await one("quest")).command], [own(), "program", null]);
  await assert.rejects(makeLibrary().play("saga"), refusedAt("/game", /No command is set for saga/));
  await makeLibrary().change({ game: "saga", command: own() });
  assert.equal((await one("saga")).commandFrom, "person");
  assert.deepEqual([await makeLibrary().play("saga"), played], [{ pid: 7 }, [own()]]);
});

test("a missing file, a file that is not a program, and a temporary program are neither proposed nor accepted", async () => {
  writeFileSync(join(place, "notes.txt"), "");
  mkdirSync(join(place, "folder"), { recursive: true });
  const inTemporary = join(temporary, "game.exe");
  writeFileSync(inTemporary, "#!/bin/sh\n", { mode: 0o755 });
  const commands = [own("gone"), own("notes.txt"), own("folder"), { ...own(), folder: join(place, "none") }];
  for (const each of [
    ...commands,
    { ...own(), program: inTemporary },
    { ...own(), program: `${own().program} (deleted)` },
  ])
    assert.equal(await isProposable(each, [temporary]), false, each.program);
  const change = (command: GameCommand) => makeLibrary().change({ game: "saga", command });
  await assert.rejects(change(own("gone")), refusedAt("/command/program", /there is no file .*gone/));
  await assert.rejects(change(own("folder")), refusedAt("/command/program", /is not a file/));
  await assert.rejects(change(own("notes.txt")), refusedAt("/command/program", /is not executable/));
  await assert.rejects(change({ ...own(), program: "saga" }), refusedAt("/command/program", /absolute path/));
  await assert.rejects(change({ ...own(), folder: join(place, "none") }), refusedAt("/command/folder", /no folder/));
  await assert.rejects(change({ ...own(), arguments: ["a\0b"] }), refusedAt("/command", /NUL/));
});

test("Play names a program that was removed after it was set", async () => {
  const program = join(place, "short-lived.exe");
  writeFileSync(program, "#!/bin/sh\n");
  chmodSync(program, 0o755);
  await makeLibrary().change({ game: "saga", command: { ...own(), program } });
  rmSync(program);
  await assert.rejects(makeLibrary().play("saga"), refusedAt("/command/program", /there is no file .*short-lived/));
});

test("a name is saved and registers its game, and null restores the prefix", async () => {
  const { name, named } = await makeLibrary().change({ game: "quest", name: "The Quest" });
  assert.deepEqual([name, named, registered.includes("quest")], ["The Quest", true, true]);
  assert.equal((await makeLibrary().change({ game: "quest", name: null })).name, "Quest");
});

test("the program of a window is added under a name, from which its prefix is made, and keeps the game that it already is", async () => {
  const add = (name: string, pid = running.pid) => makeLibrary().add({ pid, name });
  const { game, name } = await add("  The Quest: II ");
  assert.deepEqual(
    [game, name, programs, registered.includes("the_quest_ii")],
    ["the_quest_ii", "The Quest: II", ["the_quest_ii"], true],
  );
  programs = ["saga"];
  given.set("saga", "My Saga");
  const known = await add("Saga, level 3");
  assert.deepEqual([known.game, known.name, programs], ["saga", "My Saga", ["saga", "saga"]]);
  given.clear();
  programs = [];
  assert.deepEqual([(await add("\u8352\u91ce")).game, (await add("???")).game], ["\u8352\u91ce", "\u8352\u91ce"]);
  programs = [];
  assert.equal((await add("???")).game, "game");
  programs = [];
  assert.equal((await add("Kit Demo")).game, "kit_demo_game", "the prefix of the demo stays the demo's");
  await assert.rejects(add("Quest", 8), refusedAt("/pid", /has ended, or Kit cannot see it/));
});

test("a cover is set from picture bytes or from a clip, and can be removed", async () => {
  const library = makeLibrary();
  const set = (given: { picture?: string | null; clip?: string }) => library.setCover("saga", given);
  const { cover, coverVersion } = await set({ picture: jpeg(900).toString("base64") });
  const shown = await library.cover("saga");
  assert.deepEqual(
    [cover, shown.type, shown.version, shown.bytes.length],
    ["picture", "image/jpeg", coverVersion, 900],
  );
  assert.equal((await set({ picture: null })).cover, null);
  await assert.rejects(library.cover("saga"), /no cover yet/);
  const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>").toString("base64");
  await assert.rejects(set({ picture: svg }), refusedAt("/picture", /not a JPEG, PNG or WebP/));
  await assert.rejects(set({ picture: "not base64!" }), refusedAt("/picture", /is not base64/));
  await assert.rejects(
    set({ picture: jpeg(coverBytesMax + 1).toString("base64") }),
    refusedAt("/picture", /are allowed/),
  );
  for (const wide of Object.values(headersOf(30_000, 30_000)))
    await assert.rejects(
      set({ picture: wide.toString("base64") }),
      refusedAt("/picture", /has 30000 × 30000 pixels; at most 8192 × 8192 are allowed/),
    );
  for (const [type, bytes] of Object.entries(headersOf(8_192, 1)))
    assert.equal((await set({ picture: bytes.toString("base64") })).cover, "picture", type);
  await assert.rejects(set({}), refusedAt("", /either a picture or a clip/));
  await assert.rejects(set({ clip: "none" }), refusedAt("/clip", /no such clip/));
  const poster = join(place, "poster.jpg");
  writeFileSync(poster, jpeg(700));
  await makeLibrary(poster).setCover("saga", { clip: "clip 1" });
  assert.equal((await library.cover("saga")).bytes.length, 700);
});
