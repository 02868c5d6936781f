// Selects one of the known games.

import { unsorted } from "../api/event-filter.ts";
import { t } from "../language/language.ts";
import { gameName } from "./game-name.ts";

type Props = {
  chosen: string | undefined;
  games: readonly string[];
  onChange: (change: { game: string | undefined }) => void;
};

export function GameChoice({ chosen, games, onChange }: Props) {
  const offered = chosen && chosen !== unsorted && !games.includes(chosen) ? [chosen, ...games] : games;
  return (
    <span className="select game-choice">
      <select
        aria-label={t("Game")}
        value={chosen ?? ""}
        onChange={(event) => onChange({ game: event.target.value || undefined })}
      >
        <option value="">{t("All games")}</option>
        {offered.map((game) => (
          <option key={game} value={game}>
            {gameName(game)}
          </option>
        ))}
        <option value={unsorted}>{t("Unsorted")}</option>
      </select>
    </span>
  );
}
