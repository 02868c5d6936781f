// Tests of the suggestion on the Home page.
import assert from "node:assert/strict";
import { joinSentences, message } from "@kit/contract/messages";
import { test } from "vitest";
import { type HomeFacts, nextStep } from "./next-step.ts";

const ready: HomeFacts = {
  recorder: { state: "idle", detail: "" },
  hasPlayed: true,
  games: 1,
  hasHotkey: false,
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
  assert.deepEqual([broken?.says, broken?.action?.address], ["Install ffmpeg.", "#/recorder"]);
});

test("without a game the suggestion is to add one, even while recording is off", () => {
  const none = { hasPlayed: false, games: 0, clips: 0 };
  assert.equal(titleFor({ ...none, accounts: 0 }), "Add your game");
  assert.equal(titleFor({ ...none, recorder: { state: "off", detail: "" } }), "Add your game");
});

test("the player of a game that sends nothing by itself is told to choose a hotkey, until there is one", () => {
  const added = { hasPlayed: false, games: 1, clips: 0, hasHotkey: false };
  assert.equal(titleFor(added), "Choose a hotkey");
  assert.equal(titleFor({ ...added, recorder: { state: "off", detail: "" } }), "Recording is off");
  assert.equal(titleFor({ ...added, hasHotkey: true }), undefined);
});

test("a person who switched recording off is told so", () => {
  assert.equal(titleFor({ recorder: { state: "off", detail: "Recording is switched off." } }), "Recording is off");
});

test("clips without an account lead to the accounts, and no clips to nothing", () => {
  assert.equal(nextStep({ ...ready, accounts: 0 })?.action?.address, "#/accounts");
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
