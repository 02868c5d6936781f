// Triggers are filed by their ids; reports have none, and are filed by who sent them. Puts together what that takes.
import { log } from "../log.ts";
import type { Statement } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import { createGameResolver } from "./game-resolver.ts";
import type { Games } from "./games.ts";
import { createLateSenders } from "./late-senders.ts";
import { createConnections } from "./process-lookup/connections.ts";
import { createProcesses } from "./process-lookup/processes.ts";
import { createFindSockets } from "./process-lookup/sockets.ts";
import { loadSenders } from "./sender-store.ts";
import { createSenders } from "./senders.ts";
import { createProcessLife } from "./sessions/process-life.ts";

export type FileBySenderNeeds = {
  /** False: nobody looks which program sends. */
  readonly findSenders: boolean;
  readonly storage: Storage;
  readonly games: Games;
  readonly now: () => number;
  /** Writes down who sent an event that is stored already. */
  readonly senderFound: (id: string, sender: number) => Statement;
  /** Events are filed under other games now. */
  readonly onChanged: () => void;
};

export function fileBySender({ findSenders, storage, games, now, senderFound, onChanged }: FileBySenderNeeds) {
  const processes = findSenders ? createProcesses() : undefined;
  const onFailure = (error: unknown) => log.notKept("sender", error);
  const connections = createConnections({
    processes,
    findSockets: createFindSockets(),
    now: () => performance.now(),
    onFailure,
  });
  const life = createProcessLife(now);
  const load = (max: number) => loadSenders(storage, max);
  const senders = createSenders({ ...games, load, now, runOf: life.runOf, onLearnt: onChanged });
  const late = createLateSenders({ ...senders, ...storage, senderFound, onFiled: onChanged, onFailure });
  return { ...createGameResolver({ games, senders, connections }), ...late, senders, processes, life };
}
