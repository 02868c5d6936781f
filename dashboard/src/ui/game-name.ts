// The display name of a game.
import { demoGame } from "@kit/contract";
import { unsorted } from "../api/event-filter.ts";
import { t } from "../language/language.ts";
import { visibleLine } from "./visible-text.ts";

/** Null stands for events without a game. The demo gets its own label, so that nobody mistakes it for a real game. */
export function gameName(game: string | null, charsMax = 60): string {
  if (game === null || game === unsorted) return t("Unsorted");
  if (game === demoGame) return t("Demo");
  return visibleLine(game, charsMax).trim() || t("Unnamed");
}
