// Query for the tags of all clips.
import { listClipTags } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../../api/session-context.ts";

/** Fetches all tags, the most used first. */
export function useClipTags() {
  const client = useClient();
  return useQuery({
    queryKey: ["clips", "tags"],
    queryFn: async () => (await client.call(listClipTags, {})).tags.toSorted((a, b) => b.clips - a.clips),
  });
}
