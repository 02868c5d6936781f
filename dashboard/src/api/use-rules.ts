// Query for the recording rules of all event ids.
import { listRecordingRules } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "./session-context.ts";

export function useRecordingRules() {
  const client = useClient();
  return useQuery({ queryKey: ["recorder", "rules"], queryFn: () => client.call(listRecordingRules) });
}
