// The launcher's health: polled every 30 s, more often during a failure.
import { getHealth } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "./session-context.ts";

const refetchMs = 30_000;
/** Short, because a person who frees disk space waits for the result. */
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
