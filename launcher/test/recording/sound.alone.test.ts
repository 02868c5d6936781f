// Tests of the sound of clips with a real PulseAudio and PipeWire, real programs that play, and the real ffmpeg. Tones tell programs apart.
import assert from "node:assert/strict";
import { type Clip, hasCode, type listClips, type ReplyOf, textOf } from "@kit/contract";
import { afterAll, beforeAll, type TestContext, test } from "vitest";
import { type Display, openDisplay } from "../../../tools/engines/display.ts";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { openSoundServer, type SoundServer } from "../../../tools/engines/sound-server.ts";
import { type LauncherProcess, startLauncherProcess } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";
import { countTracks, loudness, onsets, openSoundProgram, readSound, type SoundProgram } from "./sound-program.ts";

const skip = skipWithout("Xvfb", "PulseAudio", "ffmpeg");
const gameTone = 440;
/** Footage of the last seconds may be of the test before. */
const manyTones = [700, 880] as const;
const otherTone = 1_500;
const voiceTone = 2_600;
/** A busy machine leaves gaps in a tone. */
const heard = 0.2;
const silent = 0.02;

let display: Display;
let server: SoundServer;
let awake: SoundProgram;
let launcher: LauncherProcess;
beforeAll(async () => {
  if (skip) return;
  display = await openDisplay("640x360");
  server = await openSoundServer();
  // Keeps the server awake, as a desktop does: an idle one plays a stream up to two seconds after it was sent.
  awake = await openSoundProgram(server.address);
  await awake.order({ do: "play", hertz: 0 });
  launcher = await startLauncherProcess({ env: { DISPLAY: display.name, PULSE_SERVER: server.address } });
  await launcher.setRecorder(settings);
});
afterAll(async () => {
  await launcher?.[Symbol.asyncDispose]();
  await awake?.end();
  await server?.close();
  await display?.close();
});

const recorder = async () => (await launcher.recorder()).state;
const url = () => `http://127.0.0.1:${launcher.port}/api/recording/trigger`;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The games here have no windows. */
const settings = { height: 480, frameRate: 15, backend: "ffmpeg", picture: "screen" } as const;

/** Lets the rest of a test use a launcher of its own, which knows no game yet. */
async function useOwnLauncher(t: TestContext, address: string): Promise<void> {
  const shared = launcher;
  const own = await startLauncherProcess({ env: { DISPLAY: display.name, PULSE_SERVER: address } });
  launcher = own;
  t.onTestFinished(async () => {
    launcher = shared;
    await own[Symbol.asyncDispose]();
  });
  await launcher.setRecorder(settings);
}

async function openProgram(t: TestContext, address = server.address): Promise<SoundProgram> {
  const program = await openSoundProgram(address);
  t.onTestFinished(() => program.end());
  return program;
}

/** Starts a game that has sent its first event, and waits until the recorder records with what was chosen. */
async function openGame(t: TestContext, game: string, address = server.address): Promise<SoundProgram> {
  const program = await openProgram(t, address);
  const rule = { eventId: `${game}_event`, preSeconds: 12, postSeconds: 1, mergeGapSeconds: 0, cooldownSeconds: 0 };
  assert.equal((await launcher.api("PUT", "/api/recorder/rules", rule)).status, 200);
  // Otherwise the events that follow would join its clip.
  const greeting = { eventId: `${game}_hello`, action: "marker" };
  assert.equal((await launcher.api("PUT", "/api/recorder/rules", greeting)).status, 200);
  await program.order({ do: "send", url: url(), eventId: greeting.eventId });
  let last = "";
  await until(
    () => `a recording; the recorder says ${last}`,
    async () => {
      const state = await recorder();
      last = JSON.stringify(state);
      return state.state === "recording" && !hasCode(state.detail, "recorder.still_probing");
    },
  );
  return program;
}

/** Sends the event of the game, and returns its saved clip. */
async function clipOf(program: SoundProgram, game: string): Promise<Clip & { readonly path: string }> {
  const event = await program.order({ do: "send", url: url(), eventId: `${game}_event` });
  let last = "";
  const clip = await until(
    () => `a clip of ${event}: ${last}`,
    async () => {
      const { clips } = (await launcher.api("GET", `/api/clips?event=${event}`)).json<ReplyOf<typeof listClips>>();
      last = JSON.stringify(clips);
      return clips.find(({ state }) => state !== "pending");
    },
  );
  assert.equal(clip.state, "saved", textOf(clip.reason ?? ""));
  return { ...clip, path: clip.path ?? "" };
}

test("a clip has the sound of its game, in time, and no other program's", { skip }, async (t) => {
  const game = await openGame(t, "solo");
  const other = await openProgram(t);
  await other.order({ do: "play", hertz: otherTone });
  await game.order({ do: "play", hertz: gameTone, beeps: true });
  await pause(5_000);
  const clip = await clipOf(game, "solo");
  const sound = await readSound(clip.path, 0);
  assert.equal(await countTracks(clip.path), 1);
  assert.ok(loudness(sound, otherTone) < silent, `the other program: ${loudness(sound, otherTone)}`);
  const startMs = Date.parse(clip.startedAt);
  const lateMs = onsets(sound, gameTone).map((seconds) => ((startMs + seconds * 1_000 + 500) % 1_000) - 500);
  console.log(`beeps come ${lateMs.map(Math.round).join(", ")} ms after their second`);
  assert.ok(lateMs.length >= 3, `${lateMs.length} beeps`);
  assert.ok(
    // A busy machine lets the tone wait before it is played. The test of the mixer is exact to two milliseconds.
    lateMs.every((ms) => ms > -40 && ms < 400),
    lateMs.join(),
  );
});

test("streams of a game that begin late, end and overlap are all in its clip, and so is the silence between", {
  skip,
}, async (t) => {
  const game = await openGame(t, "many");
  await until("a game without sound", async () => hasCode((await recorder()).detail, "sound.game_silent"));
  await pause(2_000);
  const atMs = [Date.now()];
  for (const command of [
    { do: "play", hertz: manyTones[0] },
    { do: "play", hertz: manyTones[1] },
    { do: "stop", hertz: manyTones[0] },
  ] as const) {
    await game.order(command);
    atMs.push(Date.now());
    await pause(3_000);
  }
  const clip = await clipOf(game, "many");
  const sound = await readSound(clip.path, 0);
  const seconds = sound.length / 48_000;
  assert.ok(Math.abs(seconds - clip.duration) < 0.1, `${seconds} s of sound in ${clip.duration} s`);
  // A busy machine may have reduced the quality meanwhile, and then the clip begins later.
  const [begunMs = 0, firstMs = 0, secondMs = 0, stoppedMs = 0] = atMs;
  const startMs = Date.parse(clip.startedAt);
  const heardBetween = (fromMs: number, toMs: number) =>
    manyTones.map((hertz) => {
      const [from, to] = [fromMs, toMs].map((ms) => Math.max(0, (ms - startMs) / 1_000)) as [number, number];
      return to - from < 0.4 ? undefined : loudness(sound, hertz, from, to) > heard;
    });
  const before = heardBetween(begunMs - 1_500, begunMs);
  assert.ok(!before[0] && !before[1], "silent at first");
  assert.deepEqual(
    [heardBetween(firstMs + 1_500, firstMs + 2_800), heardBetween(secondMs + 1_500, secondMs + 2_800)].filter(
      ([one]) => one !== undefined,
    ),
    [
      [true, false],
      [true, true],
    ].slice(startMs > firstMs + 2_400 ? 1 : 0),
  );
  assert.deepEqual(heardBetween(stoppedMs + 1_500, stoppedMs + 2_800), [false, true], "only the second at the end");
});

for (const kind of ["PulseAudio", "PipeWire"] as const) {
  test(`with ${kind}, the microphone is a second track, and a recording goes on without the sound server`, {
    skip: skip || skipWithout(kind),
  }, async (t) => {
    const own = await openSoundServer(kind);
    t.onTestFinished(() => own.close());
    await useOwnLauncher(t, own.address);
    await launcher.setRecorder({ microphone: true });
    const [game, person, other] = [
      await openGame(t, "talk", own.address),
      await openProgram(t, own.address),
      await openProgram(t, own.address),
    ];
    await other.order({ do: "play", hertz: otherTone });
    await person.order({ do: "play", hertz: voiceTone, device: "voice" });
    await game.order({ do: kind === "PipeWire" ? "play-by-pipewire" : "play", hertz: gameTone });
    await pause(3_000);
    const clip = await clipOf(game, "talk");
    assert.equal(await countTracks(clip.path), 2);
    const [sound, voice] = [await readSound(clip.path, 0), await readSound(clip.path, 1)];
    const last = (track: Int16Array, hertz: number) => loudness(track, hertz, track.length / 48_000 - 1);
    const heardIn = [last(sound, gameTone), last(voice, voiceTone)];
    assert.ok(
      heardIn.every((loud) => loud > heard),
      `each track has its tone: ${heardIn}`,
    );
    assert.ok(last(sound, voiceTone) < silent && last(voice, gameTone) < silent, "and not the other's");
    assert.ok(loudness(sound, otherTone) < silent, "nor another program's");
    assert.ok(Math.abs(voice.length - sound.length) < 4_800, `${voice.length} and ${sound.length} samples`);

    const before = await recorder();
    await own.close();
    await until("the recorder to say it", async () => hasCode((await recorder()).detail, "sound.gone"));
    await pause(1_500);
    const later = await clipOf(game, "talk");
    const state = await recorder();
    assert.deepEqual([state.state, state.restarts], ["recording", before.restarts]);
    assert.ok(last(await readSound(later.path, 0), gameTone) < silent);
    const again = await openSoundServer(kind, own.address);
    t.onTestFinished(() => again.close());
    await openProgram(t, own.address);
    await until("sound", async () => !hasCode((await recorder()).detail, "sound.gone"));
  });
}

test("without a known game a clip has the sound of every program, and the recorder says so", { skip }, async (t) => {
  await useOwnLauncher(t, server.address);
  const other = await openProgram(t);
  await other.order({ do: "play", hertz: otherTone });
  await launcher.setRecorder({ when: "always" });
  let last = "";
  await until(
    () => `system audio; the recorder says ${last}`,
    async () => {
      const { detail } = await recorder();
      last = JSON.stringify(detail);
      return hasCode(detail, "sound.of_all_programs");
    },
  );
  // Only footage of the chosen capture has sound.
  await pause(6_500);
  const clip = (await launcher.api("POST", "/api/recording/save", { seconds: 5 })).json<Clip>();
  const sound = await readSound(clip.path ?? "", 0);
  const loud = loudness(sound, otherTone, sound.length / 48_000 - 1);
  assert.ok(loud > heard, `it has ${loud}`);
});
