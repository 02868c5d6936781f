// Tests of the state of an ffmpeg capture: its description, and the advice after a failure.

import assert from "node:assert/strict";
import { type Message, textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { test } from "vitest";
import { stillProbingNotice } from "../probe/choice.ts";
import { describeFfmpegState, type FfmpegStateFacts, noFootageMessage } from "./ffmpeg-state.ts";
import { syntheticChoice } from "./test/fixture.ts";
import type { CaptureThreadStatus } from "./thread-client.ts";

const status: CaptureThreadStatus = {
  phase: "recording",
  why: null,
  level: 0,
  choiceId: 1,
  frameRate: 29.7,
  restarts: 1,
  lostSeconds: 0.6,
  unchangedSeconds: 0,
  heldSeconds: 60,
  heldBytes: 20_000_000,
};
const choice = syntheticChoice();
const messageOf = (text: string): Message => ({ text, code: "test" });
const noFootageText = (of: Parameters<typeof noFootageMessage>[0]) => textOf(noFootageMessage(of));
const facts: FfmpegStateFacts = {
  isWanted: true,
  isChoosing: false,
  choice,
  refusal: undefined,
  target: { kind: "screen", why: null },
  sound: [],
  status,
  earlierCounts: { restarts: 2, lostSeconds: 1 },
};
const say = (changes: Partial<FfmpegStateFacts>) => {
  const { state, detail } = describeFfmpegState({ ...facts, ...changes });
  return `${state}: ${textOf(detail)}`;
};

test("the state names the source, and adds up the counts of all threads", () => {
  const state = describeFfmpegState(facts);
  assert.equal(textOf(state.detail), "Captures a made-up picture.");
  assert.deepEqual([state.restarts, state.frameRate, state.heldSeconds], [3, 29.7, 60]);
  assert.ok(Math.abs(state.lostSeconds - 1.6) < 1e-9);
});

test("the state is starting while probing, at the start, and after a failure until footage arrives", () => {
  const begins = { ...status, phase: "starting" } as const;
  assert.equal(
    say({ choice: undefined, status: undefined, isChoosing: true }),
    "starting: Finding out how this machine captures best",
  );
  assert.equal(say({ status: begins }), "starting: The capture is starting");
  const again = { ...begins, why: messageOf("ffmpeg ended with SIGKILL") };
  assert.equal(
    say({ status: again }),
    "starting: The capture ended: ffmpeg ended with SIGKILL. The capture is restarting.",
  );
});

test("a guess that fails is no failure while the probe goes on", () => {
  const failed = { ...status, phase: "broken", why: messageOf("no such filter") } as const;
  const guess = { ...choice, warnings: [stillProbingNotice] };
  const facts = { status: failed, choice: guess };
  assert.equal(say({ ...facts, isChoosing: true }), "starting: Finding out how this machine captures best");
  assert.match(say({ ...facts, choice, isChoosing: true }), /^broken: The capture ended: no such filter/);
});

test("a failure is explained, with advice that fits the cause", () => {
  const broken = (why: Message) => say({ status: { ...status, phase: "broken", why } });
  assert.match(
    broken(message("ffmpeg.cannot_be_started", { why: "ENOENT" })),
    /^broken: The capture ended: .*cannot be started \(ENOENT\)\. .*kit doctor/,
  );
  assert.match(broken(messageOf("ffmpeg ended with 0: Cannot open display :0")), /screen or window may be gone/);
  assert.match(broken(messageOf("the output is not footage (x)")), /a test recording shows what fails/);
  assert.equal(
    say({ refusal: { refused: messageOf("Wayland cannot be captured: use OBS."), tried: [] } }),
    "broken: Wayland cannot be captured: use OBS.",
  );
});

test("the detail includes warnings and a frozen picture; reduced quality is reported", () => {
  const warned = { ...choice, warnings: [messageOf("The picture was black.")] };
  assert.equal(
    say({ choice: warned, status: { ...status, unchangedSeconds: 14 } }),
    "recording: Captures a made-up picture. The picture has not changed for 14 s although the game sends events. The picture was black.",
  );
  const quick = { ...choice, spec: { ...choice.spec, frameRate: 30 } };
  assert.equal(
    describeFfmpegState({ ...facts, choice: quick, status: { ...status, level: 1 } }).degraded,
    "20 frames a second",
  );
});

test("an unwanted capture is idle", () => {
  assert.equal(say({ isWanted: false }), "idle: Nothing is captured");
});

test("the message for a moment before the first footage differs from other missing footage", () => {
  const none = {
    ...({ why: messageOf("There is no footage of that time"), toMs: 5_000, when: "automatic" } as const),
    state: { state: "recording", detail: "Captures screen :0." } as const,
  };
  const early = "The recorder was only starting when it happened.";
  const advice = "Set it to `always` to have the seconds before each moment.";
  assert.equal(noFootageText({ ...none, recordingSinceMs: 6_000 }), `${early} ${advice}`);
  assert.equal(noFootageText({ ...none, recordingSinceMs: 6_000, when: "always" }), early);
  assert.equal(noFootageText({ ...none, recordingSinceMs: 4_000 }), none.why.text);
  const starting = { state: "starting", detail: "The capture is starting" } as const;
  assert.equal(noFootageText({ ...none, recordingSinceMs: undefined, state: starting }), `${early} ${advice}`);
  const broken = { state: "broken", detail: "The screen is gone." } as const;
  assert.equal(
    noFootageText({ ...none, recordingSinceMs: undefined, state: broken }),
    `${none.why.text}. The screen is gone.`,
  );
});
