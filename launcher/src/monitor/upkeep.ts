// Once a minute: counts are rolled up, kept reports held within their bytes, the bin emptied of what is old.
import type { Statement } from "../storage/sql.ts";
import {
  binEmptied,
  cut,
  evicted,
  hoursToDays,
  minutesToHours,
  rolled,
  type UpkeepStore,
  woken,
} from "./upkeep-store.ts";

const everyMs = 60_000;
const sampleBytesMax = 64 * 1024 * 1024;
/** Once it is too much, it shrinks to this share, so that it does not have to shrink at every look. */
const shrinkTo = 0.9;
/** So many bytes of new reports, and the next look does not wait for its minute. */
const lookAfterBytes = 4 * 1024 * 1024;
const cutCharsMax = 2_000;
const aDayMs = 86_400_000;
const minutesForMs = aDayMs;
const hoursForMs = 30 * aDayMs;
const binForMs = 30 * aDayMs;

export type UpkeepNeeds = {
  readonly store: UpkeepStore;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  readonly onFailure: (what: string, error: unknown) => void;
  readonly sampleBytesMax?: number;
};

export type Upkeep = {
  /** Does what is due. */
  look(): Promise<void>;
  /** So many bytes of reports were kept. */
  stored(bytes: number): void;
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
};

export function startUpkeep({ store, write, now, onFailure, ...limits }: UpkeepNeeds): Upkeep {
  const bytesMax = limits.sampleBytesMax ?? sampleBytesMax;
  let sinceLook = 0;
  let looking: Promise<void> | undefined;

  const shrink = async () => {
    const over = async () => (await store.sampleBytes()) - bytesMax;
    if ((await over()) <= 0) return;
    const room = bytesMax * (1 - shrinkTo);
    await write(evicted((await over()) + room, now()));
    const still = await over();
    if (still > 0) await write(cut(still + room, cutCharsMax));
  };
  const lookOnce = async () => {
    sinceLook = 0;
    try {
      await shrink();
      const atMs = now();
      await write(
        ...rolled(minutesToHours, atMs - minutesForMs),
        ...rolled(hoursToDays, atMs - hoursForMs),
        binEmptied(atMs - binForMs),
        woken(atMs),
      );
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
      await looking;
    },
  };
}
