// Queries of the Home page: the newest session, waiting drafts and new issues.
import { demoGame, listIssues, listPosts, listSessions } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../api/session.ts";

export const linesMax = 3;

/** More sessions of the demo in a row than anyone plays. */
const sessionsSearched = 20;

/** Fetches the newest session, which is null before the first one, and whether a game other than the demo was played. */
export function useNewestSession() {
  const client = useClient();
  return useQuery({
    queryKey: ["sessions", "home"],
    queryFn: async () => {
      const { sessions } = await client.call(listSessions, { query: { limit: sessionsSearched } });
      return { newest: sessions[0] ?? null, isOnlyDemo: sessions.every(({ game }) => game === demoGame) };
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
