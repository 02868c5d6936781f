// A field to choose one of the known games.

import { unsorted } from "../api/event-filter.ts";
import { t } from "../language/language.ts";
import { Select } from "./fields.tsx";
import { gameName } from "./game-name.ts";

type Props = {
  chosen: string | undefined;
  games: readonly string[];
  onChange: (change: { game: string | undefined }) => void;
};

export function GameChoice({ chosen, games, onChange }: Props) {
  const offered = chosen && chosen !== unsorted && !games.includes(chosen) ? [chosen, ...games] : games;
  const choices = [
    { value: "", says: t("All games") },
    ...offered.map((game) => ({ value: game, says: gameName(game) })),
    { value: unsorted, says: t("Unsorted") },
  ];
  return (
    <Select
      className="game-choice"
      label={t("Game")}
      choices={choices}
      value={chosen ?? ""}
      onChange={(game) => onChange({ game: game || undefined })}
    />
  );
}
