// Mixes the sound of several streams on one timeline, and places each stream there by the arrival of its data. Reads no clock.

/** The format of all sound here: two channels of 16 bits. */
export const sampleRate = 48_000;
const channels = 2;
export const frameBytes = 2 * channels;

/** A frame is a sample of each channel. It is numbered from the epoch. */
export const frameAt = (epochMs: number): number => Math.round((epochMs * sampleRate) / 1_000);
const framesIn = (ms: number) => (ms * sampleRate) / 1_000;

/** Maximum sound that is buffered ahead of the last frame taken. */
const ringFrames = 4 * sampleRate;

export class SoundMixer {
  readonly #ring = new Int16Array(ringFrames * channels);
  /** The first frame that was not taken yet. */
  #fromFrame: number;

  constructor(fromFrame: number) {
    this.#fromFrame = fromFrame;
  }

  /** Adds sound that begins at this frame. Returns how many of its frames came too late, and are lost. */
  add(atFrame: number, sound: Int16Array): number {
    const frames = sound.length / channels;
    const late = Math.min(frames, Math.max(0, this.#fromFrame - atFrame));
    const end = Math.min(frames, this.#fromFrame + ringFrames - atFrame);
    for (let frame = late; frame < end; frame += 1) {
      const to = ((atFrame + frame) % ringFrames) * channels;
      for (let channel = 0; channel < channels; channel += 1) {
        const sum = (this.#ring[to + channel] ?? 0) + (sound[frame * channels + channel] ?? 0);
        this.#ring[to + channel] = Math.max(-32_768, Math.min(32_767, sum));
      }
    }
    return late;
  }

  /** Takes all sound before this frame, with silence where there is none. */
  take(toFrame: number): Buffer {
    const frames = Math.max(0, toFrame - this.#fromFrame);
    const taken = Buffer.alloc(frames * frameBytes);
    const held = Math.min(frames, ringFrames);
    for (let frame = 0; frame < held; ) {
      const from = (this.#fromFrame + frame) % ringFrames;
      const count = Math.min(held - frame, ringFrames - from);
      const part = this.#ring.subarray(from * channels, (from + count) * channels);
      Buffer.from(part.buffer, part.byteOffset, part.byteLength).copy(taken, frame * frameBytes);
      part.fill(0);
      frame += count;
    }
    this.#fromFrame += frames;
    return taken;
  }
}

/** A stream that resumes after a longer pause is placed anew. */
const pauseMs = 150;
/** Data of a stream that was only delayed arrive together; those of a stream that paused do not. */
const freshMs = 100;
/** How long arrivals are watched before a stream is moved. At first less, because its first data often arrive late. */
const watchMs = { first: 300, later: 2_000 };
/** A smaller error is corrected a frame at a time, which nobody hears. */
const jumpMs = { late: 40, early: -20 };
const rightWithinMs = 2;

/**
 * Places the data of one stream. Data can arrive late but never early, so the earliest arrivals show the stream's real time. Its
 * clock may differ from the computer's.
 */
export class StreamPlacer {
  #nextFrame: number | undefined;
  #lastFrame = 0;
  #watchUntilFrame = 0;
  #leastLateFrames = Number.POSITIVE_INFINITY;
  #correction = 0;

  /** Returns the frame at which these data begin, and the data, which may be a frame shorter or longer. */
  place(sound: Int16Array, nowFrame: number): { readonly atFrame: number; readonly sound: Int16Array } {
    const frames = sound.length / channels;
    const hasPaused = nowFrame - this.#lastFrame > framesIn(pauseMs) && frames < framesIn(freshMs);
    this.#lastFrame = nowFrame;
    if (this.#nextFrame === undefined || hasPaused) this.#begin(nowFrame - frames, nowFrame);
    this.#watch(nowFrame - frames, nowFrame);
    const corrected = this.#correct(sound);
    const atFrame = this.#nextFrame ?? nowFrame;
    this.#nextFrame = atFrame + corrected.length / channels;
    return { atFrame, sound: corrected };
  }

  #begin(atFrame: number, nowFrame: number): void {
    this.#nextFrame = atFrame;
    this.#correction = 0;
    this.#leastLateFrames = Number.POSITIVE_INFINITY;
    this.#watchUntilFrame = nowFrame + framesIn(watchMs.first);
  }

  #watch(earliestFrame: number, nowFrame: number): void {
    this.#leastLateFrames = Math.min(this.#leastLateFrames, earliestFrame - (this.#nextFrame ?? earliestFrame));
    if (nowFrame < this.#watchUntilFrame) return;
    const late = this.#leastLateFrames;
    this.#leastLateFrames = Number.POSITIVE_INFINITY;
    this.#watchUntilFrame = nowFrame + framesIn(watchMs.later);
    const isFar = late > framesIn(jumpMs.late) || late < framesIn(jumpMs.early);
    if (isFar) this.#nextFrame = (this.#nextFrame ?? earliestFrame) + late;
    this.#correction = isFar || Math.abs(late) <= framesIn(rightWithinMs) ? 0 : late;
  }

  /** Repeats or drops the last frame of the data, until the stream is where it should be. */
  #correct(sound: Int16Array): Int16Array {
    if (this.#correction === 0 || sound.length < 2 * channels) return sound;
    const step = Math.sign(this.#correction);
    this.#correction -= step;
    if (step < 0) return sound.subarray(0, -channels);
    const longer = new Int16Array(sound.length + channels);
    longer.set(sound);
    longer.set(sound.subarray(-channels), sound.length);
    return longer;
  }
}
