// What the recorder says of a capture by ffmpeg: never more than is so, and what to do where something is wrong.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type FfmpegFacts, stateOf, whyNone } from "./ffmpeg-state.ts";
import { madeUpChoice } from "./fixture.ts";
import type { ThreadStatus } from "./messages.ts";

const status: ThreadStatus = {
  phase: "recording",
  why: null,
  level: 0,
  choice: 1,
  frameRate: 29.7,
  restarts: 1,
  lostSeconds: 0.6,
  stillSeconds: 0,
  heldSeconds: 60,
  heldBytes: 20_000_000,
};
const choice = madeUpChoice();
const facts: FfmpegFacts = {
  isWanted: true,
  isChoosing: false,
  choice,
  refusal: undefined,
  status,
  before: { restarts: 2, lostSeconds: 1 },
};
const say = (changes: Partial<FfmpegFacts>) => {
  const { state, detail } = stateOf({ ...facts, ...changes });
  return `${state}: ${detail}`;
};

test("recording names what is captured, and counts over the threads there were", () => {
  const state = stateOf(facts);
  assert.equal(state.detail, "Captures a made-up picture.");
  assert.deepEqual([state.restarts, state.frameRate, state.heldSeconds], [3, 29.7, 60]);
  assert.ok(Math.abs(state.lostSeconds - 1.6) < 1e-9);
});

test("it is starting while it finds out, while it begins, and after a failure until footage comes again", () => {
  const begins = { ...status, phase: "starting" } as const;
  assert.equal(
    say({ choice: undefined, status: undefined, isChoosing: true }),
    "starting: Finding out how this machine captures best",
  );
  assert.equal(say({ status: begins }), "starting: The capture begins");
  const again = { ...begins, why: "ffmpeg ended with SIGKILL" };
  assert.equal(say({ status: again }), "starting: Ffmpeg ended with SIGKILL. The capture begins anew.");
});

test("broken says why and what to do, by what went wrong", () => {
  const broken = (why: string) => say({ status: { ...status, phase: "broken", why } });
  assert.match(
    broken("ffmpeg cannot be started (ENOENT)"),
    /^broken: Ffmpeg cannot be started \(ENOENT\)\. .*kit doctor/,
  );
  assert.match(broken("ffmpeg ended with 0: Cannot open display :0"), /screen or window may be gone/);
  assert.match(broken("what it wrote is no footage (x)"), /a test recording shows what fails/);
  assert.equal(
    say({ refusal: { refused: "Wayland cannot be captured: use OBS.", tried: [] } }),
    "broken: Wayland cannot be captured: use OBS.",
  );
});

test("what was given up, a warning and a picture that stands still are said beside it", () => {
  const warned = { ...choice, warnings: ["The picture was black."] };
  assert.equal(
    say({ choice: warned, status: { ...status, stillSeconds: 14 } }),
    "recording: Captures a made-up picture. The picture has not changed for 14 s although the game sends events. The picture was black.",
  );
  const quick = { ...choice, order: { ...choice.order, frameRate: 30 } };
  assert.equal(stateOf({ ...facts, choice: quick, status: { ...status, level: 1 } }).degraded, "20 frames a second");
});

test("one that is not wanted captures nothing, whatever was before", () => {
  assert.equal(say({ isWanted: false }), "idle: Nothing is captured");
});

test("a moment before the first footage is told from one that is missing for another reason", () => {
  const none = {
    ...({ said: "There is no footage of that time", toMs: 5_000, when: "automatic" } as const),
    state: { state: "recording", detail: "Captures screen :0." } as const,
  };
  const early = "The recorder was only starting when it happened.";
  const advice = "Set it to `always` to have the seconds before each moment.";
  assert.equal(whyNone({ ...none, recordsSinceMs: 6_000 }), `${early} ${advice}`);
  assert.equal(whyNone({ ...none, recordsSinceMs: 6_000, when: "always" }), early);
  assert.equal(whyNone({ ...none, recordsSinceMs: 4_000 }), none.said);
  const starting = { state: "starting", detail: "The capture begins" } as const;
  assert.equal(whyNone({ ...none, recordsSinceMs: undefined, state: starting }), `${early} ${advice}`);
  const broken = { state: "broken", detail: "The screen is gone." } as const;
  assert.equal(whyNone({ ...none, recordsSinceMs: undefined, state: broken }), `${none.said}. The screen is gone.`);
});
