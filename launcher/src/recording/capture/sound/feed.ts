// Records the streams that are wanted, each with a program of the sound server, and feeds their mix to every running ffmpeg. A
// stream or server that is gone leaves silence.

import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";
import type { Clock } from "../thread/timeouts.ts";
import { frameAt, frameBytes, SoundMixer, StreamPlacer, sampleRate } from "./mixer.ts";
import { recordStreamCommand, type SoundStream, type SoundTracks, trackNames } from "./tracks.ts";

const tickMs = 30;
/** How long the mix waits for data. It waits longer after data came too late, so that a busy machine loses little. */
const delayMs = { first: 90, most: 400, spare: 20 };
const stallMs = 200;
/** After a longer pause of this thread, or after a clock change, the mix restarts. */
const stallMsMax = 10_000;
const clockBackMsMax = 1_000;
/** If more bytes than this are unread, ffmpeg counts as hung. */
const unreadBytesMax = 4_000_000;
/** Pauses before a stream is recorded again: it may have moved to another output. */
const retryMs = { first: 200, most: 5_000 };
const healthyMs = 3_000;
/** Late data within this time do not lengthen the delay, because a stream's first data may be older than the mix. */
const firstDataMs = 400;

export type FeedSession = {
  /** Epoch time of the first sample, in seconds, as ffmpeg takes it. */
  readonly startSeconds: string;
  /** Begins to write. The first pipe gets the first track. */
  connect(pipes: readonly Writable[]): void;
  /** Must be called when ffmpeg has ended. */
  close(): void;
};

type Session = { pipes: readonly Writable[]; waiting: Buffer[][] };

export type SoundFeedDeps = {
  readonly clock: Clock;
  /** For tests. */
  readonly startRecorder?: (stream: SoundStream) => ChildProcess;
};

export class SoundFeed {
  readonly #deps: SoundFeedDeps;
  readonly #sessions = new Set<Session>();
  #tracks: Track[] = [];
  #wanted: SoundTracks = { sound: [], microphone: [] };
  #takenFrame = 0;
  #delayMs: number = delayMs.first;
  #hasStalled = false;
  #cancelTick: () => void = () => undefined;

  constructor(deps: SoundFeedDeps) {
    this.#deps = deps;
  }

  want(wanted: SoundTracks): void {
    this.#wanted = wanted;
    for (const [i, track] of this.#tracks.entries()) track.want(this.#streamsOf(i));
  }

  /** Begins to record, unless another session does already. */
  open(): FeedSession {
    const session: Session = { pipes: [], waiting: [] };
    if (this.#sessions.size === 0) this.#begin();
    this.#sessions.add(session);
    return {
      startSeconds: (this.#takenFrame / sampleRate).toFixed(6),
      connect(pipes) {
        // An ffmpeg that ends breaks its pipes. Its exit is handled elsewhere.
        for (const pipe of pipes) pipe.on("error", () => undefined);
        session.pipes = pipes;
        for (const blocks of session.waiting.splice(0)) write(session, blocks);
      },
      close: () => {
        if (!this.#sessions.delete(session)) return;
        for (const pipe of session.pipes) pipe.destroy();
        if (this.#sessions.size === 0) this.#end();
      },
    };
  }

  #streamsOf(track: number): readonly SoundStream[] {
    return this.#wanted[trackNames[track] ?? "sound"];
  }

  #begin(): void {
    const { clock, startRecorder = startRecording } = this.#deps;
    this.#delayMs = delayMs.first;
    this.#takenFrame = frameAt(clock.wallMs() - this.#delayMs);
    const onLate = (ms: number) => {
      this.#delayMs = Math.min(delayMs.most, Math.max(this.#delayMs, this.#delayMs + ms + delayMs.spare));
    };
    this.#tracks = trackNames.map(() => new Track({ clock, startRecorder, onLate, fromFrame: this.#takenFrame }));
    this.want(this.#wanted);
    this.#tick();
  }

  #end(): void {
    this.#cancelTick();
    for (const track of this.#tracks) track.want([]);
    this.#tracks = [];
  }

  #tick(): void {
    this.#cancelTick = this.#deps.clock.after(tickMs, () => this.#tick());
    const toFrame = frameAt(this.#deps.clock.wallMs() - this.#delayMs);
    const aheadMs = ((toFrame - this.#takenFrame) * 1_000) / sampleRate;
    if (aheadMs > stallMsMax || aheadMs < -clockBackMsMax) return this.#restart();
    if (aheadMs <= 0) return;
    // After this thread was suspended, the data that arrived meanwhile are read first.
    this.#hasStalled = aheadMs > stallMs && !this.#hasStalled;
    if (this.#hasStalled) return;
    this.#takenFrame = toFrame;
    const blocks = this.#tracks.map((track) => track.take(toFrame));
    for (const session of this.#sessions) {
      if (session.pipes.length === 0) session.waiting.push(blocks);
      else write(session, blocks);
    }
  }

  /** Ends the sound of the running ffmpegs, whose times are no longer right. The next ones get sound again. */
  #restart(): void {
    for (const { pipes } of this.#sessions) for (const pipe of pipes) pipe.destroy();
    for (const track of this.#tracks) track.want([]);
    this.#cancelTick();
    this.#begin();
  }
}

function write({ pipes }: Session, blocks: readonly Buffer[]): void {
  for (const [i, pipe] of pipes.entries()) {
    const block = blocks[i];
    if (block === undefined || pipe.destroyed) continue;
    if (pipe.writableLength > unreadBytesMax) pipe.destroy();
    else pipe.write(block);
  }
}

type TrackDeps = Required<SoundFeedDeps> & {
  readonly fromFrame: number;
  /** Called with how late data came, in milliseconds. */
  readonly onLate: (ms: number) => void;
};

class Track {
  readonly #deps: TrackDeps;
  readonly #mixer: SoundMixer;
  readonly #recorders = new Map<SoundStream, { stop(): void }>();

  constructor(deps: TrackDeps) {
    this.#deps = deps;
    this.#mixer = new SoundMixer(deps.fromFrame);
  }

  want(streams: readonly SoundStream[]): void {
    for (const [stream, recorder] of this.#recorders) {
      if (streams.includes(stream)) continue;
      recorder.stop();
      this.#recorders.delete(stream);
    }
    for (const stream of streams) {
      if (!this.#recorders.has(stream)) this.#recorders.set(stream, this.#record(stream));
    }
  }

  take(toFrame: number): Buffer {
    return this.#mixer.take(toFrame);
  }

  #record(stream: SoundStream): { stop(): void } {
    const { clock, startRecorder, onLate } = this.#deps;
    let isStopped = false;
    let failures = 0;
    let child: ChildProcess;
    let cancelRetry: () => void = () => undefined;
    const start = () => {
      const startedMs = clock.monoMs();
      const placer = new StreamPlacer();
      let firstDataAtMs: number | undefined;
      let hasEnded = false;
      const onSound = (sound: Int16Array) => {
        if (isStopped) return;
        const placed = placer.place(sound, frameAt(clock.wallMs()));
        const lateFrames = this.#mixer.add(placed.atFrame, placed.sound);
        firstDataAtMs ??= clock.monoMs();
        if (lateFrames > 0 && clock.monoMs() - firstDataAtMs > firstDataMs) onLate((lateFrames * 1_000) / sampleRate);
      };
      const onEnd = () => {
        if (isStopped || hasEnded) return;
        hasEnded = true;
        if (clock.monoMs() - startedMs > healthyMs) failures = 0;
        cancelRetry = clock.after(Math.min(retryMs.most, retryMs.first * 2 ** failures), start);
        failures += 1;
      };
      child = startRecorder(stream);
      child.once("error", onEnd);
      child.once("close", onEnd);
      child.stdout?.on("data", createFrameReader(onSound));
    };
    start();
    return {
      stop() {
        isStopped = true;
        cancelRetry();
        child.kill("SIGKILL");
      },
    };
  }
}

/** Returns a reader of chunks of any size, which passes on whole frames. */
function createFrameReader(onSound: (sound: Int16Array) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % frameBytes);
    rest = bytes.subarray(whole);
    // A copy, because an Int16Array must begin at an even address.
    if (whole > 0) onSound(new Int16Array(new Uint8Array(bytes.subarray(0, whole)).buffer));
  };
}

function startRecording(stream: SoundStream): ChildProcess {
  const { program, args } = recordStreamCommand(stream);
  return spawn(program, args, {
    shell: false,
    windowsHide: true,
    // kit-sound.exe ends when its stdin does, so it ends with the launcher.
    stdio: ["pipe", "pipe", "ignore"],
  });
}
