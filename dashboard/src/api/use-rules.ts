// What each event id makes of the screen, as the launcher lists it.
import { listRecordingRules } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "./session-context.ts";

export function useRules() {
  const client = useClient();
  return useQuery({ queryKey: ["recorder", "rules"], queryFn: () => client.call(listRecordingRules) });
}
