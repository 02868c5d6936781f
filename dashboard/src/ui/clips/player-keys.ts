// The player's keys: which key does what, and where in the clip that leads. Pure.
import { t } from "../../language/language.ts";
import type { Edge, Footage } from "./trim-range.ts";

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

/** Keys that mark a part of the clip. */
export const edgeOf = (key: string): Edge | undefined =>
  ({ i: "from" as const, o: "to" as const })[key.length === 1 ? key.toLowerCase() : ""];

export const isLoopKey = (key: string): boolean => key === "r" || key === "R";

export const playerKeys = (): { keys: readonly string[]; says: string }[] => [
  { keys: ["Space", "K"], says: t("Play or pause") },
  { keys: ["←", "→"], says: t("2 seconds back or on") },
  { keys: ["J", "L"], says: t("5 seconds back or on") },
  { keys: [",", "."], says: t("One frame back or on") },
  { keys: ["<", ">"], says: t("Slower or faster") },
  { keys: ["[", "]"], says: t("The moment before or after") },
  { keys: ["I", "O"], says: t("A part begins or ends here") },
  { keys: ["R"], says: t("Again and again, or not") },
  { keys: ["Home"], says: t("To the start") },
  { keys: ["Esc"], says: t("Close the player") },
];

/** Letters and signs, which a person can switch off; the space bar is everybody's. */
export const isSingleKey = (key: string): boolean => key.length === 1 && key !== " ";

export const moveOf = (key: string): PlayerMove | undefined => moves.get(key.length === 1 ? key.toLowerCase() : key);

/** How fast a clip can be played. */
export const speeds = [0.25, 0.5, 1, 1.5, 2] as const;

/** The next speed up or down; the same at either end. */
export function speedAfter(speed: number, by: 1 | -1): number {
  const at = speeds.findIndex((known) => known >= speed);
  return speeds[Math.min(Math.max(0, at + by), speeds.length - 1)] ?? speed;
}

/** A moment just passed is not what `[` looks for. */
const passedSeconds = 1;

type Stand = Footage & { readonly at: number; readonly chapters: readonly number[] };

/** The second a move leads to; undefined for one that does not change the place. */
export function placeAfter(move: PlayerMove, { at, duration, frameSeconds, chapters }: Stand): number | undefined {
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

/** The index of the chapter that plays at a second; -1 before the first. */
export const chapterAt = (chapters: readonly number[], at: number): number =>
  chapters.findLastIndex((offset) => offset <= at + 0.05);
