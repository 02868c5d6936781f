// What is typed of a command, what a cover is scaled to, and the words of a game. Pure parts of the Games page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { commandInWords } from "@kit/contract";
import { gameOf } from "../../../test/library-samples.ts";
import { countWord, groundOf, initialsOf, playedWord } from "../../ui/games/game-words.ts";
import { base64Of, sizeWithin } from "../../ui/games/scale-picture.ts";
import { commandIn, fieldsOf, folderOf } from "./command-form.ts";

test("a command comes back as it was typed: a line is a word, the folder is the program's unless another is named", () => {
  const typed = { program: ' "/games/my game/run" ', words: "--level\n\ncloud city\r\n", folder: "" };
  const command = { program: "/games/my game/run", arguments: ["--level", "cloud city"], folder: "/games/my game" };
  assert.deepEqual(commandIn(typed), command);
  assert.deepEqual(commandIn(fieldsOf(command)), command);
  assert.equal(commandIn({ program: " ", words: "--level", folder: "/" }), null);
  assert.deepEqual(["C:\\game.exe", "D:\\g\\a.exe", "/a", "a"].map(folderOf), ["C:\\", "D:\\g", "/", ""]);
});

test("what is run is shown so that every word is told apart, and nothing in it is hidden", () => {
  const shown = (...words: string[]) => commandInWords({ program: "/g/run", arguments: words });
  assert.equal(shown("--fast", "a b", ""), '/g/run --fast "a b" ""');
  assert.equal(shown('say "hi"', "line\nbreak"), '/g/run "say \\"hi\\"" "line\\nbreak"');
});

test("a cover keeps its shape within 600 by 900, and is never made larger", () => {
  assert.deepEqual(sizeWithin(2_400, 3_600), { width: 600, height: 900 });
  assert.deepEqual(sizeWithin(4_000, 1_000), { width: 600, height: 150 });
  assert.deepEqual(sizeWithin(300, 400), { width: 300, height: 400 });
  assert.equal(base64Of(new Uint8Array(10_000).fill(7)), Buffer.alloc(10_000, 7).toString("base64"));
});

test("when a game was played is said with its day", () => {
  const nowMs = Date.UTC(2026, 4, 10, 12);
  const played = (daysAgo: number) =>
    playedWord(gameOf("saga", { lastPlayedAt: new Date(nowMs - daysAgo * 86_400_000).toISOString() }), nowMs);
  assert.deepEqual(
    [played(0.125), played(1), played(6)],
    ["Played 3 hours ago", "Played yesterday", "Played 6 days ago"],
  );
  assert.match(played(40), /^Played .*2026/);
  assert.equal(playedWord(gameOf("saga"), nowMs), "Not played yet");
  assert.deepEqual([countWord("clips", 1), countWord("clips", 2)], ["1 clip", "2 clips"]);
});

test("a game without a picture has its initials, on the same ground each time", () => {
  assert.deepEqual(
    [initialsOf(gameOf("x", { name: "cave story two" })), initialsOf(gameOf("x", { name: "𝒳" }))],
    ["CS", "𝒳"],
  );
  assert.equal(groundOf(gameOf("saga")), groundOf(gameOf("saga", { name: "Another" })));
});
