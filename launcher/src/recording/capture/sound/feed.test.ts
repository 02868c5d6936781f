// Tests of the feed with made-up recorders and a made-up clock: exact times, streams that end, several ffmpegs, and stalls.
import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { Writable } from "node:stream";
import { test } from "vitest";
import { SoundFeed } from "./feed.ts";
import type { SoundStream } from "./tracks.ts";

type Recorder = {
  readonly stream: SoundStream;
  isKilled: boolean;
  hear(frames: number, value: number): void;
  end(): void;
};

function openFeed() {
  let nowMs = 1_790_000_000_000;
  const timers = new Set<{ dueMs: number; call: () => void }>();
  const clock = {
    wallMs: () => nowMs,
    monoMs: () => nowMs,
    after(ms: number, call: () => void) {
      const timer = { dueMs: nowMs + ms, call };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  const recorders: Recorder[] = [];
  const startRecorder = (stream: SoundStream) => {
    const stdout = new EventEmitter();
    const child = Object.assign(new EventEmitter(), {
      stdout,
      kill: () => {
        recorder.isKilled = true;
      },
    });
    const recorder: Recorder = {
      stream,
      isKilled: false,
      hear: (frames, value) => stdout.emit("data", Buffer.from(new Int16Array(frames * 2).fill(value).buffer)),
      end: () => child.emit("close", 1),
    };
    recorders.push(recorder);
    return child as unknown as ChildProcess;
  };
  const advance = (ms: number, each?: () => void) => {
    for (let i = 0; i < ms; i += 10) {
      nowMs += 10;
      each?.();
      for (const timer of [...timers]) {
        if (timer.dueMs > nowMs || !timers.delete(timer)) continue;
        timer.call();
      }
    }
  };
  const jump = (ms: number) => {
    nowMs += ms;
  };
  return { feed: new SoundFeed({ clock, startRecorder }), recorders, advance, jump, now: () => nowMs };
}

function openPipe() {
  const written: Buffer[] = [];
  const pipe = new Writable({
    write(bytes: Buffer, _, done) {
      written.push(bytes);
      done();
    },
  });
  const read = () => {
    const bytes = Buffer.concat(written.splice(0));
    return new Int16Array(new Uint8Array(bytes).buffer).filter((_, i) => i % 2 === 0);
  };
  return { pipe, read };
}

test("sound is where it was heard to two milliseconds, with silence before and after", () => {
  const { feed, recorders, advance, now } = openFeed();
  feed.want({ sound: ["stream:3"], microphone: [] });
  const session = feed.open();
  const { pipe, read } = openPipe();
  session.connect([pipe]);
  advance(500, () => recorders[0]?.hear(480, 0));
  const fromMs = now();
  advance(200, () => recorders[0]?.hear(480, 900));
  advance(500);
  const sound = read();
  const startMs = Number(session.startSeconds) * 1_000;
  const [first, last] = [sound.indexOf(900), sound.lastIndexOf(900)];
  assert.ok(Math.abs(startMs + first / 48 - fromMs) < 2, `${startMs + first / 48 - fromMs} ms`);
  assert.ok(Math.abs((last - first) / 48 - 200) < 2, `${(last - first) / 48} ms long`);
  assert.ok(startMs + sound.length / 48 > now() - 150, "the silence goes on");
  session.close();
});

test("streams that come, go and end change nothing but the sound", () => {
  const { feed, recorders, advance } = openFeed();
  const session = feed.open();
  const { pipe, read } = openPipe();
  session.connect([pipe]);
  advance(300);
  feed.want({ sound: ["stream:1", "stream:2"], microphone: [] });
  advance(300, () => {
    recorders[0]?.hear(480, 100);
    recorders[1]?.hear(480, 20);
  });
  recorders[0]?.end();
  advance(600, () => recorders[1]?.hear(480, 20));
  assert.deepEqual(
    recorders.map(({ stream }) => stream),
    ["stream:1", "stream:2", "stream:1"],
    "it is recorded again",
  );
  feed.want({ sound: ["stream:2"], microphone: [] });
  assert.deepEqual(
    recorders.map(({ isKilled }) => isKilled),
    [false, false, true],
  );
  const heard = new Set(read());
  assert.ok(heard.has(0) && heard.has(120) && heard.has(20), [...heard].join());
  session.close();
  assert.ok(recorders[1]?.isKilled, "nothing is recorded without an ffmpeg");
});

test("the microphone never comes through the pipe of the sound", () => {
  const { feed, recorders, advance } = openFeed();
  feed.want({ sound: ["stream:1"], microphone: ["device:headset"] });
  const session = feed.open();
  const [sound, voice] = [openPipe(), openPipe()];
  session.connect([sound.pipe, voice.pipe]);
  advance(500, () => {
    for (const recorder of recorders) recorder.hear(480, recorder.stream === "stream:1" ? 1 : 2);
  });
  assert.deepEqual(
    [new Set(sound.read()), new Set(voice.read())].map((set) => [...set].toSorted()),
    [
      [0, 1],
      [0, 2],
    ],
  );
  session.close();
});

test("a second ffmpeg gets the same sound at the same time", () => {
  const { feed, recorders, advance } = openFeed();
  feed.want({ sound: ["stream:1"], microphone: [] });
  const [one, two] = [openPipe(), openPipe()];
  const first = feed.open();
  first.connect([one.pipe]);
  advance(305, () => recorders[0]?.hear(480, 0));
  const second = feed.open();
  advance(50, () => recorders[0]?.hear(480, 0));
  second.connect([two.pipe]);
  advance(100, () => recorders[0]?.hear(480, 5));
  advance(300);
  const heardAt = (session: { startSeconds: string }, sound: Int16Array) =>
    Number(session.startSeconds) * 1_000 + sound.indexOf(5) / 48;
  assert.ok(Math.abs(heardAt(first, one.read()) - heardAt(second, two.read())) < 0.1);
  assert.equal(recorders.length, 1);
  first.close();
  assert.equal(recorders[0]?.isKilled, false);
  second.close();
});

test("after a pause of the thread its data are in place, and after a jump of the clock the sound begins anew", () => {
  const { feed, recorders, advance, jump } = openFeed();
  feed.want({ sound: ["stream:1"], microphone: [] });
  const { pipe, read } = openPipe();
  const session = feed.open();
  session.connect([pipe]);
  advance(500, () => recorders[0]?.hear(480, 7));
  jump(2_000);
  advance(10);
  recorders[0]?.hear(96_000, 7);
  advance(300, () => recorders[0]?.hear(480, 7));
  const sound = read();
  const silent = sound.subarray(sound.indexOf(7), sound.lastIndexOf(7)).filter((sample) => sample === 0).length;
  assert.ok(silent < 1_500, `${silent / 48} ms are missing`);
  jump(3_600_000);
  advance(100);
  assert.ok(pipe.destroyed);
  assert.equal(recorders.length, 2);
  session.close();
});
