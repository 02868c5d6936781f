// The name under which a game is shown.
import { demoGame } from "@kit/contract";
import { unsorted } from "../api/address-filters.ts";
import { t } from "../language/language.ts";
import { visibleLine } from "./visible-text.ts";

/**
 * Returns the name to show for a game; null means events without a game. The demo has a fixed name, so that nobody
 * takes it for a real game.
 */
export function gameName(game: string | null, charsMax = 60): string {
  if (game === null || game === unsorted) return t("Unsorted");
  if (game === demoGame) return t("Demo");
  return visibleLine(game, charsMax).trim() || t("Unnamed");
}
