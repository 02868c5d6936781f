// Tests of cutting clips out of OBS's replays, with a stand-in for OBS that saves real videos.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { textOf } from "@kit/contract";
import { afterAll, beforeAll, describe, test } from "vitest";
import { pathOf, skipWithout } from "../../../../../tools/engines/locate.ts";
import type { FakeObs } from "../../../../test/recording/fake-obs.ts";
import { fake, recording, rig, times } from "../../../../test/recording/obs-rig.ts";
import { until } from "../../../../test/support/until.ts";
import { type ClipPlan, NoFootage } from "../../plans/plan.ts";
import { momentOf, planOf } from "../../plans/test/plan-of.ts";
import { readTracks } from "../../trim/copy-trim.ts";
import type { ObsBackend } from "./obs-backend.ts";

const saves = (obs: FakeObs) => obs.requests.filter((name) => name === "SaveReplayBuffer").length;

describe("cutting clips out of OBS's replays", { skip: skipWithout("ffmpeg") }, () => {
  let folder: string;
  let film: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "kit-obs-footage-"));
    film = join(folder, "film.mp4");
    const source = ["-f", "lavfi", "-i", "testsrc2=s=256x144:r=20", "-f", "lavfi", "-i", "sine"];
    const encode = ["-t", "40", "-c:v", "libx264", "-preset", "ultrafast", "-g", "20", "-c:a", "aac"];
    execFileSync(pathOf("ffmpeg"), ["-v", "error", "-nostdin", ...source, ...encode, film]);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const order = (fromMs: number, toMs: number) => planOf(fromMs, toMs, { moments: [momentOf(fromMs, "It began")] });
  const fileOf = ({ id }: ClipPlan) => join(folder, `${id}.mp4`);
  const cutWith = (backend: ObsBackend, plan: ClipPlan) => backend.cut(plan, fileOf(plan));

  /** The content of a replay buffer between these seconds of the video, with the same encoded pictures. */
  function replay(name: string, fromSeconds: number, toSeconds: number): string {
    const path = join(folder, name);
    const span = ["-ss", String(fromSeconds), "-i", film, "-t", String(toSeconds - fromSeconds)];
    execFileSync(pathOf("ffmpeg"), ["-v", "error", "-nostdin", "-y", ...span, "-c", "copy", path]);
    return path;
  }

  /** As the content of a buffer that runs: 20 seconds, and what came since the first call. */
  let liveSinceMs = 0;
  function live(name: string): string {
    if (liveSinceMs === 0 || Date.now() - liveSinceMs > 15_000) liveSinceMs = Date.now();
    return replay(name, 0, 20 + (Date.now() - liveSinceMs) / 1_000);
  }

  test("a range is written, and its content is reported", async (t) => {
    const obs = await fake(t, { onSave: async () => replay("one.mkv", 0, 20) });
    const backend = await recording(t, obs);
    const wanted = order(Date.now() - 6_000, Date.now() - 1_000);
    const footage = await cutWith(backend, wanted);
    assert.ok(Math.abs(footage.fromMs - wanted.fromMs) < 1 && Math.abs(footage.toMs - wanted.toMs) < 1);
    assert.deepEqual([footage.width, footage.height, footage.frames, footage.gaps], [256, 144, 100, []]);
    assert.ok(existsSync(fileOf(wanted)));
  });

  test("if OBS dropped the start of a range, the reported start is later", async (t) => {
    const obs = await fake(t, { onSave: async () => replay("short.mp4", 0, 4) });
    const backend = await recording(t, obs);
    const wanted = order(Date.now() - 10_000, Date.now() - 1_000);
    const footage = await cutWith(backend, wanted);
    const lateMs = footage.fromMs - wanted.fromMs;
    assert.ok(lateMs > 5_900 && lateMs < 8_900, `${lateMs}`);
  });

  test("ranges that have ended share one save, and a later range gets another", async (t) => {
    const obs = await fake(t, { onSave: async (count) => live(`shared-${count}.mp4`) });
    const backend = await recording(t, obs);
    const nowMs = Date.now();
    const over = [1, 2, 3].map((seconds) => cutWith(backend, order(nowMs - 9_000, nowMs - seconds * 1_000)));
    const soon = order(nowMs - 2_000, nowMs + 1_500);
    const footage = await Promise.all([...over, cutWith(backend, soon)]);
    assert.equal(footage.length, 4);
    assert.equal(saves(obs), 2);
    assert.ok(Date.now() > soon.toMs);
  });

  test("saves are requested one after the other", async (t) => {
    let open = 0;
    const onSave = async (count: number) => {
      open += 1;
      assert.equal(open, 1);
      await pause(200);
      open -= 1;
      return live(`serial-${count}.mp4`);
    };
    const obs = await fake(t, { onSave });
    const backend = await recording(t, obs);
    const first = cutWith(backend, order(Date.now() - 5_000, Date.now() - 1_000));
    await until("the first save is requested", () => saves(obs) === 1);
    await Promise.all([first, cutWith(backend, order(Date.now() - 5_000, Date.now()))]);
    assert.equal(saves(obs), 2);
  });

  test("a file that cannot be read here is named", async (t) => {
    const obs = await fake(t, { onSave: async () => "/not/on/this/machine.mp4" });
    const backend = await recording(t, obs);
    const wanted = order(Date.now() - 5_000, Date.now() - 1_000);
    const expected = { name: "NoFootage", message: /\/not\/on\/this\/machine\.mp4.*cannot be read here/ };
    await assert.rejects(cutWith(backend, wanted), expected);
    assert.ok(!existsSync(fileOf(wanted)));
  });

  test("a file that is not a video is named, and a playlist is not followed", async (t) => {
    const list = join(folder, "list.txt");
    execFileSync("sh", ["-c", `printf 'ffconcat version 1.0\\nfile film.mp4\\n' > "$1"`, "sh", list]);
    const obs = await fake(t, { onSave: async () => list });
    const backend = await recording(t, obs);
    await assert.rejects(cutWith(backend, order(Date.now() - 5_000, Date.now() - 1_000)), (error: Error) => {
      assert.ok(error instanceof NoFootage && error.message.includes(list), error.message);
      return true;
    });
  });

  test("a buffer that stands still is no footage of now", async (t) => {
    const obs = await fake(t, { onSave: async (count) => replay(`still-${count}.mp4`, 0, count < 3 ? 20 : 22) });
    const backend = await recording(t, obs);
    await cutWith(backend, order(Date.now() - 5_000, Date.now() - 1_000));
    const expected = { name: "NoFootage", message: /the same footage as \d+ s ago/ };
    await assert.rejects(cutWith(backend, order(Date.now() - 5_000, Date.now())), expected);
    await cutWith(backend, order(Date.now() - 5_000, Date.now()));
  });

  test("of a replay that is much longer than OBS's setting, the wanted seconds are cut, and the state says so", async (t) => {
    const obs = await fake(t, { onSave: async () => replay("huge.mp4", 0, 40), replaySeconds: 30 });
    const backend = await recording(t, obs);
    const { frames } = await cutWith(backend, order(Date.now() - 5_000, Date.now() - 1_000));
    assert.equal(frames, 80);
    assert.doesNotMatch(textOf(backend.state().detail), /last replay had/, "some more is usual");
    obs.does.replaySeconds = 9;
    await until("the setting is read", () =>
      /last replay had 40 s, more than the 9 s/.test(textOf(backend.state().detail)),
    );
  });

  test("both sound tracks of a replay are kept", async (t) => {
    const path = join(folder, "two-tracks.mkv");
    const sounds = ["-i", film, "-f", "lavfi", "-t", "20", "-i", "sine=1000"];
    const tracks = ["-map", "0:v", "-map", "0:a", "-map", "1:a", "-t", "20", "-c:v", "copy", "-c:a", "aac", "-y", path];
    const onSave = async () => {
      execFileSync(pathOf("ffmpeg"), ["-v", "error", "-nostdin", ...sounds, ...tracks]);
      return path;
    };
    const backend = await recording(t, await fake(t, { onSave }));
    const wanted = order(Date.now() - 5_000, Date.now() - 1_000);
    await cutWith(backend, wanted);
    const { soundTracks, hasMicrophone } = await readTracks(fileOf(wanted));
    assert.deepEqual([soundTracks, hasMicrophone], [2, false]);
  });

  test("a save without an event is found by polling", async (t) => {
    const obs = await fake(t);
    obs.does.onSave = async () => {
      obs.does.lastReplay = replay("unannounced.mp4", 0, 20);
      return null;
    };
    const backend = await recording(t, obs);
    await cutWith(backend, order(Date.now() - 5_000, Date.now() - 1_000));
  });

  test("a file saved by a hotkey just before is not used", async (t) => {
    const before = replay("hotkey.mp4", 0, 2);
    utimesSync(before, 1, 1);
    await pause(600);
    const obs = await fake(t);
    obs.does.onSave = async () => {
      obs.announce(before);
      return replay("ours.mp4", 0, 20);
    };
    const backend = await recording(t, obs);
    const footage = await cutWith(backend, order(Date.now() - 9_000, Date.now() - 4_000));
    assert.equal(footage.frames, 100);
  });

  test("an overwritten file is used only after it was written", async (t) => {
    const obs = await fake(t, { lastReplay: replay("again.mp4", 0, 2) });
    const backend = await recording(t, obs);
    await pause(600);
    obs.does.onSave = async () => {
      obs.announce(obs.does.lastReplay);
      return replay("again.mp4", 0, 20);
    };
    const footage = await cutWith(backend, order(Date.now() - 9_000, Date.now() - 4_000));
    assert.equal(footage.frames, 100);
  });

  test("no file is written while one is read, and saves keep their distance", async (t) => {
    const names: number[] = [];
    const onSave = async () => {
      names.push(Date.now());
      return live("same.mp4");
    };
    const obs = await fake(t, { onSave });
    const { backend } = rig(t, obs.url, { times: { ...times, saveIntervalMs: 1_100 } });
    backend.connect();
    await backend.start();
    await until("recording", () => backend.state().state === "recording");
    const nowMs = Date.now();
    const cuts = [0, 800, 1_600, 2_400].map((laterMs) => cutWith(backend, order(nowMs - 5_000, nowMs - 200 + laterMs)));
    for (const { frames } of await Promise.all(cuts)) assert.ok(frames >= 95, `${frames}`);
    const apart = names.slice(1).map((moment, place) => moment - (names[place] ?? 0));
    assert.ok(apart.length > 0 && apart.every((ms) => ms >= 1_050), apart.join(" "));
  });

  test("a save without a file fails after a timeout", async (t) => {
    const obs = await fake(t);
    const { backend } = rig(t, obs.url, { times: { ...times, saveTimeoutMs: 300 } });
    backend.connect();
    await until("available", backend.isAvailable);
    await backend.start();
    const expected = { name: "NoFootage", message: /wrote no replay within 0\.3 s/ };
    await assert.rejects(cutWith(backend, order(Date.now() - 5_000, Date.now() - 1_000)), expected);
  });

  test("a save is repeated if the connection ended in the middle", async (t) => {
    const obs = await fake(t);
    obs.does.onSave = async (count) => {
      if (count > 1) return replay("second.mp4", 0, 20);
      obs.drop();
      return null;
    };
    const backend = await recording(t, obs);
    await cutWith(backend, order(Date.now() - 5_000, Date.now() - 1_000));
    assert.equal(saves(obs), 2);
  });

  test("an OBS that ends during a save leaves no footage, and the error says so", async (t) => {
    const obs = await fake(t);
    obs.does.onSave = async () => {
      await obs.close();
      return null;
    };
    const backend = await recording(t, obs);
    await assert.rejects(cutWith(backend, order(Date.now() - 5_000, Date.now() - 1_000)), NoFootage);
  });

  test("a waiting cut is rejected when Kit disconnects from OBS", async (t) => {
    const obs = await fake(t);
    const backend = await recording(t, obs);
    const cut = cutWith(backend, order(Date.now(), Date.now() + 60_000));
    backend.disconnect();
    await assert.rejects(cut, NoFootage);
  });

  test("a range longer than OBS's replay buffer is joined from several saves without lost or repeated pictures", async (t) => {
    const beganMs = Date.now() - 8_000;
    const onSave = async (count: number) => {
      const nowSeconds = (Date.now() - beganMs) / 1_000;
      return replay(`long-${count}.mp4`, Math.max(0, nowSeconds - 8), nowSeconds);
    };
    const obs = await fake(t, { onSave, replaySeconds: 8 });
    const backend = await recording(t, obs);
    backend.hold("plan", beganMs);
    await cutWith(backend, order(beganMs + 1_000, Date.now() - 300));
    await until("five seconds have passed", () => Date.now() > beganMs + 13_000);
    const wanted = order(beganMs + 1_000, Date.now() - 300);
    const footage = await cutWith(backend, wanted);
    backend.release("plan");
    assert.ok(saves(obs) > 1);
    assert.ok(footage.fromMs - wanted.fromMs < 1, `${footage.fromMs - wanted.fromMs}`);
    assert.deepEqual(footage.gaps, []);
    const shown = Math.round((footage.toMs - footage.fromMs) / 50);
    assert.ok(Math.abs(footage.frames - shown) <= 1, `${footage.frames} of ${shown}`);
  });

  test("held footage is saved before OBS drops it", async (t) => {
    const obs = await fake(t, { onSave: async (count) => replay(`held-${count}.mp4`, 0, 6), replaySeconds: 6 });
    const backend = await recording(t, obs);
    backend.hold("plan", Date.now() - 3_500);
    await until("saved", () => saves(obs) === 1);
    backend.release("plan");
  });
});
