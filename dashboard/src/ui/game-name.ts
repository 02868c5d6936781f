// What a game is called wherever it is named.
import { demoGame } from "@kit/contract";
import { unsorted } from "../api/event-filter.ts";
import { t } from "../language/language.ts";
import { visibleLine } from "./visible-text.ts";

/** Null: events without a game. Nobody is to take the made-up game for one of theirs. */
export function gameWord(game: string | null, charsMax = 60): string {
  if (game === null || game === unsorted) return t("Unsorted");
  if (game === demoGame) return t("Demo");
  return visibleLine(game, charsMax).trim() || t("Unnamed");
}
