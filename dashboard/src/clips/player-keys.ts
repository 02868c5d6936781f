// The player's keys: which key does what, and where in the clip that leads. Pure.

export type PlayerMove =
  | { readonly does: "toggle" }
  | { readonly does: "step"; readonly seconds: number }
  | { readonly does: "frame"; readonly frames: 1 | -1 }
  | { readonly does: "start" }
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
  ["Home", { does: "start" }],
  ["[", { does: "chapter", by: -1 }],
  ["]", { does: "chapter", by: 1 }],
]);

export const playerKeys = [
  { keys: ["Space", "K"], says: "Play or pause" },
  { keys: ["←", "→"], says: "2 seconds back or on" },
  { keys: ["J", "L"], says: "5 seconds back or on" },
  { keys: [",", "."], says: "One frame back or on" },
  { keys: ["[", "]"], says: "The moment before or after" },
  { keys: ["Home"], says: "To the start" },
  { keys: ["Esc"], says: "Close the player" },
] as const;

/** Letters and signs, which a person can switch off; the space bar is everybody's. */
export const isSingleKey = (key: string): boolean => key.length === 1 && key !== " ";

export const moveOf = (key: string): PlayerMove | undefined => moves.get(key.length === 1 ? key.toLowerCase() : key);

/** The recorder's usual rate: a clip does not say its own, and half a frame too far is still the next one. */
const frameSeconds = 1 / 30;
/** A moment just passed is not what `[` looks for. */
const passedSeconds = 1;

type Footage = { readonly at: number; readonly duration: number; readonly chapters: readonly number[] };

/** The second a move leads to; undefined for one that does not change the place. */
export function placeAfter(move: PlayerMove, { at, duration, chapters }: Footage): number | undefined {
  const within = (seconds: number) => Math.min(Math.max(0, seconds), Math.max(0, duration));
  switch (move.does) {
    case "toggle":
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
