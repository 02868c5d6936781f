// Queries and mutations for the consent of web origins.
import { type BodyOf, decideConsent, forgetOrigin, listOrigins } from "@kit/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "./session.ts";

export type ConsentDecision = BodyOf<typeof decideConsent>["decision"];

export function useOrigins() {
  const client = useClient();
  return useQuery({ queryKey: ["origins"], queryFn: () => client.call(listOrigins) });
}

export function useConsentActions() {
  const client = useClient();
  const queryClient = useQueryClient();
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ["origins"] });
  const decide = useMutation({
    mutationFn: (body: { origin: string; decision: ConsentDecision }) => client.call(decideConsent, { body }),
    onSettled,
  });
  const forget = useMutation({
    mutationFn: (origin: string) => client.call(forgetOrigin, { query: { origin } }),
    onSettled,
  });
  return { decide, forget };
}
