// Tests of which streams are recorded: the game's and its children's, all sound, or none; and what the recorder says about it.
import assert from "node:assert/strict";
import type { RecorderSettings } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { test, vi } from "vitest";
import type { FollowSoundServer, SoundServerState } from "./pulse.ts";
import { SoundChooser } from "./sound-chooser.ts";

const server: SoundServerState = {
  monitor: "speakers.monitor",
  microphone: "headset",
  streams: [
    { id: 1, pid: 100 },
    { id: 2, pid: 101 },
    { id: 3, pid: 900 },
    { id: 4, pid: null },
  ],
};

function openChooser(settings: Partial<Pick<RecorderSettings, "sound" | "microphone">> = {}) {
  const world = {
    game: undefined as number | undefined,
    follows: 0,
    sound: { sound: "game", microphone: false, ...settings } as const,
  };
  let events: Parameters<FollowSoundServer>[0] | undefined;
  const chooser = new SoundChooser({
    settings: () => world.sound,
    game: () => world.game,
    processesOf: (pid) => new Set([pid, pid + 1]),
    follow(given) {
      world.follows += 1;
      events = given;
      return { stop: () => undefined };
    },
    onChanged: () => undefined,
  });
  const codes = () => chooser.says().map(({ code }) => code);
  return {
    chooser,
    world,
    codes,
    seen: (state = server) => events?.onState(state),
    lost: () => events?.onLost(message("sound.no_server")),
  };
}

test("the streams of the game and of its children are recorded, and no others", () => {
  const { chooser, world, codes, seen } = openChooser();
  world.game = 100;
  chooser.start();
  seen();
  assert.deepEqual(chooser.tracks(), { sound: ["stream:1", "stream:2"], microphone: [] });
  assert.deepEqual(codes(), []);
  seen({ ...server, streams: [{ id: 3, pid: 900 }] });
  assert.deepEqual([chooser.tracks().sound, codes()], [[], ["sound.game_silent"]]);
});

test("without a known game all sound is recorded, which is said; after a game, nothing at first", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { chooser, world, codes, seen } = openChooser();
  chooser.start();
  seen();
  assert.deepEqual([chooser.tracks().sound, codes()], [["device:speakers.monitor"], ["sound.of_all_programs"]]);
  world.game = 100;
  chooser.update();
  assert.deepEqual(chooser.tracks().sound, ["stream:1", "stream:2"]);
  world.game = undefined;
  chooser.update();
  assert.deepEqual([chooser.tracks().sound, codes()], [[], []]);
  vi.advanceTimersByTime(16_000);
  assert.deepEqual(codes(), ["sound.of_all_programs"]);
});

test("the settings decide about all sound, none, and the microphone", () => {
  for (const [settings, sound, microphone] of [
    [{ sound: "system" }, ["device:speakers.monitor"], []],
    [{ sound: "off", microphone: true }, [], ["device:headset"]],
    [{ sound: "system", microphone: true }, ["device:speakers.monitor"], ["device:headset"]],
  ] as const) {
    const { chooser, world, seen } = openChooser(settings);
    world.game = 100;
    chooser.start();
    seen();
    assert.deepEqual(chooser.tracks(), { sound, microphone });
  }
  const { chooser, world } = openChooser({ sound: "off" });
  chooser.start();
  assert.equal(world.follows, 0, "nothing is followed if nothing is wanted");
});

test("without a microphone the recorder says so, and a monitor is never recorded in its place", () => {
  const { chooser, world, codes, seen } = openChooser({ microphone: true });
  world.game = 100;
  chooser.start();
  seen({ ...server, microphone: null });
  assert.deepEqual([chooser.tracks().microphone, codes()], [[], ["sound.no_microphone"]]);
});

test("a server that is gone leaves silence, is said, and is followed again until the capture stops", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { chooser, world, codes, seen, lost } = openChooser();
  world.game = 100;
  chooser.start();
  seen();
  lost();
  assert.deepEqual([chooser.tracks().sound, codes(), world.follows], [[], ["sound.gone"], 1]);
  vi.advanceTimersByTime(500);
  assert.equal(world.follows, 2);
  seen();
  assert.deepEqual([chooser.tracks().sound.length, codes()], [2, []]);
  lost();
  chooser.stop();
  vi.advanceTimersByTime(60_000);
  assert.equal(world.follows, 2);
});

test("on Windows the sound of the game's process is recorded, or else all sound, with the reason", () => {
  const windows = { streams: [], monitor: "output", microphone: "microphone" } as const;
  const { chooser, world, codes, seen } = openChooser({ microphone: true });
  world.game = 100;
  chooser.start();
  seen({ ...windows, ofProcesses: true });
  assert.deepEqual(chooser.tracks(), { sound: ["stream:100"], microphone: ["device:microphone"] });
  assert.deepEqual(codes(), []);
  const why = message("sound.not_of_one_program", { code: "0x80070002" });
  seen({ ...windows, ofProcesses: why });
  assert.deepEqual([chooser.tracks().sound, codes()], [["device:output"], ["sound.not_of_one_program"]]);
  seen({ ...windows, monitor: null, ofProcesses: why });
  assert.deepEqual([chooser.tracks().sound, codes()], [[], ["sound.not_of_one_program"]]);
});
