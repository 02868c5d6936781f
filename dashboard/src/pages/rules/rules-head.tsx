// The header of the Rules page: filters, and the import of a kit.events.json file.
import { Button, SegmentedControl, TextField } from "@radix-ui/themes";
import { type RefObject, useRef } from "react";
import { t } from "../../language/language.ts";
import { gamesAddress } from "../../ui/address.ts";
import { GameChoice } from "../../ui/game-choice.tsx";
import { Icon } from "../../ui/icon.tsx";
import { eventsFileName } from "./events-file.ts";
import { eventKindText } from "./rule-text.ts";
import type { RulesView } from "./rules-view.ts";

type Props = {
  view: RulesView;
  games: readonly string[];
  heading: RefObject<HTMLHeadingElement | null>;
  onChange: (change: RulesView) => void;
  onFile: (file: File) => void;
};

const kinds = ["recording", "social"] as const;

export function RulesHead({ view, games, heading, onChange, onFile }: Props) {
  return (
    <div className="live-sticky">
      <div className="live-head">
        <h1 ref={heading} tabIndex={-1}>
          {t("Rules")}
        </h1>
        <a className="rules-games" href={gamesAddress}>
          {t("Games")}
        </a>
        <div className="live-head-end">
          <FileButton onFile={onFile} />
        </div>
      </div>
      <search className="filters" aria-label={t("Filter the events")}>
        <TextField.Root
          className="filter-text"
          type="search"
          aria-label={t("Search event ids and labels")}
          placeholder={t("Filter")}
          value={view.text ?? ""}
          onChange={({ target }) => onChange({ text: target.value || undefined })}
        >
          <TextField.Slot>
            <Icon name="search" size={14} />
          </TextField.Slot>
        </TextField.Root>
        <GameChoice chosen={view.game} games={games} onChange={onChange} />
        <SegmentedControl.Root
          className="filter-kind"
          aria-label={t("Kind")}
          value={view.kind ?? "all"}
          onValueChange={(value) => onChange({ kind: kinds.find((kind) => kind === value) })}
        >
          <SegmentedControl.Item value="all">{t("All")}</SegmentedControl.Item>
          {kinds.map((kind) => (
            <SegmentedControl.Item key={kind} value={kind}>
              {eventKindText(kind)}
            </SegmentedControl.Item>
          ))}
        </SegmentedControl.Root>
      </search>
    </div>
  );
}

/** A button that opens the file chooser, because a bare file input looks different in each browser. */
function FileButton({ onFile }: { onFile: Props["onFile"] }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label={eventsFileName}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // Lets a person choose the same file again after correcting it.
          target.value = "";
          if (file) onFile(file);
        }}
      />
      <Button variant="soft" title={t("Or drop the file anywhere on this page")} onClick={() => input.current?.click()}>
        <Icon name="plus" size={14} />
        {t("Import kit.events.json")}
      </Button>
    </>
  );
}
