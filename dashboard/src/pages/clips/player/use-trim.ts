// State of trimming the open clip: the selected range, and whether playback loops.
import type { Clip } from "@kit/contract";
import { useCallback, useMemo, useState } from "react";
import { isSavedVideo } from "../../../ui/clips/clip-text.ts";
import {
  clipTiming,
  moveTrimEdge,
  setTrimEdge,
  type TrimEdge,
  type TrimRange,
  trimSecondsMin,
} from "../../../ui/player/trim-range.ts";
import type { Playback } from "../../../ui/player/use-playback.ts";

export type TrimState = {
  /** The selected range; undefined while the clip is not being trimmed. */
  readonly range: TrimRange | undefined;
  readonly duration: number;
  readonly frameSeconds: number;
  readonly loops: boolean;
  setLoops(loops: boolean): void;
  /** Starts trimming with the whole clip selected, or stops trimming. */
  toggle(): void;
  /** Moves an edge of the range to a second of the clip, and shows the frame there. */
  moveTo(edge: TrimEdge, seconds: number): void;
  /** Moves an edge of the range to the playback position. Returns false if the clip cannot be trimmed. */
  markHere(edge: TrimEdge): boolean;
};

export function useTrimState(clip: Clip | undefined, playback: Playback): TrimState {
  const [range, setRange] = useState<TrimRange>();
  const [loops, setLoops] = useState(false);
  const { video, showAt } = playback;
  const footage = useMemo(() => clipTiming(clip ?? { duration: 0, frameRate: null }), [clip]);
  const { duration, frameSeconds } = footage;
  const can = clip !== undefined && isSavedVideo(clip) && clip.deletedAt === null && duration > trimSecondsMin;
  const whole = useMemo(() => ({ from: 0, to: duration }), [duration]);
  const toggle = useCallback(() => setRange((now) => (now === undefined && can ? whole : undefined)), [can, whole]);
  const moveTo = useCallback(
    (edge: TrimEdge, seconds: number) => {
      const next = moveTrimEdge(range ?? whole, edge, seconds, footage);
      setRange(next);
      showAt(next[edge]);
    },
    [range, whole, footage, showAt],
  );
  const markHere = useCallback(
    (edge: TrimEdge) => {
      const at = video.current?.currentTime;
      if (!can || at === undefined) return false;
      setRange((now) => setTrimEdge(now ?? whole, edge, at, footage));
      return true;
    },
    [can, video, whole, footage],
  );
  return { range, duration, frameSeconds, loops, setLoops, toggle, moveTo, markHere };
}
