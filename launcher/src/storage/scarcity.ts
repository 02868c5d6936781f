// Whether the disk is full, and the reserve that is given up then for what frees space.
import type { DataDir } from "./data-dir.ts";
import { failureOf } from "./failure.ts";
import type { Failing } from "./messages.ts";
import { giveUpReserve, takeReserve } from "./room.ts";

export type Scarcity = {
  /** Set while the disk is full and the reserve given up. */
  current(): Failing | undefined;
  /** Tries it, and again at the price of the reserve where the disk is full. */
  anyhow<T>(open: () => Promise<T>): Promise<T>;
  /** What is told of an error. Once the disk is full the reserve goes. */
  failingFor(error: unknown): Failing;
  /** Has the reserve, or knows that there is no room for it. */
  keepReserve(): void;
};

export function createScarcity(dir: DataDir): Scarcity {
  let scarce: Failing | undefined;
  return {
    current: () => scarce,
    async anyhow(open) {
      try {
        return await open();
      } catch (error) {
        const { reason, isFull } = failureOf(error, dir.path);
        if (!isFull || !giveUpReserve(dir)) throw error;
        scarce ??= { reason, isScarce: true };
        return open();
      }
    },
    failingFor(error) {
      const { reason, isFull } = failureOf(error, dir.path);
      if (!isFull) return { reason, isScarce: false };
      if (giveUpReserve(dir)) scarce ??= { reason, isScarce: true };
      return scarce ?? { reason, isScarce: false };
    },
    keepReserve() {
      try {
        takeReserve(dir);
        scarce = undefined;
      } catch (error) {
        const { reason, isFull } = failureOf(error, dir.path);
        // Without a reserve Kit does all it does, as long as there is room.
        if (!isFull) return;
        giveUpReserve(dir);
        scarce ??= { reason, isScarce: true };
      }
    },
  };
}
