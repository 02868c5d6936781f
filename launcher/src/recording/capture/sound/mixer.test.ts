// Tests of the mixer: streams on one timeline, their real time found from the arrival of data, and corrections nobody hears.
import assert from "node:assert/strict";
import { test } from "vitest";
import { frameBytes, SoundMixer, StreamPlacer } from "./mixer.ts";

const constant = (frames: number, value: number) => new Int16Array(frames * 2).fill(value);
const firstChannel = (bytes: Buffer) =>
  Array.from({ length: bytes.length / frameBytes }, (_, i) => bytes.readInt16LE(i * frameBytes));

test("streams are added up without overflow, and silence fills what is missing", () => {
  const mixer = new SoundMixer(1_000);
  assert.equal(mixer.add(1_002, constant(2, 20_000)), 0);
  assert.equal(mixer.add(1_003, constant(2, 20_000)), 0);
  assert.deepEqual(firstChannel(mixer.take(1_006)), [0, 0, 20_000, 32_767, 20_000, 0]);
});

test("what comes too late is lost, and what comes with it is not", () => {
  const mixer = new SoundMixer(1_000);
  assert.equal(mixer.take(1_010).length, 10 * frameBytes);
  assert.equal(mixer.add(1_008, constant(4, 7)), 2);
  assert.equal(mixer.add(900, constant(50, 7)), 50);
  assert.deepEqual(firstChannel(mixer.take(1_014)), [7, 7, 0, 0]);
});

test("silence of any length can be taken, also across the end of the memory", () => {
  const mixer = new SoundMixer(0);
  for (const take of [100_000, 300_000, 1_000_000]) {
    mixer.add(take - 3, constant(3, 5));
    const taken = firstChannel(mixer.take(take));
    assert.deepEqual([taken.at(-1), taken.at(-4)], take === 100_000 ? [5, 0] : [taken.at(-1), 0]);
  }
});

const chunkMs = 10;
const chunk = constant(chunkMs * 48, 1);

/** Plays data of a stream that begins at 0 and arrives late by `lateMs`. Returns the error of the last placement in ms. */
function placeStream(seconds: number, lateMs: (chunk: number) => number, rate = 1): number {
  const placer = new StreamPlacer();
  let errorMs = 0;
  let placedFrames = 0;
  for (let i = 1; i <= (seconds * 1_000) / chunkMs; i += 1) {
    const endMs = (i * chunkMs) / rate;
    const { atFrame, sound } = placer.place(chunk, Math.round((1e9 + endMs + lateMs(i)) * 48));
    placedFrames += sound.length / 2;
    errorMs = (atFrame + sound.length / 2) / 48 - 1e9 - endMs;
  }
  assert.ok(placedFrames > 0);
  return errorMs;
}

test("a stream is placed by its earliest data, although others are late", () => {
  const jitter = (i: number) => (i % 5 === 0 ? 0 : (i * 7) % 30);
  assert.ok(Math.abs(placeStream(20, jitter)) < 3, `${placeStream(20, jitter)} ms`);
});

test("a stream whose first data were late moves to its real time", () => {
  const slowStart = (i: number) => Math.max(0, 400 - i * 20);
  assert.ok(Math.abs(placeStream(10, slowStart)) < 3, `${placeStream(10, slowStart)} ms`);
});

test("a stream with another clock stays in time for an hour", () => {
  for (const rate of [1.0002, 0.9998]) {
    const errorMs = placeStream(3_600, () => 0, rate);
    assert.ok(Math.abs(errorMs) < 6, `${errorMs} ms at ${rate}`);
  }
});

test("a stream that pauses goes on at its real time", () => {
  const placer = new StreamPlacer();
  for (let i = 1; i <= 50; i += 1) placer.place(chunk, i * 480);
  const later = 48_000 * 5;
  assert.equal(placer.place(chunk, later).atFrame, later - 480);
});

test("data that were only delayed follow the data before", () => {
  const placer = new StreamPlacer();
  for (let i = 1; i <= 50; i += 1) placer.place(chunk, i * 480);
  const delayed = constant(48 * 340, 1);
  assert.equal(placer.place(delayed, 50 * 480 + 48 * 700).atFrame, 50 * 480);
});
