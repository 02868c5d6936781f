// What each event id makes of the screen, and how a person changes that.
import { type BodyOf, changeRecordingRule, listRecordingRules, resetRecordingRule } from "@kit/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "../session/session-context.ts";

export type RuleChange = BodyOf<typeof changeRecordingRule>;

const rulesKey = ["recorder", "rules"];

export function useRules() {
  const client = useClient();
  return useQuery({ queryKey: rulesKey, queryFn: () => client.call(listRecordingRules) });
}

export function useRuleActions() {
  const client = useClient();
  const queryClient = useQueryClient();
  const onSettled = () => queryClient.invalidateQueries({ queryKey: rulesKey });
  const change = useMutation({
    mutationFn: (body: RuleChange) => client.call(changeRecordingRule, { body }),
    onSettled,
  });
  const reset = useMutation({
    mutationFn: (eventId: string) => client.call(resetRecordingRule, { query: { eventId } }),
    onSettled,
  });
  return { change, reset };
}
