// The servers reports are sent on to, as the page asks for them, and what a person does with them.
import {
  addForwardTarget,
  type BodyOf,
  changeForwardTarget,
  listForwardTargets,
  removeForwardTarget,
  testForwardTarget,
} from "@kit/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "./session-context.ts";

/** Sending on goes by itself: its figures are asked for while somebody looks. */
const everyMs = 3_000;
const targetsKey = ["forwarding"];

type NewTarget = BodyOf<typeof addForwardTarget>;
type TargetChange = BodyOf<typeof changeForwardTarget>;

export function useTargets() {
  const client = useClient();
  return useQuery({
    queryKey: targetsKey,
    queryFn: () => client.call(listForwardTargets),
    refetchInterval: everyMs,
    retry: false,
  });
}

export function useAddTarget() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NewTarget) => client.call(addForwardTarget, { body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: targetsKey }),
  });
}

export function useTargetActions(id: string) {
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
