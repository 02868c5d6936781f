// Queries and mutations for forwarding targets.
import {
  addForwardTarget,
  type BodyOf,
  changeForwardTarget,
  listForwardTargets,
  removeForwardTarget,
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
