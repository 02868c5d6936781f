// Whether Kit starts with the system, as the launcher finds it.
import { type Autostart, getAutostart, setAutostart } from "@kit/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "../session/session-context.ts";

const key = ["autostart"];

export function useAutostart() {
  const client = useClient();
  return useQuery({ queryKey: key, queryFn: () => client.call(getAutostart) });
}

export function useAutostartChange() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (on: boolean) => client.call(setAutostart, { body: { on } }),
    onSuccess: (report: Autostart) => queryClient.setQueryData(key, report),
    onError: () => queryClient.invalidateQueries({ queryKey: key }),
  });
}
