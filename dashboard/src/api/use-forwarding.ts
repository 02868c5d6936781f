// Queries and mutations for forwarding targets and invitations.
import {
  acceptInvitation,
  addForwardTarget,
  type BodyOf,
  changeForwardTarget,
  checkInvitation,
  type Invitation,
  listForwardTargets,
  listSentRequests,
  removeForwardTarget,
  testForwardBucket,
  testForwardTarget,
} from "@kit/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "./session.ts";

/** Reports are forwarded in the background, so the counts of a target are polled while the page is open. */
const refetchMs = 3_000;
const targetsKey = ["forwarding"];

type NewTarget = BodyOf<typeof addForwardTarget>;
type TargetChange = BodyOf<typeof changeForwardTarget>;

export function useForwardingTargets() {
  const client = useClient();
  return useQuery({
    queryKey: targetsKey,
    queryFn: () => client.call(listForwardTargets),
    refetchInterval: refetchMs,
    retry: false,
  });
}

export function useAddForwardingTarget() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NewTarget) => client.call(addForwardTarget, { body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: targetsKey }),
  });
}

export function useForwardingTargetActions(id: string) {
  const client = useClient();
  const queryClient = useQueryClient();
  const onSettled = () => queryClient.invalidateQueries({ queryKey: targetsKey });
  const params = { id };
  const change = useMutation({
    mutationFn: (body: TargetChange) => client.call(changeForwardTarget, { params, body }),
    onSettled,
  });
  const remove = useMutation({ mutationFn: () => client.call(removeForwardTarget, { params }), onSettled });
  const test = useMutation({ mutationFn: () => client.call(testForwardTarget, { params }), onSettled });
  return { change, remove, test };
}

export function useForwardingBucketTest(id: string) {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => client.call(testForwardBucket, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: targetsKey }),
  });
}

/** What was sent to a target. Not fetched until `isWanted`. */
export function useSentRequests(id: string, isWanted: boolean) {
  const client = useClient();
  return useQuery({
    queryKey: [...targetsKey, "sent", id],
    queryFn: () => client.call(listSentRequests, { params: { id } }),
    enabled: isWanted,
    refetchInterval: refetchMs,
    retry: false,
  });
}

/** Where the reports of an invitation would go, and whether it was accepted before. Rejects if the invitation is invalid. */
export function useInvitationCheck(invitation: Invitation | undefined) {
  const client = useClient();
  return useQuery({
    queryKey: [...targetsKey, "invitation", invitation],
    queryFn: () => client.call(checkInvitation, { body: { invitation: invitation as Invitation } }),
    enabled: invitation !== undefined,
    retry: false,
  });
}

/** Checks an invitation that a person made, and returns it with the server that it leads to. */
export function useInvitationMaker() {
  const client = useClient();
  return useMutation({
    mutationFn: async (invitation: Invitation) => ({
      invitation,
      ...(await client.call(checkInvitation, { body: { invitation } })),
    }),
  });
}

export function useAcceptInvitation() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyOf<typeof acceptInvitation>) => client.call(acceptInvitation, { body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: targetsKey }),
  });
}
