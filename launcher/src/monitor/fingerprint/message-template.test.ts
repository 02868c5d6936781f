// Tests of message templates: which parts of a message are values.
import assert from "node:assert/strict";
import { test } from "vitest";
import { parseStack } from "../stack/stack.ts";
import { canonicalMessage, issueTitleOf } from "./headline.ts";
import { messageTemplateOf } from "./message-template.ts";

const cases: Readonly<Record<string, readonly (readonly [message: string, template: string])[]>> = {
  "numbers, with sign, fraction, groups, exponent and unit": [
    ["Enemy #4 has -12 hit points", "Enemy #<number> has <number> hit points"],
    ["took 1,234.5 ms or 12ms or 1e-9", "took <number> ms or <duration> or <number>"],
    ["potion_23 costs 5 coins", "potion_<number> costs <number> coins"],
  ],
  "ids, hexadecimal numbers, addresses": [
    ["id 6fa459ea-ee8a-3ca4-894e-db77e160355e lost", "id <uuid> lost"],
    ["at 0x7ffDEAD0 from 192.168.1.7:8080", "at <hex> from <ip>"],
    ["read of 0000000000412345 and 00007FF612345678", "read of <hex> and <hex>"],
    ["commit a81f0c2e9b, session a8f3k2x9q1", "commit <hex>, session <id>"],
  ],
  "dates and times": [
    ["since 2026-11-21T21:13:03.120Z", "since <date>"],
    ["on 2026-11-21 12:00:01 or 21.11.2026 at 9:15:00", "on <date> or <date> at <time>"],
  ],
  "paths, addresses and mail": [
    ["Cannot open user://saves/slot_7.json: error 7", "Cannot open <path>: error <number>"],
    ["C:\\Users\\Kim Lee\\My Games\\x.sav is damaged", "<path> is damaged"],
    ["/home/kim/a.bin and img/tiles/World_3.png (res://x.tscn)", "<path> and <path> (<path>)"],
    ["GET https://example.org/a?b=c#d failed, tell kim@example.org", "GET <url> failed, tell <email>"],
    ["read and/or write", "read and/or write"],
  ],
  "quoted values, but not the names of the code in the engines' own messages": [
    [`Item "elixir_7" isn't in 'bag'`, "Item <text> isn't in <text>"],
    [
      "Nonexistent function 'run_away' in base 'Node (main.gd)'.",
      "Nonexistent function 'run_away' in base 'Node (main.gd)'.",
    ],
    ["Invalid operands 'int' and 'String' in operator '+'.", "Invalid operands 'int' and 'String' in operator '+'."],
    [
      "Invalid access to property or key 'hp' on a base object of type 'Nil'.",
      "Invalid access to property or key 'hp' on a base object of type 'Nil'.",
    ],
    [
      "Invalid access to property or key 'sword_3' on a base object of type 'Dictionary'.",
      "Invalid access to property or key <text> on a base object of type 'Dictionary'.",
    ],
    ["The given key 'sword' was not present", "The given key <text> was not present"],
  ],
  "lists of values, however long": [
    ["slots [1, 2, 3]", "slots [<number>]"],
    ["slots [1]", "slots [<number>]"],
    ["(1.5, 2) x=true", "(<number>) x=<bool>"],
  ],
};

for (const [name, rows] of Object.entries(cases)) {
  test(`values become placeholders: ${name}`, () => {
    for (const [message, template] of rows) assert.equal(messageTemplateOf(message), template);
  });
}

test("the same error has the same canonical message in every browser", () => {
  const said = [
    "Cannot read property 'hp' of undefined",
    "TypeError: Cannot read properties of undefined (reading 'hp')",
    `Uncaught TypeError: can't access property "hp", source.power is undefined`,
    "undefined is not an object (evaluating 'source.power.hp')",
  ];
  assert.deepEqual(
    [...new Set(said.map((each) => canonicalMessage(each, "v8")))],
    ["Cannot access property 'hp' of undefined"],
  );
});

test("a position, a type and Mono's missing full stop are no part of the message", () => {
  const said = (text: string) => canonicalMessage(text, "v8");
  assert.equal(said("rmmz_managers.js:2030 Uncaught TypeError: no lamp"), said("TypeError: no lamp"));
  assert.equal(said("rmmz_managers.js:2030:12 no lamp"), "no lamp");
  assert.equal(canonicalMessage("ReferenceError : air is not defined", "gml"), "air is not defined");
  assert.equal(canonicalMessage("FormatException: Not a number", "mono"), canonicalMessage("Not a number.", "dotnet"));
});

test("GameMaker's text around a message is removed", () => {
  const rule = "#".repeat(92);
  const long = `____\n${rule}\nERROR in\naction number 1\nof  Step Event0\nfor object obj_player:\n\nPush :: Execution Error\n`;
  assert.equal(canonicalMessage(long, "gml"), "Push :: Execution Error");
  assert.equal(issueTitleOf(parseStack(long, "")), "Push :: Execution Error");
});

test("an issue's title keeps the type and the values, and is one line", () => {
  const message = "Uncaught RangeError: Enemy 7 has -7 hit points\nat least 0 needed";
  assert.equal(issueTitleOf(parseStack(message, "")), "RangeError: Enemy 7 has -7 hit points");
  assert.equal(issueTitleOf(parseStack("x".repeat(900), "")).length, 200);
});

test("a message that begins like a line of a log keeps its words", () => {
  for (const said of [
    "I/O: the save is damaged",
    "[Error: 404] no level",
    "E 3: wrong slot",
    "[Battle] [Boss] no target",
  ])
    assert.equal(issueTitleOf(parseStack(said, "")), said);
});
