// Controls a video element: its position, speed, start and stop.
import type { Clip } from "@kit/contract";
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { chapterIndexAt, nextSpeed, type PlayerMove, positionAfter } from "./player-keys.ts";
import { clipTiming, type TrimRange } from "./trim-range.ts";

export type Playback = {
  readonly video: RefObject<HTMLVideoElement | null>;
  /** Index of the moment at the current position; -1 before the first one. */
  readonly chapter: number;
  /** Whether a person has played or moved the video. Before that, no moment is highlighted. */
  readonly begun: boolean;
  readonly speed: number;
  setSpeed(speed: number): void;
  onTime(): void;
  /** Performs the move that a key stands for. Returns false if there is no video. */
  go(move: PlayerMove): boolean;
  /** Plays from a second of the clip. */
  playFrom(seconds: number): void;
  /** Pauses at a second of the clip. */
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
    setChapter(chapterIndexAt(chapters, element.currentTime));
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
      if (move.does === "speed") setSpeed((now) => nextSpeed(now, move.by));
      if (move.does === "frame") element.pause();
      const duration = Number.isFinite(element.duration) ? element.duration : (clip?.duration ?? 0);
      const { frameSeconds } = clipTiming({ duration, frameRate: clip?.frameRate ?? null });
      const place = positionAfter(move, { at: element.currentTime, duration, frameSeconds, chapters });
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

/** Playback this close to the end of a range counts as being at the end. About one frame. */
const nearEndSeconds = 0.02;

type Watched = {
  /** The range to play; undefined is the whole clip. */
  readonly range: TrimRange | undefined;
  readonly loops: boolean;
};

/** When playback reaches the end of the range, stops it or starts the range again. */
export function usePlaybackRange({ video }: Playback, { range, loops }: Watched): void {
  useEffect(() => {
    const element = video.current;
    if (element === null) return;
    element.loop = loops && range === undefined;
    if (range === undefined) return;
    let frame = 0;
    let inside = false;
    const look = () => {
      frame = requestAnimationFrame(look);
      if (element.seeking || element.paused) return;
      const before = element.currentTime < range.to - nearEndSeconds;
      // A person may play what is outside the range. Playback stops or loops only if it reaches the end from inside.
      if (before || !inside) {
        inside = before;
        return;
      }
      inside = false;
      if (loops) {
        element.currentTime = range.from;
        return;
      }
      element.pause();
      element.currentTime = range.to;
    };
    const begin = () => {
      cancelAnimationFrame(frame);
      look();
    };
    const end = () => cancelAnimationFrame(frame);
    const again = () => {
      if (!loops) return;
      element.currentTime = range.from;
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
  }, [video, range, loops]);
}
