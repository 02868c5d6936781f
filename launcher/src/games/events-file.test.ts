// Tests of kit.events.json, with real SQLite: imported whole or not at all, undone exactly, and refused with the place of each mistake.
import assert from "node:assert/strict";
import { type EventInFile, type EventsFile, eventIcons, importEventsFile, KitError } from "@kit/contract";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../test/support/storage-folder.ts";
import { assertValid } from "../http/validation.ts";
import { loadRecordingRules } from "../recording/plans/rule-store.ts";
import { createRecordingRules } from "../recording/plans/rules.ts";
import { type Statement, sql } from "../storage/sql.ts";
import { createEventsFiles, type EventsImportOptions } from "./events-file.ts";
import { GameRegistry } from "./games.ts";

let folder: StorageFolder;
beforeAll(async () => {
  folder = await openStorageFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());
const tables = ["game", "rule", "event_look", "recording_rule", "game_entry"];
beforeEach(() =>
  folder.storage.write(...tables.map((name): Statement => ({ text: `DELETE FROM ${name}`, values: [] }))),
);

/** The registries as a launcher loads them when it starts on what is on disk now. */
async function restarted(write: (...statements: Statement[]) => Promise<void> = folder.storage.write) {
  const { storage } = folder;
  let changes = 0;
  const onChanged = () => {
    changes += 1;
  };
  const games = new GameRegistry({
    storage,
    now: () => 1_000,
    onChanged,
    onSeen: () => undefined,
  });
  const rules = createRecordingRules({
    load: () => loadRecordingRules(storage),
    write: storage.write,
    onChanged,
    knownIds: () => games.idsOfService("recording"),
    bufferSeconds: () => 60,
  });
  await games.load();
  await rules.load();
  const files = createEventsFiles({ games, rules, storage: { write } });
  /** Imports the file as it arrives over HTTP. */
  const take = async (file: unknown, how: EventsImportOptions = {}) => {
    assertValid(importEventsFile.body, file);
    const done = await files.import(file as EventsFile, how);
    assertValid(importEventsFile.reply, done);
    return done;
  };
  return { games, rules, files, take, changes: () => changes };
}

const fileOf = (events: Record<string, EventInFile>, more: Partial<EventsFile> = {}): EventsFile => ({
  kitEvents: 1,
  game: "my_game",
  events,
  ...more,
});
const boss = {
  label: "Boss defeated",
  icon: "sword",
  recording: { preSeconds: 20, priority: 900 },
  post: { text: "{{event}}!\nIn {{game}}" },
} as const;

test("an import sets labels, icons, rules and post texts, registers the game, and survives a restart", async () => {
  const { take } = await restarted();
  const { changes, before } = await take(fileOf({ my_game_boss: boss }, { name: " My Game " }));
  assert.deepEqual(
    changes.map(({ eventId, what, from, to }) => [eventId, what, from, to]),
    [
      [null, "game", "", "my_game"],
      [null, "name", "", "My Game"],
      ["my_game_boss", "label", "", "Boss defeated"],
      ["my_game_boss", "icon", "", "sword"],
      ["my_game_boss", "recording.preSeconds", "12 s", "20 s"],
      ["my_game_boss", "recording.priority", "500", "900"],
      ["my_game_boss", "post.text", "", "{{event}}!\nIn {{game}}"],
    ],
  );
  assert.deepEqual(before, fileOf({ my_game_boss: {} }, { name: null }));
  const { games, rules, files } = await restarted();
  assert.equal(games.isRegistered("my_game"), true);
  assert.equal(games.eventName("my_game_boss", "my_game"), "Boss defeated");
  assert.equal(rules.ruleOf("my_game_boss").preSeconds, 20);
  const [rule] = games.list().rules;
  assert.deepEqual(
    [rule?.eventId, rule?.kind, rule?.game, rule?.icon, rule?.postText],
    ["my_game_boss", "recording", "my_game", "sword", boss.post.text],
  );
  assert.equal((await files.export("my_game")).name, "My Game");
});

test("an import sets the game's build, a file without one keeps it, and null or the undo file removes it", async () => {
  const { take, games, files } = await restarted();
  const { changes, before } = await take(fileOf({}, { build: " 1.4.2 " }));
  assert.deepEqual(changes.at(-1), { eventId: null, what: "build", from: "", to: "1.4.2" });
  assert.deepEqual(before, fileOf({}, { build: null }));
  assert.deepEqual((await take(fileOf({}), { replace: true })).changes, []);
  const again = await restarted();
  assert.deepEqual([games.givenBuild("my_game"), again.games.givenBuild("my_game")], ["1.4.2", "1.4.2"]);
  assert.equal((await files.export("my_game")).build, "1.4.2");
  assert.deepEqual((await take(before, { replace: true })).changes, [
    { eventId: null, what: "build", from: "1.4.2", to: "" },
  ]);
  assert.deepEqual([games.givenBuild("my_game"), (await files.export("my_game")).build], [null, undefined]);
});

test("importing an exported file changes nothing, with and without replace", async () => {
  const { take, files, rules } = await restarted();
  await take(fileOf({ my_game_boss: boss, my_game_map: { recording: { action: "screenshot" } } }, { name: "My Game" }));
  await rules.change("my_game_tree", { postSeconds: 9.5 });
  await rules.change("other_tree", { postSeconds: 9.5 });
  const exported = await files.export("my_game");
  assert.deepEqual(Object.keys(exported.events), ["my_game_boss", "my_game_map", "my_game_tree"]);
  for (const replace of [false, true]) assert.deepEqual((await take(exported, { replace })).changes, []);
  await assert.rejects(files.export("nobody"), { code: "not_found" });
});

test("a dry run returns the same as the import, and changes nothing", async () => {
  const { take, changes } = await restarted();
  const file = fileOf({ my_game_boss: boss }, { name: "My Game" });
  const dry = await take(file, { dryRun: true });
  assert.equal(changes(), 0);
  for (const name of tables) {
    assert.deepEqual(await folder.storage.read({ text: `SELECT * FROM ${name}`, values: [] }), [], name);
  }
  assert.deepEqual(await take(file), dry);
});

test("an import keeps settings that the file lacks, an import with replace resets them, and other event ids always stay", async () => {
  const { take, rules, games } = await restarted();
  await take(fileOf({ my_game_boss: boss, my_game_map: { label: "The map" } }, { name: "My Game" }));
  await take(fileOf({ my_game_boss: { recording: { postSeconds: 2 } } }));
  const { preSeconds, postSeconds } = rules.ruleOf("my_game_boss");
  assert.deepEqual([preSeconds, postSeconds, games.labelOverride("my_game_boss").icon], [20, 2, "sword"]);
  const { before } = await take(fileOf({ my_game_boss: { label: "The end" } }), { replace: true });
  assert.equal(rules.ruleOf("my_game_boss").changed, false);
  assert.deepEqual(games.labelOverride("my_game_boss").postText, null);
  assert.equal(games.eventName("my_game_map", "my_game"), "The map");
  await take(before, { replace: true });
  assert.deepEqual(
    [rules.ruleOf("my_game_boss").postSeconds, games.labelOverride("my_game_boss").label],
    [2, "Boss defeated"],
  );
});

test("if the write fails, nothing changes in memory or on disk", async () => {
  const { take, games, rules, changes } = await restarted(async () => {
    throw new KitError("storage_unavailable", "The disk is full.");
  });
  await assert.rejects(take(fileOf({ my_game_boss: boss })), { code: "storage_unavailable" });
  assert.deepEqual(games.list(), { ...games.list(), games: [], rules: [] });
  assert.deepEqual([rules.ruleOf("my_game_boss").changed, changes()], [false, 0]);
});

const wrong: readonly (readonly [title: string, file: object, places: Readonly<Record<string, RegExp>>])[] = [
  [
    "a misspelled member",
    fileOf({ my_game_boss: { lable: "x", recording: { preSecond: 1 } } as EventInFile }),
    {
      "/events/my_game_boss/lable": /^is unknown: did you mean label\?$/,
      "/events/my_game_boss/recording/preSecond": /^is unknown: did you mean preSeconds\?$/,
    },
  ],
  ["an unknown member", { ...fileOf({}), colour: "red" }, { "/colour": /^is unknown: expected one of \$schema, / }],
  ["a newer version of the format", { ...fileOf({}), kitEvents: 2 }, { "/kitEvents": /version of this format: 1/ }],
  ["a build that is no text", { ...fileOf({}), build: 1.4 }, { "/build": /the game's version, e\.g\. 1\.4\.2/ }],
  ["a build of two lines", fileOf({}, { build: "1.4\n2" }), { "/build": /1 to 100 characters in one line/ }],
  ["a build that is too long", fileOf({}, { build: "1".repeat(101) }), { "/build": /1 to 100 characters in one line/ }],
  ["a blank build", fileOf({}, { build: "  " }), { "/build": /1 to 100 characters in one line/ }],
  [
    "numbers out of range",
    fileOf({ my_game_boss: { recording: { preSeconds: 121, priority: -1 } } }),
    {
      "/events/my_game_boss/recording/preSeconds": /from 0 to 120/,
      "/events/my_game_boss/recording/priority": /from 0 to 1000/,
    },
  ],
  [
    "contradictory seconds, and ids of other games",
    fileOf({
      my_game_boss: { recording: { preSeconds: 61 } },
      "my_game_a/b": { recording: { preSeconds: 0, postSeconds: 0 } },
      other_boss: {},
      my_game_: {},
      "my_game_\nx": {},
    }),
    {
      "/events/my_game_boss/recording/preSeconds": /the replay buffer holds only 60 s/,
      "/events/my_game_a~1b/recording/preSeconds": /together must be at least 1 s/,
      "/events/other_boss": /expected my_game_ followed by a name/,
      "/events/my_game_": /expected my_game_ followed by a name/,
      "/events/my_game_\nx": /control characters/,
    },
  ],
  [
    "a dozen mistakes at once",
    fileOf(
      Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`my_game_${index}`, { labl: "x" } as EventInFile])),
    ),
    Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`/events/my_game_${index}/labl`, /did you mean label/]),
    ),
  ],
];
for (const [title, file, places] of wrong) {
  test(`an import with ${title} is refused with its place, and changes nothing`, async () => {
    const { take, changes } = await restarted();
    const error = await take(file).then(
      () => assert.fail("it was imported"),
      (reason) => reason as KitError,
    );
    assert.equal(error.code, "payload_invalid", String(error));
    const found = Object.fromEntries(error.errors.map(({ path, message }) => [path, message]));
    assert.deepEqual(Object.keys(found).toSorted(), Object.keys(places).toSorted());
    for (const [path, expected] of Object.entries(places)) assert.match(found[path] ?? "", expected);
    assert.equal(changes(), 0);
  });
}

const half = (most: number) => fc.integer({ min: 0, max: most * 2 }).map((value) => value / 2);
const event: fc.Arbitrary<EventInFile> = fc
  .record(
    {
      label: fc.constantFrom("One", "Two", "  Three  "),
      icon: fc.constantFrom(...eventIcons),
      recording: fc.record(
        {
          action: fc.constantFrom("clip", "screenshot", "marker", "nothing"),
          preSeconds: half(30).map((value) => value + 1),
          postSeconds: half(30),
          cooldownSeconds: half(60),
          priority: fc.nat(1_000),
        },
        { requiredKeys: [] },
      ),
      post: fc.constantFrom({ text: "{{event}}" }, { text: "Look!" }),
    },
    { requiredKeys: [] },
  )
  .map((made) => made as EventInFile);
const file = fc
  .record({
    name: fc.option(fc.constantFrom("My Game", "Another"), { nil: undefined }),
    build: fc.option(fc.constantFrom("1.4.2", "1.5"), { nil: undefined }),
    events: fc.dictionary(fc.constantFrom("my_game_a", "my_game_b", "my_game_c", "my_game_d"), event),
  })
  .map(({ name, build, events }) =>
    fileOf(events, { ...(name !== undefined && { name }), ...(build !== undefined && { build }) }),
  );

test("importing the returned settings undoes any import exactly, also after a restart", async () => {
  const property = fc.asyncProperty(file, file, fc.boolean(), async (first, second, replace) => {
    const { take, files } = await restarted();
    await take(first, { replace: true });
    const was = await files.export("my_game");
    const { before } = await take(second, { replace });
    const again = await restarted();
    assert.deepEqual(await again.files.export("my_game"), await files.export("my_game"), "stored as imported");
    assert.deepEqual((await again.take(second, { replace })).changes, [], "a second import changes nothing");
    await again.take(before, { replace: true });
    assert.deepEqual(await again.files.export("my_game"), was);
    assert.deepEqual(await (await restarted()).files.export("my_game"), was);
  });
  await fc.assert(property, { numRuns: 40 });
});

test("two simultaneous imports run one after the other, and each can be undone", async () => {
  const { take, files } = await restarted();
  const [one, two] = await Promise.all([
    take(fileOf({ my_game_a: { label: "One" } })),
    take(fileOf({ my_game_a: { label: "Two" } })),
  ]);
  assert.deepEqual([one.before.events, two.before.events], [{ my_game_a: {} }, { my_game_a: { label: "One" } }]);
  assert.deepEqual((await files.export("my_game")).events, { my_game_a: { label: "Two" } });
});

test("an export with more event ids than a file can hold is refused with the numbers", async () => {
  const { rules } = await restarted();
  const many = Array.from({ length: 501 }, (_, index) => `my_game_${index}`);
  const rule = { ...rules.ruleOf("my_game"), preSeconds: 3, changed: true };
  const { statements, committed } = rules.plan(new Map(many.map((eventId) => [eventId, { ...rule, eventId }])));
  await folder.storage.write(...statements, sql`INSERT INTO game VALUES ('my_game', 1, 1, 1, 1, 0)`);
  committed();
  await assert.rejects(
    (await restarted()).files.export("my_game"),
    /settings for 501 event ids; a file holds at most 500/,
  );
});
