// Labels for the end and the duration of a session.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sessionOf } from "../../../test/session-samples.ts";
import { endingLabel, formatDuration, sessionDurationMs } from "./session-text.ts";

test("an end is said with its signal or code where one is known, and no more than is known", () => {
  const said = (members: Parameters<typeof sessionOf>[1]) => endingLabel(sessionOf(1, members)).says;
  assert.equal(said({ ending: "exited", exitCode: 0 }), "Ended");
  assert.equal(said({ ending: "exited", exitCode: 3 }), "Ended: code 3");
  assert.equal(said({ ending: "crashed", exitCode: null, signal: "SIGSEGV" }), "Crashed: SIGSEGV");
  assert.equal(said({ ending: "crashed", exitCode: 134 }), "Crashed: code 134");
  assert.equal(said({ ending: "killed", exitCode: null, signal: "SIGTERM" }), "Killed: SIGTERM");
  assert.equal(said({ ending: "quiet", exitCode: null }), "Went quiet");
});

test("a length is said in at most two units", () => {
  const said = [0, 35_400, 59_600, 2_880_000, 3_600_000, 4_320_000].map(formatDuration);
  assert.deepEqual(said, ["0 s", "35 s", "1 min", "48 min", "1 h", "1 h 12 min"]);
});

test("one that runs lasts until now, and a clock that was set back makes none negative", () => {
  const running = sessionOf(1, { endedAt: null });
  assert.equal(sessionDurationMs(running, Date.parse(running.startedAt) + 5_000), 5_000);
  assert.equal(sessionDurationMs(running, 0), 0);
});
