// The best clips of a session, for pages that show its pictures.
import { type Clip, type GameSession, listClips } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "./session.ts";

/** More than a page shows, because clips of errors alone are left out. */
const clipsCompared = 12;

/** A clip without events is one that a person saved by hand. */
const isHighlight = ({ events }: Clip) => events.length === 0 || events.some(({ kind }) => kind !== "monitor");

/** Fetches the saved clips of a session that show more than errors, the most important first. */
export function useBestClipsOfSession(session: GameSession | undefined) {
  const client = useClient();
  return useQuery({
    queryKey: ["clips", "session", session?.id, session?.endedAt],
    enabled: session !== undefined && session.moments > 0,
    queryFn: async () => {
      if (session === undefined) return [];
      const { game, startedAt, endedAt } = session;
      const { clips } = await client.call(listClips, {
        query: {
          game: game ?? "unsorted",
          kind: "clip",
          state: "saved",
          sort: "priority",
          limit: clipsCompared,
          from: startedAt,
          ...(endedAt === null ? {} : { to: endedAt }),
        },
      });
      return clips.filter(isHighlight);
    },
  });
}
