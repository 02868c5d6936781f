// Finds the game of an event: for a trigger by its id, for a report by its sender.
import type { EventKind, IgnoreReason } from "@kit/contract";
import { isProgramOrigin } from "../http/admission/origin.ts";
import type { Statement } from "../storage/sql.ts";
import type { GameRegistry } from "./games.ts";
import type { PeerLookup } from "./process-lookup/peer-lookup.ts";
import type { PeerProcess } from "./process-lookup/processes.ts";
import type { Connection } from "./process-lookup/sock-diag.ts";
import type { SenderRegistry } from "./senders.ts";

type Verdict = {
  readonly ignored: IgnoreReason | null;
  /** The game of the event; null is unsorted. */
  readonly game: string | null;
  readonly writes: readonly Statement[];
  readonly committed: () => void;
};

type RequestSource = { readonly origin: string | null; readonly client: string | null; readonly socket: Connection };

/** A sender lookup in progress, once for each connection. Resolves to null if the sender is unknown. */
type PendingSender = {
  /** Resolves within a tenth of a second. */
  readonly inTime: Promise<number | null>;
  /** Resolves when the lookup ends. */
  readonly found: Promise<number | null>;
};

export type GameResolver = {
  findSender(sent: RequestSource): number | null | PendingSender;
  judge(kind: EventKind, eventId: string | null, sender: number | null): Verdict;
  gameOf(kind: EventKind, eventId: string | null, sender: number | null): string | null;
  /** Returns event ids and senders of a game; null: ids of no game, and all senders that have a game. */
  gameFilter(game: string | null): { readonly eventIds: readonly string[]; readonly senders: readonly number[] };
};

export type GameResolverDeps = {
  readonly games: GameRegistry;
  readonly senders: Pick<SenderRegistry, "identify" | "recordEvent" | "gameOf" | "sendersOfGame">;
  readonly connections: Pick<PeerLookup, "findPeer">;
};

/** Finds the game of a trigger by its event id, and of a report by its sender. */
export const createGameLookup =
  (games: Pick<GameRegistry, "gameOf">, senders: Pick<SenderRegistry, "gameOf">): GameResolver["gameOf"] =>
  (kind, eventId, sender) =>
    eventId === null ? senders.gameOf(sender) : games.gameOf(kind, eventId);

export function createGameResolver({ games, senders, connections }: GameResolverDeps): GameResolver {
  const gameOf = createGameLookup(games, senders);
  return {
    findSender({ origin, client, socket }) {
      // For a web page, the process would be the browser and not the game.
      const known = isProgramOrigin(origin) ? connections.findPeer(socket) : undefined;
      const idOf = (peer: PeerProcess | undefined) => senders.identify(peer, origin, client);
      if (known === undefined || !("found" in known)) return idOf(known);
      return { inTime: known.inTime.then(idOf), found: known.found.then(idOf) };
    },
    judge(kind, eventId, sender) {
      const verdict = games.judge(kind, eventId);
      const pending = senders.recordEvent(sender, kind, eventId);
      const game = gameOf(kind, eventId, sender);
      return {
        ignored: verdict.ignored ?? (games.isOn(kind, game) ? null : "game_off"),
        game,
        writes: [...verdict.writes, ...pending.writes],
        committed() {
          verdict.committed?.();
          pending.committed?.();
        },
      };
    },
    gameOf,
    gameFilter: (game) => ({ eventIds: games.eventIdsOf(game), senders: senders.sendersOfGame(game) }),
  };
}
