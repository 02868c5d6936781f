// Query for the launcher's health, every 30 s, or more often while something fails.
import { getHealth } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "./session.ts";

const refetchMs = 30_000;
/** Short, because a person who has just freed disk space waits for the result. */
const whileFailingMs = 2_000;

export function useHealth() {
  const client = useClient();
  return useQuery({
    queryKey: ["health"],
    queryFn: () => client.call(getHealth, { query: {} }),
    refetchInterval: ({ state }) => (state.data?.storage.state === "failing" ? whileFailingMs : refetchMs),
    retry: false,
  });
}
