// Actions of the gallery and the player, and their API calls. Each action shows a toast, which offers undo where that
// is possible.

import {
  type BodyOf,
  type Clip,
  cancelReel,
  changeClip,
  deleteClip,
  getClip,
  restoreClip,
  revealClip,
} from "@kit/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { useClient } from "../../api/session.ts";
import { useRefetchClips } from "../../api/use-clips.ts";
import { t } from "../../language/language.ts";
import { clipsAddress, parseAddress, replaceAddress } from "../../ui/address.ts";
import { clipToasts } from "../../ui/clips/clip-text.ts";
import { useToast } from "../../ui/toast.tsx";
import { parseGalleryFilter, toGalleryQuery } from "./clip-filter.ts";
import { applyTagChange, type TagChange } from "./tags.ts";

type ClipChange = BodyOf<typeof changeClip>;

/** Maximum parallel requests of one action. */
const parallelMax = 4;

/** Result of an action on several clips. If the request for one clip fails, those for the others still run. */
type BatchOutcome = { readonly done: readonly Clip[]; readonly failed: readonly Error[] };

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

type ClipCalls = {
  change(clips: readonly Clip[], of: (clip: Clip) => ClipChange): Promise<BatchOutcome>;
  /** Changes the tags of clips. Fetches their current tags first, because a change replaces all tags of a clip. */
  retag(clips: readonly Clip[], tagsOf: (clip: Clip) => string[]): Promise<BatchOutcome>;
  discard(clips: readonly Clip[], forever?: boolean): Promise<BatchOutcome>;
  restore(clips: readonly Clip[]): Promise<BatchOutcome>;
  cancelReel(clip: Clip): Promise<BatchOutcome>;
};

function useClipCalls(): ClipCalls {
  const client = useClient();
  const queryClient = useQueryClient();
  const refetchClips = useRefetchClips();
  return useMemo(() => {
    const each = async (clips: readonly Clip[], action: (clip: Clip) => Promise<Clip>) => {
      const outcome = await runForEach(clips, action);
      void refetchClips();
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
      cancelReel: (reel) =>
        each([reel], async (clip) => {
          await client.call(cancelReel, { params: { id: clip.id } });
          return clip;
        }),
    };
  }, [client, queryClient, refetchClips]);
}

/** Changes one clip. Shows no toast on an error: the calling field shows it. */
export function useClipChange() {
  const client = useClient();
  const queryClient = useQueryClient();
  const refetchClips = useRefetchClips();
  return useMutation({
    mutationFn: ({ id, ...body }: ClipChange & { id: string }) => client.call(changeClip, { params: { id }, body }),
    onSuccess: (clip: Clip) => queryClient.setQueryData(["clips", "one", clip.id], clip),
    onSettled: refetchClips,
  });
}

/** Shows the file in the file manager of the launcher's computer. */
export function useRevealClip() {
  const client = useClient();
  return useMutation({ mutationFn: (id: string) => client.call(revealClip, { params: { id } }) });
}

type Clips = readonly Clip[];

export type ClipCommands = {
  readonly pin: (clips: Clips, pinned: boolean) => void;
  readonly discard: (clips: Clips) => void;
  readonly restore: (clips: Clips) => void;
  /** Asks for confirmation and then deletes clips permanently, which cannot be undone. */
  readonly remove: (clips: Clips) => void;
  /** Cancels a reel that is being made. */
  readonly cancelReel: (reel: Clip) => void;
  readonly tag: (clips: Clips, change: TagChange) => void;
  /** Shows a toast for an action that another component has already performed. */
  readonly say: (says: string, undo?: () => void) => void;
};

/** Closes the player if it shows one of the deleted clips. */
function closePlayer(gone: Clips): void {
  const place = parseAddress(location.hash);
  if (place.page !== "clips" || !gone.some(({ id }) => id === place.clip)) return;
  replaceAddress(clipsAddress(undefined, toGalleryQuery(parseGalleryFilter(location.hash))));
}

/** A finished action: the text of its toast, its outcome, and how to undo it. */
type Step = { readonly says?: string; readonly outcome: BatchOutcome; readonly undo?: () => Promise<Step> };

function createActions(calls: ClipCalls) {
  const moveToTrash = async (clips: Clips): Promise<Step> => {
    const outcome = await calls.discard(clips);
    closePlayer(outcome.done);
    return { says: clipToasts.deleted(outcome.done.length), outcome, undo: () => restore(outcome.done) };
  };
  const restore = async (clips: Clips): Promise<Step> => {
    const outcome = await calls.restore(clips);
    return { says: clipToasts.restored(outcome.done.length), outcome };
  };
  const deletePermanently = async (clips: Clips): Promise<Step> => {
    const outcome = await calls.discard(clips, true);
    closePlayer(outcome.done);
    return { says: clipToasts.removed(outcome.done.length), outcome };
  };
  const stopReel = async (reel: Clip): Promise<Step> => {
    const outcome = await calls.cancelReel(reel);
    closePlayer(outcome.done);
    return { says: t("The reel was cancelled. Its clips are unchanged."), outcome };
  };
  const setPinned = async (clips: Clips, pin: boolean): Promise<Step> => {
    const others = clips.filter((clip) => clip.pinned !== pin);
    const outcome = await calls.change(others, () => ({ pinned: pin }));
    // For one clip, the pin button already shows the new state and can undo it, so no toast is needed.
    if (clips.length === 1) return { outcome };
    const { done } = outcome;
    const says = pin ? clipToasts.pinned(done.length) : clipToasts.unpinned(done.length);
    return {
      says,
      outcome,
      undo: () =>
        setPinned(
          done.map((clip) => ({ ...clip, pinned: pin })),
          !pin,
        ),
    };
  };
  const changeTags = async (clips: Clips, change: TagChange): Promise<Step> => {
    const outcome = await calls.retag(clips, ({ tags }) => applyTagChange(tags, change));
    const says = clipToasts.tagged(outcome.done.length);
    return { says, outcome, undo: () => restoreTags(outcome.done) };
  };
  const restoreTags = async (before: Clips): Promise<Step> => {
    const outcome = await calls.change(before, ({ tags }) => ({ tags }));
    return { says: clipToasts.tagged(outcome.done.length), outcome };
  };
  return { moveToTrash, restore, deletePermanently, stopReel, setPinned, changeTags };
}

/** For one clip, returns the launcher's error. For several, returns a summary that contains the first error. */
function summaryError({ done, failed }: BatchOutcome): Error | undefined {
  const [first] = failed;
  if (first === undefined || done.length + failed.length === 1) return first;
  const all = done.length + failed.length;
  return new Error(
    t("{{count}} of {{all}} could not be changed: {{why}}", { count: failed.length, all, why: first.message }),
  );
}

export function useClipCommands() {
  const calls = useClipCalls();
  const { message: done, show: say, dismiss: forget } = useToast();
  const [removal, setRemoval] = useState<Clips>();
  const [error, setError] = useState<Error>();
  const take = useCallback(
    (step: Promise<Step>): void => {
      step.then(({ says, outcome, undo }) => {
        setError(summaryError(outcome));
        if (outcome.done.length > 0 && says !== undefined) say(says, undo && (() => take(undo())));
      }, setError);
    },
    [say],
  );
  const steps = useMemo(() => createActions(calls), [calls]);
  const commands = useMemo(
    (): ClipCommands => ({
      pin: (clips, pinned) => take(steps.setPinned(clips, pinned)),
      discard: (clips) => take(steps.moveToTrash(clips)),
      restore: (clips) => take(steps.restore(clips)),
      remove: setRemoval,
      cancelReel: (reel) => take(steps.stopReel(reel)),
      tag: (clips, change) => take(steps.changeTags(clips, change)),
      say,
    }),
    [steps, take, say],
  );
  const removing = removal && {
    clips: removal,
    onRemove: () => {
      setRemoval(undefined);
      take(steps.deletePermanently(removal));
    },
    onClose: () => setRemoval(undefined),
  };
  return { commands, done, forget, removing, error };
}
