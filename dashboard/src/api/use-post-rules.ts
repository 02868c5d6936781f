// Queries and mutations for post rules and the settings of all posts.
import { changePostSettings, getPostSettings, listPostRules, type PostSettings } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "./session-context.ts";
import { useSettingsChange } from "./use-settings-change.ts";

export const postRulesKey = ["posts", "rules"];
const settingsKey = ["post-settings"];

/**
 * Fetches the rules. Its key begins with `posts`, because rules contain counts of posts: a changed post also refetches
 * the rules.
 */
export function usePostRules() {
  const client = useClient();
  return useQuery({ queryKey: postRulesKey, queryFn: () => client.call(listPostRules) });
}

export function usePostSettings() {
  const client = useClient();
  return useQuery({ queryKey: settingsKey, queryFn: () => client.call(getPostSettings) });
}

export const usePostSettingsChange = () =>
  useSettingsChange(settingsKey, (client, body: Partial<PostSettings>) => client.call(changePostSettings, { body }));
