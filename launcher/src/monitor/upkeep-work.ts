// How upkeep works: in small writes with pauses between, so that what comes in never waits long for it.
import { setTimeout as pause } from "node:timers/promises";
import type { Statement } from "../storage/sql.ts";

const paceMs = 10;

export type WorkNeeds = {
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  /** Issues are removed: whoever remembers them has to look again. Called before and after. */
  readonly onRemoved: () => void;
};

export type Work = {
  readonly now: () => number;
  /** Writes, and leaves the next ones to others for a moment. */
  write(...statements: Statement[]): Promise<void>;
  /** The same, where issues go. */
  remove(...statements: Statement[]): Promise<void>;
  pause(): Promise<void>;
  /** False once it has to end: the rest is done another time. */
  goesOn(): boolean;
};

export function createWork({ write, now, onRemoved }: WorkNeeds): Work & { end(): void } {
  let ended = false;
  const rest = async () => {
    await pause(paceMs);
  };
  const writeAndRest = async (...statements: Statement[]) => {
    await write(...statements);
    await rest();
  };
  return {
    now,
    write: writeAndRest,
    async remove(...statements) {
      onRemoved();
      await writeAndRest(...statements);
      onRemoved();
    },
    pause: rest,
    goesOn: () => !ended,
    end() {
      ended = true;
    },
  };
}
