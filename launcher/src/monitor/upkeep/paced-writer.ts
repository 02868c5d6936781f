// Writes in small steps with pauses between, so that new events never wait long for upkeep.
import { setTimeout as pause } from "node:timers/promises";
import type { Statement } from "../../storage/sql.ts";

const pauseMs = 10;

export type PacedWriterDeps = {
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  /** Called before and after issues are deleted, so that no cache keeps a deleted issue. */
  readonly onRemoved: () => void;
};

export type PacedWriter = {
  readonly now: () => number;
  /** Writes, then pauses briefly so that other writes can run. */
  write(...statements: Statement[]): Promise<void>;
  /** Like `write`, for statements that delete issues. */
  writeRemoval(...statements: Statement[]): Promise<void>;
  pause(): Promise<void>;
  /** False after `end`: the caller stops early, and a later run does the rest. */
  isActive(): boolean;
};

export function createPacedWriter({ write, now, onRemoved }: PacedWriterDeps): PacedWriter & { end(): void } {
  let ended = false;
  const pauseBriefly = async () => {
    await pause(pauseMs);
  };
  const writeAndPause = async (...statements: Statement[]) => {
    await write(...statements);
    await pauseBriefly();
  };
  return {
    now,
    write: writeAndPause,
    async writeRemoval(...statements) {
      onRemoved();
      await writeAndPause(...statements);
      onRemoved();
    },
    pause: pauseBriefly,
    isActive: () => !ended,
    end() {
      ended = true;
    },
  };
}
