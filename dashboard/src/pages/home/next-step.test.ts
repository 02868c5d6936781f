// Tests of the suggestion on the Home page.
import assert from "node:assert/strict";
import { joinSentences, message } from "@kit/contract/messages";
import { test } from "vitest";
import { type HomeFacts, nextStep } from "./next-step.ts";

const ready: HomeFacts = {
  recorder: { state: "idle", detail: "" },
  hasPlayed: true,
  clips: 5,
  accounts: 1,
  knowsScreen: false,
};
const titleFor = (facts: Partial<HomeFacts>) => nextStep({ ...ready, ...facts })?.title;

test("someone with a game, clips and an account gets no suggestion", () => {
  assert.equal(titleFor({}), undefined);
  assert.equal(titleFor({ recorder: undefined }), undefined);
});

test("a recorder that cannot record comes first, and its own sentence says what to do", () => {
  const broken = nextStep({ ...ready, hasPlayed: false, recorder: { state: "broken", detail: "Install ffmpeg." } });
  assert.deepEqual([broken?.says, broken?.address], ["Install ffmpeg.", "#/recorder"]);
});

test("without a session the suggestion is to connect a game, even while recording is off", () => {
  assert.equal(titleFor({ hasPlayed: false, clips: 0, accounts: 0 }), "Connect your game");
  assert.equal(titleFor({ hasPlayed: false, recorder: { state: "off", detail: "" } }), "Connect your game");
});

test("a person who switched recording off is told so", () => {
  assert.equal(titleFor({ recorder: { state: "off", detail: "Recording is switched off." } }), "Recording is off");
});

test("clips without an account lead to the accounts, and no clips to nothing", () => {
  assert.equal(nextStep({ ...ready, accounts: 0 })?.address, "#/accounts");
  assert.equal(titleFor({ accounts: 0, clips: 0 }), undefined);
});

test("a person is told once that the whole screen is recorded, wherever one window cannot be", () => {
  const says = [
    message("window.of_game_not_found"),
    message("window.no_composite"),
    message("source.not_in_build", { what: "gfxcapture" }),
    message("capture.window_not_recorded", { why: message("source.window_is_black") }),
  ];
  for (const why of says) {
    const detail = joinSentences(message("recorder.captures", { source: "screen :0" }), why, message("sound.works"));
    const recorder = { state: "recording", detail } as const;
    const step = nextStep({ ...ready, hasPlayed: false, recorder });
    assert.deepEqual([step?.title, step?.isOnce], ["Kit records the whole screen", true], why.code);
    assert.equal(titleFor({ recorder, knowsScreen: true }), undefined);
    assert.equal(titleFor({ recorder: { ...recorder, state: "starting" } }), undefined);
  }
});

test("a person whose game alone is recorded, or who chose the screen, is told nothing", () => {
  const detail = message("recorder.captures", { source: "the window" });
  assert.equal(titleFor({ recorder: { state: "recording", detail } }), undefined);
});
