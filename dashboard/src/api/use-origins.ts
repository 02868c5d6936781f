// The web origins that asked to send, and the two things a person can say to them.
import { type BodyOf, decideOrigin, forgetOrigin, listOrigins } from "@kit/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "./session-context.ts";

export type Decision = BodyOf<typeof decideOrigin>["decision"];

export function useOrigins() {
  const client = useClient();
  return useQuery({ queryKey: ["origins"], queryFn: () => client.call(listOrigins) });
}

export function useDecisions() {
  const client = useClient();
  const queryClient = useQueryClient();
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ["origins"] });
  const decide = useMutation({
    mutationFn: (body: { origin: string; decision: Decision }) => client.call(decideOrigin, { body }),
    onSettled,
  });
  const forget = useMutation({
    mutationFn: (origin: string) => client.call(forgetOrigin, { query: { origin } }),
    onSettled,
  });
  return { decide, forget };
}
