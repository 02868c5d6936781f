// Fields that filter a list: by one of the known games, and by kind.
import { unsorted } from "../api/address-filters.ts";
import { t } from "../language/language.ts";
import { SegmentedChoice, Select } from "./fields.tsx";
import { gameName } from "./names.ts";

type KindChoiceProps<K extends string> = {
  kinds: readonly K[];
  labelOf: (kind: K) => string;
  chosen: K | undefined;
  onChange: (change: { kind: K | undefined }) => void;
};

/** A field to show one kind of the things in a list, or all kinds. */
export function KindChoice<K extends string>({ kinds, labelOf, chosen, onChange }: KindChoiceProps<K>) {
  return (
    <SegmentedChoice
      className="filter-kind"
      label={t("Kind")}
      choices={[
        { value: "all" as const, says: t("All") },
        ...kinds.map((kind) => ({ value: kind, says: labelOf(kind) })),
      ]}
      value={chosen ?? "all"}
      onChange={(kind) => onChange({ kind: kind === "all" ? undefined : kind })}
    />
  );
}

type Props = {
  chosen: string | undefined;
  games: readonly string[];
  onChange: (change: { game: string | undefined }) => void;
};

/** A field to choose one of the known games. */
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
