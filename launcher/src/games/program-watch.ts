// Watches the programs of games: learns them from senders, stores them, and reports to recording which games run.
import { log } from "../log.ts";
import type { Storage } from "../storage/storage.ts";
import type { ProcessTable } from "./process-lookup/processes.ts";
import { loadPrograms } from "./program-store.ts";
import { createProgramWatcher } from "./programs.ts";
import type { SenderRegistry } from "./senders.ts";

export type ProgramWatchDeps = {
  readonly processes: ProcessTable | undefined;
  readonly senders: SenderRegistry;
  readonly storage: Storage;
  readonly now: () => number;
  /** Called while the program of a game runs, and with each event of the game. */
  readonly gameSeen: (game: string) => void;
  readonly gameEnded: (game: string) => void;
};

export function watchPrograms({ processes, senders, storage, now, gameSeen, gameEnded }: ProgramWatchDeps) {
  const programs = createProgramWatcher({
    processes,
    load: () => loadPrograms(storage),
    write: storage.write,
    now,
    onRunning: gameSeen,
    onEnded: gameEnded,
    onFailure: (error) => log.operationFailed("program", error),
  });
  const noteGameEvent = (game: string, sender: number | null) => {
    gameSeen(game);
    const program = senders.processOf(sender);
    if (program !== undefined) programs.noteSender(game, program);
  };
  return { ...programs, noteGameEvent };
}
