// API calls for one or more clips: change, tag, delete, restore.
import { type BodyOf, type Clip, changeClip, deleteClip, getClip, restoreClip, revealClip } from "@kit/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useClient } from "../../api/session-context.ts";

type ClipChange = BodyOf<typeof changeClip>;

/** Maximum parallel requests of one action. */
const parallelMax = 4;

/** Result of an action on several clips. If the request for one clip fails, those for the others still run. */
export type BatchOutcome = { readonly done: readonly Clip[]; readonly failed: readonly Error[] };

/** Runs an action for each clip. It must resolve to the clip as it was before, so that the action can be undone. */
async function runForEach(clips: readonly Clip[], action: (clip: Clip) => Promise<Clip>): Promise<BatchOutcome> {
  const done: Clip[] = [];
  const failed: Error[] = [];
  const waiting = [...clips];
  const worker = async () => {
    for (let clip = waiting.shift(); clip !== undefined; clip = waiting.shift()) {
      try {
        done.push(await action(clip));
      } catch (error) {
        failed.push(error instanceof Error ? error : new Error(String(error)));
      }
    }
  };
  await Promise.all(Array.from({ length: parallelMax }, worker));
  return { done, failed };
}

export type ClipCalls = {
  change(clips: readonly Clip[], of: (clip: Clip) => ClipChange): Promise<BatchOutcome>;
  /** Changes the tags of clips. Fetches their current tags first, because a change replaces all tags of a clip. */
  retag(clips: readonly Clip[], tagsOf: (clip: Clip) => string[]): Promise<BatchOutcome>;
  discard(clips: readonly Clip[], forever?: boolean): Promise<BatchOutcome>;
  restore(clips: readonly Clip[]): Promise<BatchOutcome>;
};

export function useClipCalls(): ClipCalls {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMemo(() => {
    const each = async (clips: readonly Clip[], action: (clip: Clip) => Promise<Clip>) => {
      const outcome = await runForEach(clips, action);
      void queryClient.invalidateQueries({ queryKey: ["clips"] });
      return outcome;
    };
    const changeOne = async (clip: Clip, body: ClipChange) => {
      const now = await client.call(changeClip, { params: { id: clip.id }, body });
      queryClient.setQueryData(["clips", "one", clip.id], now);
      return clip;
    };
    return {
      change: (clips, of) => each(clips, (clip) => changeOne(clip, of(clip))),
      retag: (clips, tagsOf) =>
        each(clips, async ({ id }) => {
          const now = await client.call(getClip, { params: { id } });
          return await changeOne(now, { tags: tagsOf(now) });
        }),
      discard: (clips, forever = false) =>
        each(clips, async (clip) => {
          await client.call(deleteClip, { params: { id: clip.id }, query: forever ? { forever } : {} });
          return clip;
        }),
      restore: (clips) =>
        each(clips, async (clip) => {
          await client.call(restoreClip, { params: { id: clip.id } });
          return clip;
        }),
    };
  }, [client, queryClient]);
}

/** Changes one clip. Shows no toast on an error: the calling field shows it. */
export function useClipChange() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: ClipChange & { id: string }) => client.call(changeClip, { params: { id }, body }),
    onSuccess: (clip: Clip) => queryClient.setQueryData(["clips", "one", clip.id], clip),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["clips"] }),
  });
}

/** Shows the file in the file manager of the launcher's computer. */
export function useRevealClip() {
  const client = useClient();
  return useMutation({ mutationFn: (id: string) => client.call(revealClip, { params: { id } }) });
}
