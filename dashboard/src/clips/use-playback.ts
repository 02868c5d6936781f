// The video element as the rest of the player sees it: where it is, and how to get elsewhere.
import type { Clip } from "@kit/contract";
import { type RefObject, useCallback, useMemo, useRef, useState } from "react";
import { chapterAt, type PlayerMove, placeAfter } from "./player-keys.ts";

export type Playback = {
  readonly video: RefObject<HTMLVideoElement | null>;
  /** Index of the moment that plays; -1 before the first. */
  readonly chapter: number;
  /** True once it was moved or played: before, no moment is the current one. */
  readonly begun: boolean;
  onTime(): void;
  /** Does what a key means; false where there is nothing to do it with. */
  go(move: PlayerMove): boolean;
  /** Plays from a second of the clip. */
  playFrom(seconds: number): void;
  /** Stands still at a second of the clip. */
  showAt(seconds: number): void;
};

const ignored = () => undefined;

export function usePlayback(clip: Clip | undefined): Playback {
  const video = useRef<HTMLVideoElement>(null);
  const [begun, setBegun] = useState(false);
  const [chapter, setChapter] = useState(-1);
  const chapters = useMemo(() => (clip?.events ?? []).map(({ offset }) => Math.max(0, offset)), [clip?.events]);

  const onTime = useCallback(() => {
    const element = video.current;
    if (element === null) return;
    if (element.currentTime > 0) setBegun(true);
    setChapter(chapterAt(chapters, element.currentTime));
  }, [chapters]);

  const go = useCallback(
    (move: PlayerMove) => {
      const element = video.current;
      if (element === null) return false;
      if (move.does === "toggle") {
        if (element.paused) element.play().catch(ignored);
        else element.pause();
        return true;
      }
      if (move.does === "frame") element.pause();
      const duration = Number.isFinite(element.duration) ? element.duration : (clip?.duration ?? 0);
      const place = placeAfter(move, { at: element.currentTime, duration, chapters });
      if (place !== undefined) element.currentTime = place;
      return true;
    },
    [chapters, clip?.duration],
  );

  const playFrom = useCallback((seconds: number) => {
    const element = video.current;
    if (element === null) return;
    element.currentTime = Math.max(0, seconds);
    element.play().catch(ignored);
  }, []);
  const showAt = useCallback((seconds: number) => {
    const element = video.current;
    if (element === null) return;
    element.pause();
    element.currentTime = seconds;
  }, []);
  return { video, chapter, begun, onTime, go, playFrom, showAt };
}
