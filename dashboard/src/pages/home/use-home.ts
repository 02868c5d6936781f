// Queries of the Home page: the sessions of the last evening, waiting drafts and new issues.
import { type GameSession, listIssues, listPosts, listSessions } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../api/session.ts";

/** How many sessions are searched for the last ones with a moment. */
const sessionsSearched = 50;
export const linesMax = 3;
/** A longer pause between two sessions, e.g. a night's sleep, ends an evening. */
const pauseMsMax = 6 * 3_600_000;

/**
 * Returns the sessions of the last evening, the newest first: the newest one with a moment, or else the newest one, and those
 * before it until one that ended more than six hours before the next began.
 */
export function lastEvening(sessions: readonly GameSession[]): readonly GameSession[] {
  const last = sessions.findIndex(({ moments }) => moments > 0);
  const played = sessions.slice(Math.max(last, 0));
  const end = played.findIndex(({ endedAt }, index) => {
    const next = played[index - 1];
    return next !== undefined && endedAt !== null && Date.parse(next.startedAt) - Date.parse(endedAt) > pauseMsMax;
  });
  return end === -1 ? played : played.slice(0, end);
}

/** Fetches the newest sessions, and chooses those of the last evening. */
export function useLastEvening() {
  const client = useClient();
  return useQuery({
    queryKey: ["sessions", "home"],
    queryFn: async () => {
      const { sessions } = await client.call(listSessions, { query: { limit: sessionsSearched } });
      return { count: sessions.length, evening: lastEvening(sessions) };
    },
  });
}

export function useWaitingDrafts() {
  const client = useClient();
  return useQuery({
    queryKey: ["posts", "home"],
    queryFn: () => client.call(listPosts, { query: { state: "draft", limit: linesMax } }),
  });
}

/** Fetches the new issues and those that came back, the newest first. */
export function useNewIssues() {
  const client = useClient();
  return useQuery({
    queryKey: ["issues", "home"],
    queryFn: async () => {
      const [open, regressed] = await Promise.all([
        client.call(listIssues, { query: { state: "open", sort: "firstSeen", limit: linesMax } }),
        client.call(listIssues, { query: { state: "regressed", limit: linesMax } }),
      ]);
      return [...open.issues.filter(({ isNew }) => isNew), ...regressed.issues]
        .toSorted((a, b) => Date.parse(b.stateSince) - Date.parse(a.stateSince))
        .slice(0, linesMax);
    },
  });
}
