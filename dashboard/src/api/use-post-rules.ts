// The rules as the launcher lists them, and what holds for all posts.
import { changePostSettings, getPostSettings, listPostRules, type PostSettings } from "@kit/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "./session-context.ts";

export const rulesKey = ["posts", "rules"];
const settingsKey = ["post-settings"];

/** Below `posts`: each post a rule makes is counted on it. */
export function useRuleList() {
  const client = useClient();
  return useQuery({ queryKey: rulesKey, queryFn: () => client.call(listPostRules) });
}

export function usePostSettings() {
  const client = useClient();
  return useQuery({ queryKey: settingsKey, queryFn: () => client.call(getPostSettings) });
}

export function usePostSettingsChange() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Partial<PostSettings>) => client.call(changePostSettings, { body }),
    onSuccess: (settings: PostSettings) => queryClient.setQueryData(settingsKey, settings),
    onError: () => queryClient.invalidateQueries({ queryKey: settingsKey }),
  });
}
