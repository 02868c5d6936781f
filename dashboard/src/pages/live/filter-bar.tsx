// The Live page's filter bar.
import { type EventKind, eventKinds } from "@kit/contract";
import { SegmentedControl, Switch, TextField } from "@radix-ui/themes";
import { type RefObject, useId } from "react";
import type { LiveFilter } from "../../api/event-filter.ts";
import { t } from "../../language/language.ts";
import { eventKindLabel } from "../../ui/event-text.ts";
import { GameChoice } from "../../ui/game-choice.tsx";
import { Icon } from "../../ui/icon.tsx";
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
      <TextField.Root
        ref={textField}
        className="filter-text"
        type="search"
        aria-label={t("Show only rows that contain these words")}
        placeholder={t("Filter")}
        value={filter.text ?? ""}
        onChange={(event) => onChange({ text: event.target.value || undefined })}
        onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
      >
        <TextField.Slot>
          <Icon name="search" size={14} />
        </TextField.Slot>
      </TextField.Root>
      <GameChoice chosen={filter.game} games={games} onChange={onChange} />
      <KindChoice chosen={filter.kind} onChange={onChange} />
      <RefusalSwitch shown={filter.refusals === "shown"} onChange={onChange} />
    </search>
  );
}

type ChoiceProps<Chosen> = { chosen: Chosen | undefined; onChange: Props["onChange"] };

function KindChoice({ chosen, onChange }: ChoiceProps<EventKind>) {
  return (
    <SegmentedControl.Root
      className="filter-kind"
      aria-label={t("Kind")}
      value={chosen ?? "all"}
      onValueChange={(value) => onChange({ kind: eventKinds.find((kind) => kind === value) })}
    >
      <SegmentedControl.Item value="all">{t("All")}</SegmentedControl.Item>
      {eventKinds.map((kind) => (
        <SegmentedControl.Item key={kind} value={kind}>
          {eventKindLabel(kind)}
        </SegmentedControl.Item>
      ))}
    </SegmentedControl.Root>
  );
}

function RefusalSwitch({ shown, onChange }: { shown: boolean; onChange: Props["onChange"] }) {
  const id = useId();
  return (
    <label className="filter-refusals" htmlFor={id}>
      <Switch
        id={id}
        size="1"
        checked={shown}
        onCheckedChange={(on) => onChange({ refusals: on ? "shown" : "hidden" })}
      />
      {t("Refused")}
    </label>
  );
}
