// How the launcher is: asked every half minute, more often while something is wrong, and whenever the feed breaks.
import { getHealth } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "./session-context.ts";

const everyMs = 30_000;
/** Somebody who frees space waits for it. */
const whileFailingMs = 2_000;

export function useHealth() {
  const client = useClient();
  return useQuery({
    queryKey: ["health"],
    queryFn: () => client.call(getHealth, { query: {} }),
    refetchInterval: ({ state }) => (state.data?.storage.state === "failing" ? whileFailingMs : everyMs),
    retry: false,
  });
}
