// Tests of the pure parts of the Games page: commands, cover sizes and texts.
import assert from "node:assert/strict";
import { formatCommand } from "@kit/contract";
import { test } from "vitest";
import { gameOf } from "../../../test/library-samples.ts";
import { parseCommand, programFolder, toCommandFields } from "./command-form.ts";
import { coverBackgroundIndex, gameCountText, gameInitials, lastPlayedText } from "./game-text.ts";
import { coverSize, toBase64 } from "./scale-picture.ts";

test("a command survives a round trip through the form: one argument per line, and the program's folder by default", () => {
  const typed = { program: ' "/games/my game/run" ', argumentLines: "--level\n\ncloud city\r\n", folder: "" };
  const command = { program: "/games/my game/run", arguments: ["--level", "cloud city"], folder: "/games/my game" };
  assert.deepEqual(parseCommand(typed), command);
  assert.deepEqual(parseCommand(toCommandFields(command)), command);
  assert.equal(parseCommand({ program: " ", argumentLines: "--level", folder: "/" }), null);
  assert.deepEqual(["C:\\game.exe", "D:\\g\\a.exe", "/a", "a"].map(programFolder), ["C:\\", "D:\\g", "/", ""]);
});

test("a command is shown with its arguments separated and special characters visible", () => {
  const shown = (...words: string[]) => formatCommand({ program: "/g/run", arguments: words });
  assert.equal(shown("--fast", "a b", ""), '/g/run --fast "a b" ""');
  assert.equal(shown('say "hi"', "line\nbreak"), '/g/run "say \\"hi\\"" "line\\nbreak"');
});

test("a cover keeps its aspect ratio within 600 by 900, and is never enlarged", () => {
  assert.deepEqual(coverSize(2_400, 3_600), { width: 600, height: 900 });
  assert.deepEqual(coverSize(4_000, 1_000), { width: 600, height: 150 });
  assert.deepEqual(coverSize(300, 400), { width: 300, height: 400 });
  assert.equal(toBase64(new Uint8Array(10_000).fill(7)), Buffer.alloc(10_000, 7).toString("base64"));
});

test("the text for the last session says how long ago it was", () => {
  const nowMs = Date.UTC(2026, 4, 10, 12);
  const played = (daysAgo: number) =>
    lastPlayedText(gameOf("saga", { lastPlayedAt: new Date(nowMs - daysAgo * 86_400_000).toISOString() }), nowMs);
  assert.deepEqual(
    [played(0.125), played(1), played(6)],
    ["Played 3 hours ago", "Played 1 day ago", "Played 6 days ago"],
  );
  assert.equal(played(40), "Played 1 month ago");
  assert.equal(lastPlayedText(gameOf("saga"), nowMs), "Not played yet");
  assert.deepEqual([gameCountText("clips", 1), gameCountText("clips", 2)], ["1 clip", "2 clips"]);
});

test("a game without a cover shows its initials, always on the same background", () => {
  assert.deepEqual(
    [gameInitials(gameOf("x", { name: "cave story two" })), gameInitials(gameOf("x", { name: "𝒳" }))],
    ["CS", "𝒳"],
  );
  assert.equal(coverBackgroundIndex(gameOf("saga")), coverBackgroundIndex(gameOf("saga", { name: "Another" })));
});
