// The video element as the rest of the player sees it: where it is, and how to get elsewhere.
import type { Clip } from "@kit/contract";
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { chapterAt, type PlayerMove, placeAfter, speedAfter } from "./player-keys.ts";
import { footageOf, type PartRange } from "./trim-range.ts";

export type Playback = {
  readonly video: RefObject<HTMLVideoElement | null>;
  /** Index of the moment that plays; -1 before the first. */
  readonly chapter: number;
  /** True once it was moved or played: before, no moment is the current one. */
  readonly begun: boolean;
  readonly speed: number;
  setSpeed(speed: number): void;
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
  const [speed, setSpeed] = useState(1);
  const chapters = useMemo(() => (clip?.events ?? []).map(({ offset }) => Math.max(0, offset)), [clip?.events]);
  useEffect(() => {
    if (video.current) video.current.playbackRate = speed;
  }, [speed]);

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
      if (move.does === "speed") setSpeed((now) => speedAfter(now, move.by));
      if (move.does === "frame") element.pause();
      const duration = Number.isFinite(element.duration) ? element.duration : (clip?.duration ?? 0);
      const { frameSeconds } = footageOf({ duration, frameRate: clip?.frameRate ?? null });
      const place = placeAfter(move, { at: element.currentTime, duration, frameSeconds, chapters });
      if (place !== undefined) element.currentTime = place;
      return true;
    },
    [chapters, clip?.duration, clip?.frameRate],
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
  return { video, chapter, begun, speed, setSpeed, onTime, go, playFrom, showAt };
}

/** A video stops at its end by itself; only what it plays a part of has to be watched, a picture at a time. */
const nearEndSeconds = 0.02;

type Watched = {
  /** The part that is played; the whole clip when left out. */
  readonly part: PartRange | undefined;
  readonly loops: boolean;
};

/** A clip that plays in a part of it begins anew at the part's end, or stops there. */
export function usePart({ video }: Playback, { part, loops }: Watched): void {
  useEffect(() => {
    const element = video.current;
    if (element === null) return;
    element.loop = loops && part === undefined;
    if (part === undefined) return;
    let frame = 0;
    let inside = false;
    const look = () => {
      frame = requestAnimationFrame(look);
      if (element.seeking || element.paused) return;
      const before = element.currentTime < part.to - nearEndSeconds;
      // What lies behind the part can be played, too.
      if (before || !inside) {
        inside = before;
        return;
      }
      inside = false;
      if (loops) {
        element.currentTime = part.from;
        return;
      }
      element.pause();
      element.currentTime = part.to;
    };
    const begin = () => {
      cancelAnimationFrame(frame);
      look();
    };
    const end = () => cancelAnimationFrame(frame);
    const again = () => {
      if (!loops) return;
      element.currentTime = part.from;
      element.play().catch(ignored);
    };
    element.addEventListener("play", begin);
    element.addEventListener("pause", end);
    element.addEventListener("ended", again);
    if (!element.paused) begin();
    return () => {
      end();
      element.removeEventListener("play", begin);
      element.removeEventListener("pause", end);
      element.removeEventListener("ended", again);
    };
  }, [video, part, loops]);
}
