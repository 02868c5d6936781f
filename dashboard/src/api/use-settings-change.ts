// A mutation that changes settings of the launcher.
import type { Client } from "@kit/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useClient } from "./session.ts";

/**
 * Returns a mutation. The launcher's reply becomes the data of the query with this key; after a failure, that query is
 * fetched again.
 */
export function useSettingsChange<Change, Reply>(
  key: readonly string[],
  send: (client: Client, change: Change) => Promise<Reply>,
) {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) => send(client, change),
    onSuccess: (reply) => queryClient.setQueryData(key, reply),
    onError: () => queryClient.invalidateQueries({ queryKey: key }),
  });
}
