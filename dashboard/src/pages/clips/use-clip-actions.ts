// What a person does with clips: pin, rename, tag, delete, take back, remove for good; many of them as well as one.
import { type BodyOf, type Clip, changeClip, deleteClip, getClip, restoreClip, revealClip } from "@kit/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useClient } from "../../api/session-context.ts";

type ClipChange = BodyOf<typeof changeClip>;

/** Requests out at once, of a step that is done with many clips. */
const abreast = 4;

/** What came of a step with several clips: a refused one stops none of the others. */
export type Outcome = { readonly done: readonly Clip[]; readonly failed: readonly Error[] };

/** `does` gives back the clip as it was before. */
async function forEach(clips: readonly Clip[], does: (clip: Clip) => Promise<Clip>): Promise<Outcome> {
  const done: Clip[] = [];
  const failed: Error[] = [];
  const waiting = [...clips];
  const lane = async () => {
    for (let clip = waiting.shift(); clip !== undefined; clip = waiting.shift()) {
      try {
        done.push(await does(clip));
      } catch (error) {
        failed.push(error instanceof Error ? error : new Error(String(error)));
      }
    }
  };
  await Promise.all(Array.from({ length: abreast }, lane));
  return { done, failed };
}

export type ClipCalls = {
  change(clips: readonly Clip[], of: (clip: Clip) => ClipChange): Promise<Outcome>;
  /** All tags of a clip are written at once: what each has by now is asked for first. */
  retag(clips: readonly Clip[], tagsOf: (clip: Clip) => string[]): Promise<Outcome>;
  discard(clips: readonly Clip[], forever?: boolean): Promise<Outcome>;
  restore(clips: readonly Clip[]): Promise<Outcome>;
};

export function useClipCalls(): ClipCalls {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMemo(() => {
    const each = async (clips: readonly Clip[], does: (clip: Clip) => Promise<Clip>) => {
      const outcome = await forEach(clips, does);
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

/** For a field that shows by itself what the launcher refused. */
export function useClipChange() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: ClipChange & { id: string }) => client.call(changeClip, { params: { id }, body }),
    onSuccess: (clip: Clip) => queryClient.setQueryData(["clips", "one", clip.id], clip),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["clips"] }),
  });
}

/** Shows the file in the file manager of the launcher's machine. */
export function useReveal() {
  const client = useClient();
  return useMutation({ mutationFn: (id: string) => client.call(revealClip, { params: { id } }) });
}
