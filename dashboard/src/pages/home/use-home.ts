// Queries of the Home page: the last session, waiting drafts and new issues.
import { listIssues, listPosts, listSessions } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../api/session.ts";

/** How many sessions are searched for the last one with a moment. */
const sessionsSearched = 10;
export const linesMax = 3;

/** Fetches the newest sessions. `last` is the newest one with a moment, or else the newest one. */
export function useLastSession() {
  const client = useClient();
  return useQuery({
    queryKey: ["sessions", "home"],
    queryFn: async () => {
      const { sessions } = await client.call(listSessions, { query: { limit: sessionsSearched } });
      return { count: sessions.length, last: sessions.find(({ moments }) => moments > 0) ?? sessions[0] };
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

/** Fetches the newest issues that nobody has resolved or muted. */
export function useNewIssues() {
  const client = useClient();
  return useQuery({
    queryKey: ["issues", "home"],
    queryFn: async () => {
      const { issues } = await client.call(listIssues, { query: { sort: "firstSeen", limit: 20 } });
      return issues.filter(({ isNew, state }) => isNew || state === "regressed").slice(0, linesMax);
    },
  });
}
