// What a person does with posts, one call each; every answer is shown at once, before the lists are asked again.
import { approvePost, type BodyOf, changePost, type Post, settleDelivery, skipPost, undoPost } from "@kit/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useClient } from "../session/session-context.ts";
import { keepPost } from "./use-posts.ts";

export type PostChange = BodyOf<typeof changePost>;
export type Settled = BodyOf<typeof settleDelivery>["as"];
export type PostCalls = ReturnType<typeof usePostCalls>;

export function usePostCalls() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMemo(() => {
    const keep = async (answer: Promise<Post>) => {
      const post = await answer;
      keepPost(queryClient, post);
      return post;
    };
    return {
      approve: (id: string) => keep(client.call(approvePost, { params: { id } })),
      skip: (id: string) => keep(client.call(skipPost, { params: { id } })),
      undo: (id: string) => keep(client.call(undoPost, { params: { id } })),
      change: (id: string, body: PostChange) => keep(client.call(changePost, { params: { id }, body })),
      settle: (id: string, account: string, as: Settled) =>
        keep(client.call(settleDelivery, { params: { id, account }, body: { as } })),
      /** Asks for what the answers do not tell: counts, and what else changed. */
      settled: () => queryClient.invalidateQueries({ queryKey: ["posts"] }),
    };
  }, [client, queryClient]);
}
