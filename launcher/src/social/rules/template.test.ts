// Tests of templates: a person's words stay unchanged, and a game's words become plain text.
import assert from "node:assert/strict";
import { createNames, KitError } from "@kit/contract";
import fc from "fast-check";
import { test } from "vitest";
import { checkTemplate, fillTemplate, templateValues, usesVariable } from "./template.ts";

const atMs = new Date(2026, 4, 3, 9, 5, 30).getTime();
const values = (eventId: string, game: string | null, clipSeconds: number | null = null) =>
  templateValues({ eventId, title: null, game, atMs, clipSeconds }, createNames({ games: [], rules: [] }));
const labelledValues = (label: string) =>
  templateValues(
    { eventId: "my_game_boss", title: null, game: "my_game", atMs, clipSeconds: null },
    createNames({ games: [{ game: "my_game", name: "My Game #2" }], rules: [{ eventId: "my_game_boss", label }] }),
  );

function refusal(text: string, path = "/text"): string {
  try {
    checkTemplate(text, path);
  } catch (error) {
    assert.ok(error instanceof KitError);
    assert.equal(error.errors[0]?.path, path);
    return error.message;
  }
  throw new Error(`taken: ${text}`);
}

test("variables are replaced once, and a person's own words stay unchanged", () => {
  const said = values("my_game_boss_defeated", "my_game", 17.2);
  assert.equal(
    fillTemplate("<b>{{event}}</b> & @me #win https://me.example {{{game}}}, {{&clipLength}}", said),
    "<b>Boss defeated</b> & @me #win https://me.example My Game, 17 s",
  );
  assert.equal(fillTemplate("{{eventId}} {{date}} {{time}}", said), "my_game_boss_defeated 2026-05-03 09:05");
  assert.equal(fillTemplate("{{event}}{{#clipLength}}, {{clipLength}}{{/clipLength}}", values("a_b", "a")), "B");
  assert.equal(fillTemplate("{{event}} of {{game}}", values("{{time}}", null)), "time of a game");
  assert.equal(values("a", null, 65).clipLength, "1 min 5 s");
  assert.equal(values("a", null, 120).clipLength, "2 min");
});

test("an event and its game have the names that people gave them, without characters that have a meaning in a network", () => {
  const said = labelledValues("Böss down! @everyone https://a.example");
  assert.equal(fillTemplate("{{event}} in {{game}}", said), "Böss down! everyone https a example in My Game 2");
  assert.equal(fillTemplate("{{event}} {{eventId}}", labelledValues("@#")), "a moment my_game_boss");
});

test("an invalid template is refused with its member and the variables that exist", () => {
  for (const text of ["{{name}}", "{{ event.length }}", "{{constructor}}", "{{.}}", "{{}}", "{{#item}}{{/item}}"])
    assert.match(refusal(text), /^text names \{\{.*which does not exist: use \{\{event\}\}, /, text);
  for (const text of ["{{event", "a {{", "{{{event}}"]) assert.match(refusal(text), /opens \{\{ without closing/, text);
  for (const text of ["{{#event}}x", "{{/event}}", "{{#event}}{{/game}}"])
    assert.match(refusal(text, "/altText"), /begins or ends a part/, text);
  for (const text of ["{{>event}}", "{{=<% %>=}}"]) assert.match(refusal(text), /which is not allowed/, text);
  for (const text of ["", "plain } { }}", "{{event}}{{! a remark }}", "{{^clipLength}}no clip{{/clipLength}}"])
    checkTemplate(text, "/text");
  assert.deepEqual(
    ["{{#event}}{{clipLength}}{{/event}}", "clipLength"].map((text) => usesVariable(text, "clipLength")),
    [true, false],
  );
});

test("any template is refused or can be filled in", () => {
  const text = fc.string({
    unit: fc.constantFrom("{", "}", "#", "/", "^", "event", "game", " ", "\n", "=", ">", "&", "!", "."),
  });
  fc.assert(
    fc.property(text, (template) => {
      try {
        checkTemplate(template, "/text");
      } catch (error) {
        assert.ok(error instanceof KitError, String(error));
        return;
      }
      assert.equal(typeof fillTemplate(template, values("saga_boss", "saga")), "string");
    }),
    { numRuns: 2_000 },
  );
});

/** Everything that has a meaning in a network: addresses, mentions, tags, formatting, invisible characters. */
const special = /[@#:/\\.*~|<>[\]`$=;"{}_\u3002\uff0e\uff20\uff03\u2024\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;

test("the words of a game become plain text", () => {
  const hostile = fc.constantFrom(
    ...[
      "https://",
      "evil.example",
      "www.",
      "@everyone",
      "＠here",
      "#win",
      "<@123>",
      "[a](b)",
      "**",
      "__",
      "~~",
      "||",
      "```",
    ],
    ...[
      "\u202e",
      "\u200b",
      "\u2066",
      "\u0000",
      "\r\n",
      "\ufeff",
      "\u3164",
      "\u115f",
      "ｗｗｗ．",
      "。com",
      "-# ",
      "- ",
      "&lt;",
    ],
    ...["{{time}}", "$AAPL", "\ud800", "a\u0301\u0301\u0301\u0301\u0301", "１", "ボス", "غول", "победа"],
  );
  const piece = fc.oneof(
    hostile,
    fc.string({ unit: "binary", maxLength: 8 }),
    fc.string({ unit: "grapheme", maxLength: 8 }),
  );
  const words = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(words, fc.option(words), (eventId, game) => {
      const { event, game: name, eventId: id } = values(eventId, game);
      for (const said of [event, name, id.replaceAll("_", "")]) {
        assert.doesNotMatch(said, special);
        assert.doesNotMatch(said, /\p{Default_Ignorable_Code_Point}|\p{M}{3}|^[-+]|(^|\s)[-+]/u);
        assert.ok(said.length <= 202);
      }
      assert.doesNotMatch(id, /__|^_|_$/);
      assert.ok(event !== "" && name !== "");
    }),
    { numRuns: 3_000 },
  );
});

test("words of any script are kept, with the punctuation of names", () => {
  assert.equal(values("saga_ボス_撃破", "saga").event, "ボス 撃破");
  assert.equal(values("saga_don't stop, 100% (really)!", "saga").event, "Don't stop, 100% (really)!");
  assert.equal(values("saga_new_game+", "saga").event, "New game+");
  assert.equal(values("saga_level-up", "saga").event, "Level-up");
  assert.equal(values("@#:", null).event, "a moment");
});
