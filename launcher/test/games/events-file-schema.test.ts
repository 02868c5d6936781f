// Tests that the published schema of kit.events.json is the contract's, and that a standard validator reads it like the launcher.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EventsFile, eventsFileSchema } from "@kit/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Compile } from "typebox/compile";
import { expect, test } from "vitest";

const path = join(import.meta.dirname, "../../../docs/kit.events.schema.json");
const schema = JSON.parse(readFileSync(path, "utf8"));
const published = new Ajv2020({ strict: true, strictTypes: false }).compile(schema);
const ours = Compile(EventsFile);

const file = (events: object, more: object = {}) => ({ kitEvents: 1, game: "my_game", events, ...more });
const cases: readonly (readonly [isValid: boolean, title: string, value: unknown])[] = [
  [true, "nothing set", file({})],
  [true, "a schema beside it", file({}, { $schema: "./kit.events.schema.json", name: "My Game" })],
  [true, "a name of null", file({}, { name: null })],
  [true, "a build", file({}, { build: "1.4.2" })],
  [true, "a build of null", file({}, { build: null })],
  [false, "a blank build", file({}, { build: " " })],
  [false, "a build of 101 characters", file({}, { build: "1".repeat(101) })],
  [
    true,
    "every field",
    file({
      my_game_boss: {
        label: "Böss",
        icon: "skull",
        recording: { action: "clip", preSeconds: 1.5, priority: 10 },
        post: { text: "a\nb" },
      },
    }),
  ],
  [true, "500 ids", file(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`my_game_${index}`, {}])))],
  [false, "501 ids", file(Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`my_game_${index}`, {}])))],
  [false, "another version", { ...file({}), kitEvents: 2 }],
  [false, "no game", { kitEvents: 1, events: {} }],
  [false, "an unknown field", file({}, { colour: "red" })],
  [false, "an unknown field of an event", file({ my_game_boss: { colour: "red" } })],
  [false, "an unknown field of a rule", file({ my_game_boss: { recording: { preSecond: 1 } } })],
  [false, "an unknown icon", file({ my_game_boss: { icon: "spoon" } })],
  [false, "too many seconds", file({ my_game_boss: { recording: { preSeconds: 121 } } })],
  [false, "a blank label", file({ my_game_boss: { label: "   " } })],
  [false, "a label of two lines", file({ my_game_boss: { label: "a\nb" } })],
  [false, "a post without a text", file({ my_game_boss: { post: {} } })],
  [false, "a list", []],
];
for (const [isValid, title, value] of cases) {
  test(`${title}: ${isValid ? "accepted" : "refused"} by both`, () => {
    assert.deepEqual([published(value), ours.Check(value)], [isValid, isValid]);
  });
}

// After a change of the contract, `npx vitest run --project=gate launcher/test/games/events-file-schema.test.ts -u` writes the file.
test("the published schema is the one of the contract", async () => {
  await expect(`${JSON.stringify(eventsFileSchema(), undefined, 2)}\n`).toMatchFileSnapshot(path);
});

test("the schema's id is no web address, so that no editor downloads it", () => {
  assert.match(schema.$id, /^urn:/);
  assert.doesNotMatch(JSON.stringify({ ...schema, $schema: "" }), /https?:/);
});
