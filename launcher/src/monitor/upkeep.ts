// Once a minute: counts are rolled up, kept reports and issues held within their bounds, the bin emptied of what is old.
import type { Statement } from "../storage/sql.ts";
import { emptyBin, makeRoom, type Room, roomOf } from "./upkeep-room.ts";
import { shrinkSamples } from "./upkeep-samples.ts";
import { hoursToDays, minutesToHours, rolled, type Span, type UpkeepStore, woken } from "./upkeep-store.ts";
import { createWork } from "./upkeep-work.ts";

const everyMs = 60_000;
const sampleBytesMax = 64 * 1024 * 1024;
/** So many bytes of new reports, and the next look does not wait for its minute. */
const lookAfterBytes = 4 * 1024 * 1024;
const anHourMs = 3_600_000;
const aDayMs = 86_400_000;
/** A list shows hours of many issues at once: few minutes to add up for each. */
const minutesForMs = 3 * anHourMs;
const hoursForMs = 30 * aDayMs;
const binForMs = 30 * aDayMs;
/** Writes of counts in one look; what is left is done in the next one. */
const rollsMax = 400;

export type UpkeepNeeds = {
  readonly store: UpkeepStore;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  readonly onFailure: (what: string, error: unknown) => void;
  /** Issues went; see WorkNeeds. */
  readonly onRemoved: () => void;
  readonly sampleBytesMax?: number;
  readonly room?: Room;
};

export type Upkeep = {
  /** Does what is due. */
  look(): Promise<void>;
  /** So many bytes of reports were kept. */
  stored(bytes: number): void;
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
};

export function startUpkeep({ store, write, now, onFailure, onRemoved, ...limits }: UpkeepNeeds): Upkeep {
  let sinceLook = 0;
  /** What was left of kept reports when no more of them could go. */
  let leastBytes = 0;
  let looking: Promise<void> | undefined;
  const work = createWork({ write, now, onRemoved });

  const roll = async (span: Span, beforeMs: number) => {
    for (let rolls = 0; rolls < rollsMax && work.goesOn() && (await store.isDue(span, beforeMs)); rolls += 1)
      await work.write(...rolled(span, beforeMs));
  };
  const shrink = async () => {
    const bytesMax = limits.sampleBytesMax ?? sampleBytesMax;
    if ((await store.samples.bytes()) <= Math.max(bytesMax, leastBytes)) return;
    const left = await shrinkSamples(store.samples, work, bytesMax);
    leastBytes = left > bytesMax ? left + lookAfterBytes : 0;
  };
  const lookOnce = async () => {
    sinceLook = 0;
    try {
      await shrink();
      const atMs = now();
      await roll(minutesToHours, atMs - minutesForMs);
      await roll(hoursToDays, atMs - hoursForMs);
      await emptyBin(store.room, work, atMs - binForMs);
      while (work.goesOn() && (await store.isWaking(atMs))) await work.write(woken(atMs));
      await makeRoom(store.room, work, limits.room ?? roomOf);
    } catch (error) {
      onFailure("issues", error);
    }
  };
  const look = (): Promise<void> => {
    looking ??= lookOnce().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const timer = setInterval(look, everyMs).unref();
  return {
    look,
    stored(bytes) {
      sinceLook += bytes;
      if (sinceLook > lookAfterBytes) void look();
    },
    async stop() {
      clearInterval(timer);
      work.end();
      await looking;
    },
  };
}
