// Queries and mutations for accounts, post rules and the settings of all posts; and the files of a post.

import {
  addAccount,
  type BodyOf,
  changeAccount,
  changePostSettings,
  getPostPicture,
  getPostSettings,
  getPostVideo,
  listAccounts,
  listPostRules,
  type Post,
  type PostSettings,
  removeAccount,
  testAccount,
} from "@kit/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { LauncherFile } from "./media-pass.ts";
import { useClient } from "./session.ts";
import { useSettingsChange } from "./use-launcher.ts";

const accountsKey = ["accounts"];
/** How often the accounts are fetched even without a message of the feed, which may be disconnected. */
const refetchMs = 30_000;

type NewAccount = BodyOf<typeof addAccount>;
type AccountChange = BodyOf<typeof changeAccount>;

export function useAccounts() {
  const client = useClient();
  return useQuery({
    queryKey: accountsKey,
    queryFn: () => client.call(listAccounts),
    refetchInterval: refetchMs,
  });
}

export function useAddAccount() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NewAccount) => client.call(addAccount, { body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: accountsKey }),
    // The input of the mutation contains credentials, so it must not stay in the cache.
    gcTime: 0,
  });
}

export function useAccountActions(id: string) {
  const client = useClient();
  const queryClient = useQueryClient();
  const onSettled = () => queryClient.invalidateQueries({ queryKey: accountsKey });
  const params = { id };
  const change = useMutation({
    mutationFn: (body: AccountChange) => client.call(changeAccount, { params, body }),
    onSettled,
    gcTime: 0,
  });
  const remove = useMutation({
    mutationFn: () => client.call(removeAccount, { params }),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ["posts"] });
      return onSettled();
    },
  });
  const test = useMutation({ mutationFn: () => client.call(testAccount, { params }), onSettled });
  return { change, remove, test };
}

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

type Id = Pick<Post, "id">;

/** Exists as soon as the footage is ready, even if its clip has no poster yet. */
export const postPictureFile = ({ id }: Id): LauncherFile => ({ operation: getPostPicture, params: { id } });
export const postVideoFile = ({ id }: Id): LauncherFile => ({ operation: getPostVideo, params: { id } });
