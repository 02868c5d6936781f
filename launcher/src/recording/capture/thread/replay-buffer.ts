// The replay buffer: the last seconds of encoded footage in memory, as whole groups of pictures, limited in seconds and bytes. Cuts
// clips out of it, once footage up to the end of the range has arrived.

import { message } from "@kit/contract/messages";
import { assembleMovie, writeClipFile } from "../../mp4/assemble.ts";
import type { Fragment } from "../../mp4/fragment.ts";
import { type ClipPlan, type Footage, NoFootage } from "../../plans/plan.ts";
import type { BufferLimits } from "./thread-client.ts";
import type { Clock } from "./timeouts.ts";

/** A group of pictures. It begins with a keyframe, so it can be decoded without other groups. */
type Group = { readonly fragments: Fragment[]; startMs: number; endMs: number; bytes: number; arrivedMs: number };

/** The encoder may write sound up to this much before or after its pictures, even into the adjacent group. */
const soundOffsetMs = 500;

export class ReplayBuffer {
  #limits: BufferLimits;
  readonly #monoMs: () => number;
  #groups: Group[] = [];
  #bytes = 0;
  #endMs: number | null = null;
  #subject = 0;
  readonly #holds = new Map<string, number>();

  /** `monoMs` is a monotonic clock: with the wall clock, setting the clock could empty the buffer. */
  constructor(limits: BufferLimits, monoMs: () => number) {
    this.#limits = limits;
    this.#monoMs = monoMs;
  }

  add(fragment: Fragment): void {
    const group = this.#groupFor(fragment);
    if (group !== undefined) {
      group.fragments.push({ ...fragment, subject: this.#subject });
      group.startMs = Math.min(group.startMs, fragment.startMs);
      group.endMs = Math.max(group.endMs, fragment.endMs);
      group.bytes += fragment.bytes;
      group.arrivedMs = this.#monoMs();
      this.#bytes += fragment.bytes;
    }
    if (fragment.video.length > 0) this.#endMs = fragment.endMs;
    this.#evict();
  }

  /** Keeps footage since `fromMs` (epoch) beyond `secondsMax`, but never beyond `bytesMax`. */
  hold(id: string, fromMs: number): void {
    this.#holds.set(id, fromMs);
  }

  release(id: string): void {
    this.#holds.delete(id);
    this.#evict();
  }

  /** Drops all footage that is not held. What is held is never in one file with what comes. */
  forget(): void {
    this.#subject += 1;
    this.#groups = this.#groups.filter((group) => this.#isHeld(group));
    this.#bytes = this.#groups.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  hasHolds(): boolean {
    return this.#holds.size > 0;
  }

  /** Changes the limits and drops footage that exceeds the new ones. */
  resize(limits: BufferLimits): void {
    this.#limits = limits;
    this.#evict();
  }

  /** Returns the fragments of all groups that overlap the range, in order of arrival. They may come from several runs. */
  select(fromMs: number, toMs: number): readonly Fragment[] {
    return this.#groups
      .filter(({ startMs, endMs }) => endMs > fromMs - soundOffsetMs && startMs < toMs + soundOffsetMs)
      .flatMap(({ fragments }) => fragments);
  }

  /** Returns where the newest picture ends (epoch), or null before the first. */
  endMs(): number | null {
    return this.#endMs;
  }

  amount(): { readonly seconds: number; readonly bytes: number } {
    const seconds = this.#groups.reduce((sum, { startMs, endMs }) => sum + (endMs - startMs) / 1000, 0);
    return { seconds, bytes: this.#bytes };
  }

  /** Returns undefined if the keyframe of the fragment's group is missing: the fragment cannot be decoded without it. */
  #groupFor(fragment: Fragment): Group | undefined {
    const last = this.#groups.at(-1);
    if (!fragment.startsWithKeyframe) return last?.fragments[0]?.init === fragment.init ? last : undefined;
    const group = { fragments: [], startMs: fragment.startMs, endMs: fragment.endMs, bytes: 0, arrivedMs: 0 };
    this.#groups.push(group);
    return group;
  }

  /** Drops groups that are too old and not held. Then drops the oldest until the rest fits into `bytesMax`, held groups last. */
  #evict(): void {
    const oldestMs = this.#monoMs() - this.#limits.secondsMax * 1000;
    const isKept = (group: Group) => group.arrivedMs >= oldestMs || this.#isHeld(group);
    if (!this.#groups.every(isKept)) {
      this.#groups = this.#groups.filter(isKept);
      this.#bytes = this.#groups.reduce((sum, { bytes }) => sum + bytes, 0);
    }
    while (this.#bytes > this.#limits.bytesMax) {
      const unheld = this.#groups.findIndex((group) => !this.#isHeld(group));
      const [dropped] = this.#groups.splice(Math.max(0, unheld), 1);
      if (dropped === undefined) return;
      this.#bytes -= dropped.bytes;
    }
  }

  #isHeld({ endMs }: Group): boolean {
    for (const fromMs of this.#holds.values()) if (endMs > fromMs) return true;
    return false;
  }
}

type FootageCutterDeps = {
  readonly buffer: Pick<ReplayBuffer, "select" | "endMs">;
  /** Returns true if more footage may arrive. */
  readonly isCapturing: () => boolean;
  readonly clock: Clock;
};

/** How long after the end of its range a cut waits for late footage. */
const lateFootageMs = 3_000;

export class FootageCutter {
  readonly #deps: FootageCutterDeps;
  readonly #waiting = new Set<{ readonly toMs: number; readonly resume: () => void }>();
  cutsInProgress = 0;

  constructor(deps: FootageCutterDeps) {
    this.#deps = deps;
  }

  /** Keeps the promises of CaptureBackend.cut. */
  async cut(plan: ClipPlan, file: string): Promise<Footage> {
    this.cutsInProgress += 1;
    try {
      await this.#waitForFootage(plan.toMs);
      const fragments = this.#deps.buffer.select(plan.fromMs, plan.toMs);
      if (fragments.length === 0) throw new NoFootage(message("footage.none_of_time"));
      const { parts, footage } = assembleMovie(fragments, plan);
      await writeClipFile(file, parts);
      return footage;
    } finally {
      this.cutsInProgress -= 1;
    }
  }

  /** Continues the cuts whose footage has arrived. Call it after new footage was buffered. */
  checkWaiting(): void {
    const endMs = this.#deps.buffer.endMs() ?? 0;
    for (const { toMs, resume } of this.#waiting) if (endMs >= toMs) resume();
  }

  /** Continues all waiting cuts with the footage there is, because no more will arrive. */
  stopWaiting(): void {
    for (const { resume } of this.#waiting) resume();
  }

  #waitForFootage(toMs: number): Promise<void> {
    const { buffer, isCapturing, clock } = this.#deps;
    if (!isCapturing() || (buffer.endMs() ?? 0) >= toMs) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const entry = { toMs, resume: resolve };
    this.#waiting.add(entry);
    const cancel = clock.after(Math.max(0, toMs - clock.wallMs()) + lateFootageMs, resolve);
    return promise.finally(() => {
      cancel();
      this.#waiting.delete(entry);
    });
  }
}
