// Cuts clips out of the replay buffer: waits until footage up to the end of the range has arrived, then writes the file durably.

import { open, rm, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { MessageError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { assembleMovie } from "../../mp4/assemble.ts";
import { type Footage, NoFootage } from "../../plans/footage.ts";
import type { ClipPlan } from "../../plans/plan.ts";
import type { ReplayBuffer } from "./replay-buffer.ts";
import type { Clock } from "./timeouts.ts";

export type FootageCutterDeps = {
  readonly buffer: Pick<ReplayBuffer, "select" | "endMs">;
  /** Returns true if more footage may arrive. */
  readonly isCapturing: () => boolean;
  readonly clock: Clock;
};

/** How long after the end of its range a cut waits for late footage. */
const lateFootageMs = 3_000;
/** Disk space that stays free for other programs. */
const spareBytes = 16 * 1024 * 1024;
const chunkBytes = 1024 * 1024;

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

/**
 * Writes the whole file durably, or leaves no file. Throws ENOSPC if less than `spare` bytes would stay free, and otherwise
 * what the file system throws.
 */
export async function writeClipFile(path: string, parts: readonly Uint8Array[], spare = spareBytes): Promise<void> {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  await assertDiskSpace(dirname(path), bytes, spare);
  try {
    await using handle = await open(path, "w", 0o600);
    // Does not use writev: on a full disk, writev writes less without an error.
    await handle.writeFile(joinIntoChunks(parts));
    const { size } = await handle.stat();
    if (size !== bytes) throw new MessageError(message("file.partly_written", { written: size, bytes }));
    await handle.sync();
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Throws an error with the code ENOSPC and a message for a person if less than `spare` bytes would stay free. */
export async function assertDiskSpace(folder: string, bytes: number, spare = spareBytes): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= bytes + spare) return;
  const megabytes = (count: number) => Math.ceil(count / 1_000_000);
  const detail = message("disk.is_full", { needed: megabytes(bytes), free: megabytes(spare) });
  throw Object.assign(new MessageError(detail), { code: "ENOSPC" });
}

/** Joins thousands of small parts into few large chunks. All chunks share one buffer: write each before you take the next. */
function* joinIntoChunks(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let filled = 0;
  for (const part of parts) {
    for (let at = 0; at < part.length; ) {
      const count = Math.min(chunkBytes - filled, part.length - at);
      chunk.set(part.subarray(at, at + count), filled);
      filled += count;
      at += count;
      if (filled === chunkBytes) {
        yield chunk;
        filled = 0;
      }
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}
