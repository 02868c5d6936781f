// Which game an event belongs to: a trigger by its id, a report, which has none, by who sent it.
import type { EventKind, IgnoreReason } from "@kit/contract";
import { isOfProgram } from "../http/admission/origin.ts";
import type { Statement } from "../storage/sql.ts";
import type { Games } from "./games.ts";
import type { Connection } from "./process-lookup/connection.ts";
import type { Connections } from "./process-lookup/connections.ts";
import type { Peer } from "./process-lookup/processes.ts";
import type { Senders } from "./senders.ts";

type Verdict = {
  readonly ignored: IgnoreReason | null;
  /** The game it is filed under; null is unsorted. */
  readonly game: string | null;
  readonly writes: readonly Statement[];
  readonly committed: () => void;
};

type Sent = { readonly origin: string | null; readonly client: string | null; readonly socket: Connection };

/** It has to be waited for: once a connection. Null where it is not known. */
type Sought = {
  /** A tenth of a second at most. */
  readonly inTime: Promise<number | null>;
  /** However long it takes. */
  readonly found: Promise<number | null>;
};

export type GameResolver = {
  senderOf(sent: Sent): number | null | Sought;
  judge(kind: EventKind, eventId: string | null, sender: number | null): Verdict;
  gameOf(kind: EventKind, eventId: string | null, sender: number | null): string | null;
  /** What is filed under a game; null: under none, where `senders` are those that are filed under one. */
  filedUnder(game: string | null): { readonly eventIds: readonly string[]; readonly senders: readonly number[] };
};

export type GameResolverNeeds = {
  readonly games: Games;
  readonly senders: Senders;
  readonly connections: Connections;
};

export function createGameResolver({ games, senders, connections }: GameResolverNeeds): GameResolver {
  const gameOf = (kind: EventKind, eventId: string | null, sender: number | null) =>
    eventId === null ? senders.gameOf(sender) : games.gameOf(kind, eventId);
  return {
    senderOf({ origin, client, socket }) {
      // A browser would be taken for the game it shows.
      const known = isOfProgram(origin) ? connections.peerOf(socket) : undefined;
      const idOf = (peer: Peer | undefined) => senders.idOf(peer, origin, client);
      if (known === undefined || !("found" in known)) return idOf(known);
      return { inTime: known.inTime.then(idOf), found: known.found.then(idOf) };
    },
    judge(kind, eventId, sender) {
      const verdict = games.judge(kind, eventId);
      const learnt = senders.arrived(sender, kind, eventId);
      const game = gameOf(kind, eventId, sender);
      return {
        ignored: verdict.ignored ?? (games.isOn(kind, game) ? null : "game_off"),
        game,
        writes: [...verdict.writes, ...learnt.writes],
        committed() {
          verdict.committed?.();
          learnt.committed?.();
        },
      };
    },
    gameOf,
    filedUnder: (game) => ({ eventIds: games.eventIdsOf(game), senders: senders.filedUnder(game) }),
  };
}
