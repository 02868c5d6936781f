// What a person does in the gallery and the player, each step said in a toast with its way back.
import type { Clip } from "@kit/contract";
import { useCallback, useMemo, useRef, useState } from "react";
import { galleryFilterIn, galleryQueryOf } from "../../api/clip-filter.ts";
import { t } from "../../language/language.ts";
import { clipsAddress, placeIn, replaceAddress } from "../../ui/address.ts";
import { doneWords } from "../../ui/clips/clip-words.ts";
import type { Done } from "../../ui/toast.tsx";
import { type TagChange, tagsChanged } from "./tags.ts";
import { type ClipCalls, type Outcome, useClipCalls } from "./use-clip-actions.ts";

type Clips = readonly Clip[];

export type ClipCommands = {
  readonly pin: (clips: Clips, pinned: boolean) => void;
  readonly discard: (clips: Clips) => void;
  readonly restore: (clips: Clips) => void;
  /** Asks first: it cannot be taken back. */
  readonly remove: (clips: Clips) => void;
  readonly tag: (clips: Clips, change: TagChange) => void;
  /** Says something that was done elsewhere. */
  readonly say: (says: string) => void;
};

/** Nothing of a clip that went stays open. */
function closePlayer(gone: Clips): void {
  const place = placeIn(location.hash);
  if (place.page !== "clips" || !gone.some(({ id }) => id === place.clip)) return;
  replaceAddress(clipsAddress(undefined, galleryQueryOf(galleryFilterIn(location.hash))));
}

/** A step that was done, with what it was done to, and the way back where there is one. */
type Step = { readonly says?: string; readonly outcome: Outcome; readonly undo?: () => Promise<Step> };

function stepsOf(calls: ClipCalls) {
  const discarded = async (clips: Clips): Promise<Step> => {
    const outcome = await calls.discard(clips);
    closePlayer(outcome.done);
    return { says: doneWords.deleted(outcome.done.length), outcome, undo: () => restored(outcome.done) };
  };
  const restored = async (clips: Clips): Promise<Step> => {
    const outcome = await calls.restore(clips);
    return { says: doneWords.restored(outcome.done.length), outcome };
  };
  const removed = async (clips: Clips): Promise<Step> => {
    const outcome = await calls.discard(clips, true);
    closePlayer(outcome.done);
    return { says: doneWords.removed(outcome.done.length), outcome };
  };
  const pinned = async (clips: Clips, pin: boolean): Promise<Step> => {
    const others = clips.filter((clip) => clip.pinned !== pin);
    const outcome = await calls.change(others, () => ({ pinned: pin }));
    // Of one clip its own button says it, and the way back.
    if (clips.length === 1) return { outcome };
    const { done } = outcome;
    const says = pin ? doneWords.pinned(done.length) : doneWords.unpinned(done.length);
    return {
      says,
      outcome,
      undo: () =>
        pinned(
          done.map((clip) => ({ ...clip, pinned: pin })),
          !pin,
        ),
    };
  };
  const tagged = async (clips: Clips, change: TagChange): Promise<Step> => {
    const outcome = await calls.retag(clips, ({ tags }) => tagsChanged(tags, change));
    const says = doneWords.tagged(outcome.done.length);
    return { says, outcome, undo: () => retagged(outcome.done) };
  };
  const retagged = async (before: Clips): Promise<Step> => {
    const outcome = await calls.change(before, ({ tags }) => ({ tags }));
    return { says: doneWords.tagged(outcome.done.length), outcome };
  };
  return { discarded, restored, removed, pinned, tagged };
}

/** Of one clip the launcher's own words; of several how many, and the first reason. */
function troubleOf({ done, failed }: Outcome): Error | undefined {
  const [first] = failed;
  if (first === undefined || done.length + failed.length === 1) return first;
  const all = done.length + failed.length;
  return new Error(
    t("{{count}} of {{all}} could not be changed: {{why}}", { count: failed.length, all, why: first.message }),
  );
}

export function useClipCommands() {
  const calls = useClipCalls();
  const [done, setDone] = useState<Done>();
  const [removal, setRemoval] = useState<Clips>();
  const [error, setError] = useState<Error>();
  const count = useRef(0);
  const say = useCallback((says: string, undo?: () => void) => {
    count.current += 1;
    setDone({ number: count.current, says, ...(undo ? { undo } : {}) });
  }, []);
  const forget = useCallback(() => setDone(undefined), []);
  const take = useCallback(
    (step: Promise<Step>): void => {
      step.then(({ says, outcome, undo }) => {
        setError(troubleOf(outcome));
        if (outcome.done.length > 0 && says !== undefined) say(says, undo && (() => take(undo())));
      }, setError);
    },
    [say],
  );
  const steps = useMemo(() => stepsOf(calls), [calls]);
  const doing = useMemo(
    (): ClipCommands => ({
      pin: (clips, pinned) => take(steps.pinned(clips, pinned)),
      discard: (clips) => take(steps.discarded(clips)),
      restore: (clips) => take(steps.restored(clips)),
      remove: setRemoval,
      tag: (clips, change) => take(steps.tagged(clips, change)),
      say: (says) => say(says),
    }),
    [steps, take, say],
  );
  const removing = removal && {
    clips: removal,
    onRemove: () => {
      setRemoval(undefined);
      take(steps.removed(removal));
    },
    onClose: () => setRemoval(undefined),
  };
  return { doing, done, forget, removing, error };
}
