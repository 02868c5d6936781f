// Queries and mutations for the accounts that posts are sent to.
import { addAccount, type BodyOf, changeAccount, listAccounts, removeAccount, testAccount } from "@kit/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "./session-context.ts";

const accountsKey = ["accounts"];
/** How often the accounts are fetched even without a message of the feed, which may be disconnected. */
const refetchMs = 30_000;

export type NewAccount = BodyOf<typeof addAccount>;
export type AccountChange = BodyOf<typeof changeAccount>;

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
