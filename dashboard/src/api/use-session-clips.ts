// The best clips of a session, for pages that show its pictures.
import { type GameSession, listClips } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "./session.ts";

const clipsMax = 12;

/** Fetches the saved highlights of a session, the best first. */
export function useBestClipsOfSession(session: GameSession | undefined) {
  const client = useClient();
  return useQuery({
    queryKey: ["clips", "session", session?.id, session?.endedAt],
    enabled: session !== undefined,
    queryFn: async () => {
      if (session === undefined) return [];
      const { game, startedAt, endedAt } = session;
      const found = await client.call(listClips, {
        query: {
          // A session without a game may have clips of several games.
          ...(game !== null && { game }),
          kind: "clip",
          state: "saved",
          subject: "highlight",
          sort: "best",
          limit: clipsMax,
          from: startedAt,
          ...(endedAt === null ? {} : { to: endedAt }),
        },
      });
      return found.clips;
    },
  });
}
