// What a template's variables stand for. Nothing else of an event is ever put into a post.
import type { PostVariable } from "@kit/contract";
import { eventWords, gameWords, idWords } from "./words.ts";

export type Values = Readonly<Record<PostVariable, string>>;

/** An event in words: a person's, else those of its id. */
export type WordsOf = (eventId: string, game: string | null) => string;

export type Told = {
  readonly eventId: string;
  readonly game: string | null;
  readonly atMs: number;
  /** Null while there is no clip, or never will be. */
  readonly clipSeconds: number | null;
};

/** `17 s`, `1 min 5 s`. */
function lengthWords(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}

/** Day and time by this machine's clock, in a form that is read alike everywhere. */
export function valuesOf({ eventId, game, atMs, clipSeconds }: Told, wordsOf: WordsOf): Values {
  const at = new Date(atMs);
  return {
    event: eventWords(wordsOf(eventId, game)),
    game: gameWords(game),
    eventId: idWords(eventId),
    time: at.toLocaleTimeString("sv-SE", { hour: "2-digit", minute: "2-digit" }),
    date: at.toLocaleDateString("sv-SE"),
    clipLength: clipSeconds === null ? "" : lengthWords(clipSeconds),
  };
}

/** Of a template with nothing filled in: what is left is what it always says. */
export const blank: Values = { event: "", game: "", eventId: "", time: "", date: "", clipLength: "" };
