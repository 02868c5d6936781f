// Cuts clips out of the footage held: waits for the last second, makes the file, and makes sure of it.
import { open, rm, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { ReplayBuffer } from "../../buffer/replay-buffer.ts";
import { assemble } from "../../mp4/assemble.ts";
import { type CutOrder, type Footage, NoFootage } from "../backend.ts";
import type { Clock } from "./live-run.ts";

export type CutterNeeds = {
  readonly select: ReplayBuffer["select"];
  /** Where the newest picture ends; null while there is none. */
  readonly endMs: () => number | null;
  /** Whether more is to come. */
  readonly isCapturing: () => boolean;
  readonly clock: Clock;
  /** Why there is no footage, as things stand; a sentence. */
  readonly whyNone: () => string;
};

export type Cutter = {
  /** See Backend.cut. */
  cut(order: CutOrder): Promise<Footage>;
  /** Footage arrived. */
  advanced(): void;
  /** No more will come: those who wait take what there is. */
  finished(): void;
  /** How many wait or are written. */
  busy(): number;
};

/** How much longer than its window a cut waits for footage that is late. */
const patienceMs = 3_000;
/** What must stay free beside the clip: other programs of the person write too. */
const spareBytes = 16 * 1024 * 1024;
const pieceBytes = 1024 * 1024;

export function createCutter({ select, endMs, isCapturing, clock, whyNone }: CutterNeeds): Cutter {
  const waiting = new Set<{ toMs: number; goOn: () => void }>();
  let busy = 0;

  const footageUntil = (toMs: number) =>
    new Promise<void>((resolve) => {
      const goOn = () => {
        cancel();
        waiting.delete(entry);
        resolve();
      };
      const entry = { toMs, goOn };
      const cancel = clock.after(Math.max(0, toMs - clock.wallMs()) + patienceMs, goOn);
      waiting.add(entry);
      if (!isCapturing() || (endMs() ?? 0) >= toMs) goOn();
    });

  return {
    async cut(order) {
      busy += 1;
      try {
        await footageUntil(order.toMs);
        const fragments = select(order.fromMs, order.toMs);
        if (fragments.length === 0) throw new NoFootage(whyNone());
        const { parts, footage } = assemble(fragments, order);
        await writeWhole(order.file, parts);
        return footage;
      } finally {
        busy -= 1;
      }
    },
    advanced() {
      const reachedMs = endMs() ?? 0;
      for (const { toMs, goOn } of waiting) if (reachedMs >= toMs) goOn();
    },
    finished() {
      for (const { goOn } of waiting) goOn();
    },
    busy: () => busy,
  };
}

/** The whole file on stable storage, or none of it; refused where less than `spare` would stay free. Throws what the file system throws. */
export async function writeWhole(path: string, parts: readonly Uint8Array[], spare = spareBytes): Promise<void> {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  await makeSureOfRoom(dirname(path), bytes, spare);
  try {
    await using handle = await open(path, "w", 0o600);
    // Not writev: on a full disk it writes a part and says nothing.
    await handle.writeFile(piecesOf(parts));
    const { size } = await handle.stat();
    if (size !== bytes) throw new Error(`${size} of ${bytes} bytes were written`);
    await handle.sync();
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Throws ENOSPC with a sentence. */
export async function makeSureOfRoom(folder: string, bytes: number, spare = spareBytes): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= bytes + spare) return;
  const megabytes = (count: number) => Math.ceil(count / 1_000_000);
  const said = `The disk is full: the clip needs ${megabytes(bytes)} MB, and ${megabytes(spare)} MB are to stay free`;
  throw Object.assign(new Error(said), { code: "ENOSPC" });
}

/** Thousands of small parts become few large writes, in one reused piece of memory: each is written before the next is asked for. */
function* piecesOf(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  const piece = Buffer.allocUnsafe(pieceBytes);
  let filled = 0;
  for (const part of parts) {
    for (let at = 0; at < part.length; ) {
      const count = Math.min(pieceBytes - filled, part.length - at);
      piece.set(part.subarray(at, at + count), filled);
      filled += count;
      at += count;
      if (filled === pieceBytes) {
        yield piece;
        filled = 0;
      }
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}
