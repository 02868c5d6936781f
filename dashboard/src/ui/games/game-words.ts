// The words of the Games page. Pure but for the language they are said in.
import { demoGame, type LibraryGame, type SwitchChange } from "@kit/contract";
import { locale, t } from "../../language/language.ts";
import { agoOf } from "../measures.ts";
import { lengthWords } from "../sessions/session-words.ts";
import { visibleLine } from "../visible-text.ts";

const nameCharsMax = 80;

export const nameOf = ({ name, game }: LibraryGame): string =>
  visibleLine(name, nameCharsMax).trim() || visibleLine(game, nameCharsMax);
export const isDemo = ({ game }: LibraryGame): boolean => game === demoGame;

/** On a game without a picture: the first letters of its first two words. */
export const initialsOf = (game: LibraryGame): string =>
  nameOf(game)
    .split(/\s+/u)
    .slice(0, 2)
    .map((word) => [...word][0]?.toLocaleUpperCase(locale()) ?? "")
    .join("");

const groundsMax = 6;
/** Which of the grounds stands behind them: always the same for a game. */
export const groundOf = ({ game }: LibraryGame): number =>
  [...game].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973, 7) % groundsMax;

const dayMs = 86_400_000;

/** Without days around it a time of day alone would be misread. */
function daysAgo(at: string, nowMs: number): string {
  const days = Math.floor((nowMs - Date.parse(at)) / dayMs);
  if (days < 1) return agoOf(at, nowMs);
  if (days < 30) return new Intl.RelativeTimeFormat(locale() ?? "en", { numeric: "auto" }).format(-days, "day");
  return new Date(at).toLocaleDateString(locale(), { dateStyle: "medium" });
}

export function playedWord({ lastPlayedAt, playing }: LibraryGame, nowMs: number): string {
  if (lastPlayedAt === null) return t("Not played yet");
  if (!playing) return t("Played {{when}}", { when: daysAgo(lastPlayedAt, nowMs) });
  const since = new Date(lastPlayedAt).toLocaleTimeString(locale(), {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return t("Playing since {{time}}", { time: since });
}

export const altogetherWord = ({ playedSeconds }: LibraryGame): string =>
  t("{{length}} altogether", { length: lengthWords(playedSeconds * 1_000) });

type Counted = "clips" | "issues" | "sessions" | "drafts";

export function countWord(what: Counted, count: number): string {
  const number = count.toLocaleString(locale());
  const words: Record<Counted, () => string> = {
    clips: () => t("{{number}} clips", { count, number, defaultValue_one: "{{number}} clip" }),
    issues: () => t("{{number}} issues", { count, number, defaultValue_one: "{{number}} issue" }),
    sessions: () => t("{{number}} sessions", { count, number, defaultValue_one: "{{number}} session" }),
    drafts: () => t("{{number}} drafts", { count, number, defaultValue_one: "{{number}} draft" }),
  };
  return words[what]();
}

export function switchWord(kind: keyof SwitchChange): string {
  const words: Record<keyof SwitchChange, () => string> = {
    recording: () => t("Make clips"),
    monitor: () => t("Collect errors"),
    social: () => t("Prepare posts"),
  };
  return words[kind]();
}
