// The part of the open clip that is marked, and whether it is played again and again.
import type { Clip } from "@kit/contract";
import { useCallback, useMemo, useState } from "react";
import { isVideo } from "../../ui/clips/clip-words.ts";
import { type Edge, footageOf, markedAt, type PartRange, partSecondsMin, withEdge } from "../../ui/clips/trim-range.ts";
import type { Playback } from "../../ui/clips/use-playback.ts";

export type Part = {
  /** The marks; undefined until a person begins with them. */
  readonly range: PartRange | undefined;
  readonly duration: number;
  readonly frameSeconds: number;
  readonly loops: boolean;
  setLoops(loops: boolean): void;
  /** Shows the marks, around the whole clip at first; takes them away when they are there. */
  toggle(): void;
  /** Moves a mark to a second and shows the picture there. */
  moveTo(edge: Edge, seconds: number): void;
  /** Marks where the clip stands; false where there is nothing to mark. */
  markHere(edge: Edge): boolean;
};

export function usePartMarks(clip: Clip | undefined, playback: Playback): Part {
  const [range, setRange] = useState<PartRange>();
  const [loops, setLoops] = useState(false);
  const { video, showAt } = playback;
  const footage = useMemo(() => footageOf(clip ?? { duration: 0, frameRate: null }), [clip]);
  const { duration, frameSeconds } = footage;
  const can = clip !== undefined && isVideo(clip) && clip.deletedAt === null && duration > partSecondsMin;
  const whole = useMemo(() => ({ from: 0, to: duration }), [duration]);
  const toggle = useCallback(() => setRange((now) => (now === undefined && can ? whole : undefined)), [can, whole]);
  const moveTo = useCallback(
    (edge: Edge, seconds: number) => {
      const next = withEdge(range ?? whole, edge, seconds, footage);
      setRange(next);
      showAt(next[edge]);
    },
    [range, whole, footage, showAt],
  );
  const markHere = useCallback(
    (edge: Edge) => {
      const at = video.current?.currentTime;
      if (!can || at === undefined) return false;
      setRange((now) => markedAt(now ?? whole, edge, at, footage));
      return true;
    },
    [can, video, whole, footage],
  );
  return { range, duration, frameSeconds, loops, setLoops, toggle, moveTo, markHere };
}
