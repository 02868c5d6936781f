// How a session's end and length are said.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sessionOf } from "../../../test/session-samples.ts";
import { endingWord, lengthOf, lengthWords } from "./session-words.ts";

test("an end is said with its signal or code where one is known, and no more than is known", () => {
  const said = (members: Parameters<typeof sessionOf>[1]) => endingWord(sessionOf(1, members)).says;
  assert.equal(said({ ending: "exited", exitCode: 0 }), "Ended");
  assert.equal(said({ ending: "exited", exitCode: 3 }), "Ended: code 3");
  assert.equal(said({ ending: "crashed", exitCode: null, signal: "SIGSEGV" }), "Crashed: SIGSEGV");
  assert.equal(said({ ending: "crashed", exitCode: 134 }), "Crashed: code 134");
  assert.equal(said({ ending: "killed", exitCode: null, signal: "SIGTERM" }), "Killed: SIGTERM");
  assert.equal(said({ ending: "quiet", exitCode: null }), "Fell silent");
});

test("a length is said in at most two units", () => {
  const said = [0, 35_400, 59_600, 2_880_000, 3_600_000, 4_320_000].map(lengthWords);
  assert.deepEqual(said, ["0 s", "35 s", "1 min", "48 min", "1 h", "1 h 12 min"]);
});

test("one that runs lasts until now, and a clock that was set back makes none negative", () => {
  const running = sessionOf(1, { endedAt: null });
  assert.equal(lengthOf(running, Date.parse(running.startedAt) + 5_000), 5_000);
  assert.equal(lengthOf(running, 0), 0);
});
