// Tests of the texts for the end and the duration of a session.
import assert from "node:assert/strict";
import { test } from "vitest";
import { sessionOf } from "../../../test/session-samples.ts";
import { endingLabel, sessionDurationMs } from "./session-text.ts";

test("the end of a session is shown with its signal or exit code, if known", () => {
  const texts = (members: Parameters<typeof sessionOf>[1]) => endingLabel(sessionOf(1, members)).says;
  assert.equal(texts({ ending: "exited", exitCode: 0 }), "Ended");
  assert.equal(texts({ ending: "exited", exitCode: 3 }), "Ended: code 3");
  assert.equal(texts({ ending: "crashed", exitCode: null, signal: "SIGSEGV" }), "Crashed: SIGSEGV");
  assert.equal(texts({ ending: "crashed", exitCode: 134 }), "Crashed: code 134");
  assert.equal(texts({ ending: "killed", exitCode: null, signal: "SIGTERM" }), "Killed: SIGTERM");
  assert.equal(texts({ ending: "quiet", exitCode: null }), "Went quiet");
});

test("a running session lasts until now, and a clock that was set back gives no negative duration", () => {
  const running = sessionOf(1, { endedAt: null });
  assert.equal(sessionDurationMs(running, Date.parse(running.startedAt) + 5_000), 5_000);
  assert.equal(sessionDurationMs(running, 0), 0);
});
