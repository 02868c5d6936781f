// The player's keyboard shortcuts. Pure.
import { t } from "../../language/language.ts";
import type { ClipTiming, TrimEdge } from "./trim-range.ts";

export type PlayerMove =
  | { readonly does: "toggle" }
  | { readonly does: "step"; readonly seconds: number }
  | { readonly does: "frame"; readonly frames: 1 | -1 }
  | { readonly does: "start" }
  | { readonly does: "speed"; readonly by: 1 | -1 }
  | { readonly does: "chapter"; readonly by: 1 | -1 };

const moves: ReadonlyMap<string, PlayerMove> = new Map<string, PlayerMove>([
  [" ", { does: "toggle" }],
  ["k", { does: "toggle" }],
  ["ArrowLeft", { does: "step", seconds: -2 }],
  ["ArrowRight", { does: "step", seconds: 2 }],
  ["j", { does: "step", seconds: -5 }],
  ["l", { does: "step", seconds: 5 }],
  [",", { does: "frame", frames: -1 }],
  [".", { does: "frame", frames: 1 }],
  ["<", { does: "speed", by: -1 }],
  [">", { does: "speed", by: 1 }],
  ["Home", { does: "start" }],
  ["[", { does: "chapter", by: -1 }],
  ["]", { does: "chapter", by: 1 }],
]);

/** Returns the edge of the trim range that a key sets. */
export const edgeOfKey = (key: string): TrimEdge | undefined =>
  ({ i: "from" as const, o: "to" as const })[key.length === 1 ? key.toLowerCase() : ""];

/** Returns what a key does with the clip: copies its file, or saves the frame that is shown. */
export const outputOfKey = (key: string): "copy" | "frame" | undefined =>
  ({ c: "copy" as const, s: "frame" as const })[key.length === 1 ? key.toLowerCase() : ""];

export const isLoopKey = (key: string): boolean => key === "r" || key === "R";

export const playerKeyHelp = (): { keys: readonly string[]; says: string }[] => [
  { keys: ["Space", "K"], says: t("Play or pause") },
  { keys: ["←", "→"], says: t("2 seconds back or forward") },
  { keys: ["J", "L"], says: t("5 seconds back or forward") },
  { keys: [",", "."], says: t("One frame back or forward") },
  { keys: ["<", ">"], says: t("Slower or faster") },
  { keys: ["[", "]"], says: t("Previous or next moment") },
  { keys: ["I", "O"], says: t("Set the start or end of the trim") },
  { keys: ["R"], says: t("Loop on or off") },
  { keys: ["C"], says: t("Copy the file") },
  { keys: ["S"], says: t("Save this frame as a picture") },
  { keys: ["Home"], says: t("Go to the start") },
  { keys: ["Esc"], says: t("Close the player") },
];

/**
 * Whether a key is a letter or punctuation: a person can switch off shortcuts with these. The space bar always works.
 */
export const isSingleKey = (key: string): boolean => key.length === 1 && key !== " ";

export const moveOfKey = (key: string): PlayerMove | undefined => moves.get(key.length === 1 ? key.toLowerCase() : key);

/** The playback speeds that a person can choose. */
export const playbackSpeeds = [0.25, 0.5, 1, 1.5, 2] as const;

/** Returns the next higher or lower speed; the highest and the lowest lead to themselves. */
export function nextSpeed(speed: number, by: 1 | -1): number {
  const at = playbackSpeeds.findIndex((known) => known >= speed);
  return playbackSpeeds[Math.min(Math.max(0, at + by), playbackSpeeds.length - 1)] ?? speed;
}

/**
 * `[` goes to the start of the current moment, or of the one before if the current one began less than this long ago.
 */
const passedSeconds = 1;

type Stand = ClipTiming & { readonly at: number; readonly chapters: readonly number[] };

/** Returns the second to which a move leads; undefined if the move does not change the position. */
export function positionAfter(move: PlayerMove, { at, duration, frameSeconds, chapters }: Stand): number | undefined {
  const within = (seconds: number) => Math.min(Math.max(0, seconds), Math.max(0, duration));
  switch (move.does) {
    case "toggle":
    case "speed":
      return undefined;
    case "start":
      return 0;
    case "step":
      return within(at + move.seconds);
    case "frame":
      return within(at + move.frames * frameSeconds);
    case "chapter": {
      const next =
        move.by === 1
          ? chapters.find((offset) => offset > at + 0.05)
          : chapters.findLast((offset) => offset < at - passedSeconds);
      return next === undefined ? (move.by === 1 ? undefined : 0) : within(next);
    }
  }
}

/** Returns the index of the chapter that contains a second; -1 before the first chapter. */
export const chapterIndexAt = (chapters: readonly number[], at: number): number =>
  chapters.findLastIndex((offset) => offset <= at + 0.05);
