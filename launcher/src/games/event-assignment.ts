// Composes the objects that assign events to games: a trigger by its id, and a report, which has no id, by its sender.
import { log } from "../log.ts";
import type { Statement } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import { createGameResolver } from "./game-resolver.ts";
import type { GameRegistry } from "./games.ts";
import { createLateSenders } from "./late-senders.ts";
import { PeerLookup } from "./process-lookup/peer-lookup.ts";
import { createProcessTable } from "./process-lookup/processes.ts";
import { createSocketFinder } from "./process-lookup/sockets.ts";
import { SenderRegistry } from "./senders.ts";
import { createProcessLife } from "./sessions/process-life.ts";

export type EventAssignmentDeps = {
  /** If false, Kit does not look up which program sends events. */
  readonly findSenders: boolean;
  readonly storage: Storage;
  readonly games: GameRegistry;
  readonly now: () => number;
  /** Returns the statement that sets the sender of a stored event. */
  readonly senderFound: (id: string, sender: number) => Statement;
  /** Called when events may belong to other games. */
  readonly onChanged: () => void;
};

export type EventAssignment = ReturnType<typeof createEventAssignment>;

export function createEventAssignment({
  findSenders,
  storage,
  games,
  now,
  senderFound,
  onChanged,
}: EventAssignmentDeps) {
  const processes = findSenders ? createProcessTable() : undefined;
  const onFailure = (error: unknown) => log.operationFailed("sender", error);
  const connections = new PeerLookup({
    processes,
    findSockets: createSocketFinder(),
    now: () => performance.now(),
    onFailure,
  });
  const life = createProcessLife(now);
  const senders = new SenderRegistry({ games, storage, now, kitRunId: life.kitRunId, onGameChanged: onChanged });
  const late = createLateSenders({ senders, storage, senderFound, onAssigned: onChanged, onFailure });
  return { ...createGameResolver({ games, senders, connections }), ...late, senders, processes, life };
}
