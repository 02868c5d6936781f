// What a person does in the gallery, each step said in a toast with its way back.
import type { Clip } from "@kit/contract";
import { useCallback, useMemo, useRef, useState } from "react";
import { clipsAddress, replaceAddress } from "../frame/address.ts";
import type { CardActions } from "./clip-card.tsx";
import { galleryFilterIn, galleryQueryOf } from "./clip-filter.ts";
import type { Done } from "./toast.tsx";
import { useClipActions } from "./use-clip-actions.ts";
import { doneWords } from "./words.ts";

/** Nothing of a deleted clip stays open. */
const closePlayer = () => replaceAddress(clipsAddress(undefined, galleryQueryOf(galleryFilterIn(location.hash))));

export function useDoing() {
  const { change, discard, restore } = useClipActions();
  const [done, setDone] = useState<Done>();
  const [removal, setRemoval] = useState<Clip>();
  const count = useRef(0);
  const say = useCallback((says: string, undo?: () => void) => {
    count.current += 1;
    setDone({ number: count.current, says, ...(undo ? { undo } : {}) });
  }, []);
  const forget = useCallback(() => setDone(undefined), []);

  const { mutate: changeOne } = change;
  const { mutate: discardOne } = discard;
  const { mutate: restoreOne } = restore;
  const actions = useMemo((): CardActions => {
    const takeBack = (clip: Clip) => restoreOne(clip.id, { onSuccess: () => say(doneWords.restored) });
    return {
      onPin: (clip) => changeOne({ id: clip.id, pinned: !clip.pinned }),
      onDelete: (clip) => {
        const onSuccess = () => {
          closePlayer();
          say(doneWords.deleted, () => takeBack(clip));
        };
        discardOne({ id: clip.id }, { onSuccess });
      },
      onRestore: takeBack,
      onRemove: setRemoval,
    };
  }, [changeOne, discardOne, restoreOne, say]);

  const remove = (clip: Clip) => {
    setRemoval(undefined);
    const onSuccess = () => {
      closePlayer();
      say(doneWords.removed);
    };
    discardOne({ id: clip.id, forever: true }, { onSuccess });
  };
  const removing = removal && {
    clip: removal,
    onRemove: () => remove(removal),
    onClose: () => setRemoval(undefined),
  };
  return { actions, done, forget, removing, error: change.error ?? discard.error ?? restore.error };
}
