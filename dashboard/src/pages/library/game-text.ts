// Texts of the Games page. Pure except for the current language.
import { demoGame, type LibraryGame, type SwitchChange } from "@kit/contract";
import { locale, t } from "../../language/language.ts";
import { formatDuration, formatMinute, formatRelativeTime } from "../../ui/format.ts";
import { visibleLine } from "../../ui/visible-text.ts";

const nameCharsMax = 80;

export const libraryGameName = ({ name, game }: LibraryGame): string =>
  visibleLine(name, nameCharsMax).trim() || visibleLine(game, nameCharsMax);
export const isDemoGame = ({ game }: LibraryGame): boolean => game === demoGame;

/** Returns the first letters of a game's first two words, for a game without a picture. */
export const gameInitials = (game: LibraryGame): string =>
  libraryGameName(game)
    .split(/\s+/u)
    .slice(0, 2)
    .map((word) => [...word][0]?.toLocaleUpperCase(locale()) ?? "")
    .join("");

const groundsMax = 6;
/** Returns which of six backgrounds a game has. Computed from the game id, so that it is always the same. */
export const coverBackgroundIndex = ({ game }: LibraryGame): number =>
  [...game].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973, 7) % groundsMax;

export function lastPlayedText({ lastPlayedAt, playing }: LibraryGame, nowMs: number): string {
  if (lastPlayedAt === null) return t("Not played yet");
  if (!playing) return t("Played {{when}}", { when: formatRelativeTime(lastPlayedAt, nowMs) });
  return t("Playing since {{time}}", { time: formatMinute(lastPlayedAt) });
}

export const playTimeText = ({ playedSeconds }: LibraryGame): string =>
  t("{{length}} in total", { length: formatDuration(playedSeconds * 1_000) });

type Counted = "clips" | "issues" | "sessions" | "drafts";

export function gameCountText(what: Counted, count: number): string {
  const number = count.toLocaleString(locale());
  const words: Record<Counted, () => string> = {
    clips: () => t("{{number}} clips", { count, number, defaultValue_one: "{{number}} clip" }),
    issues: () => t("{{number}} issues", { count, number, defaultValue_one: "{{number}} issue" }),
    sessions: () => t("{{number}} sessions", { count, number, defaultValue_one: "{{number}} session" }),
    drafts: () => t("{{number}} drafts", { count, number, defaultValue_one: "{{number}} draft" }),
  };
  return words[what]();
}

export function switchLabel(kind: keyof SwitchChange): string {
  const words: Record<keyof SwitchChange, () => string> = {
    recording: () => t("Make clips"),
    monitor: () => t("Group errors into issues"),
    social: () => t("Create posts"),
  };
  return words[kind]();
}
