// The Live page's filter bar.
import { eventKinds } from "@kit/contract";
import type { RefObject } from "react";
import type { LiveFilter } from "../../api/event-filter.ts";
import { t } from "../../language/language.ts";
import { eventKindLabel } from "../../ui/event-text.ts";
import { SearchField, SwitchField } from "../../ui/fields.tsx";
import { GameChoice } from "../../ui/game-choice.tsx";
import { KindChoice } from "../../ui/kind-choice.tsx";
import type { LiveFilterChange } from "./use-filter.ts";

type Props = {
  filter: LiveFilter;
  games: readonly string[];
  onChange: (change: LiveFilterChange) => void;
  textField: RefObject<HTMLInputElement | null>;
};

export function FilterBar({ filter, games, onChange, textField }: Props) {
  return (
    <search className="filters" aria-label={t("Filter the events")}>
      <SearchField
        field={textField}
        label={t("Show only rows that contain these words")}
        placeholder={t("Filter")}
        text={filter.text ?? ""}
        onChange={(text) => onChange({ text: text || undefined })}
      />
      <GameChoice chosen={filter.game} games={games} onChange={onChange} />
      <KindChoice kinds={eventKinds} labelOf={eventKindLabel} chosen={filter.kind} onChange={onChange} />
      <SwitchField
        says={t("Refused")}
        on={filter.refusals === "shown"}
        onChange={(on) => onChange({ refusals: on ? "shown" : "hidden" })}
      />
    </search>
  );
}
