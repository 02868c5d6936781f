// Which programs of games run: learnt from who sends, remembered, and told to whoever records.
import { log } from "../log.ts";
import type { Storage } from "../storage/storage.ts";
import type { Processes } from "./process-lookup/processes.ts";
import { loadPrograms } from "./program-store.ts";
import { createPrograms } from "./programs.ts";
import type { Senders } from "./senders.ts";

export type ProgramWatchNeeds = {
  readonly processes: Processes | undefined;
  readonly senders: Senders;
  readonly storage: Storage;
  readonly now: () => number;
  /** The program of a game runs, or an event of it came. */
  readonly gameSeen: (game: string) => void;
  readonly gameEnded: (game: string) => void;
};

export function watchPrograms({ processes, senders, storage, now, gameSeen, gameEnded }: ProgramWatchNeeds) {
  const programs = createPrograms({
    processes,
    load: () => loadPrograms(storage),
    write: storage.write,
    now,
    onRunning: gameSeen,
    onEnded: gameEnded,
    onFailure: (error) => log.notKept("program", error),
  });
  const met = (game: string, sender: number | null) => {
    gameSeen(game);
    const program = senders.peerOf(sender);
    if (program !== undefined) programs.sent(game, program);
  };
  return { ...programs, met };
}
