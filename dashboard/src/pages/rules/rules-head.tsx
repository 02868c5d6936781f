// The head of the Rules page: its filters, and a button to import a kit.events.json file.
import type { RefObject } from "react";
import { t } from "../../language/language.ts";
import { GameChoice, KindChoice, SearchField } from "../../ui/fields.tsx";
import { FileButton } from "../../ui/file-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { GamesTabs, PageHead } from "../../ui/page.tsx";
import { eventsFileName } from "./events-file.ts";
import type { RulesView } from "./rule-rows.ts";
import { eventKindText } from "./rule-text.ts";

type Props = {
  view: RulesView;
  games: readonly string[];
  heading: RefObject<HTMLHeadingElement | null>;
  onChange: (change: RulesView) => void;
  onFile: (file: File) => void;
};

const ruleKinds = ["recording", "social"] as const;

export function RulesHead({ view, games, heading, onChange, onFile }: Props) {
  return (
    <PageHead
      title={t("Event rules")}
      heading={heading}
      beside={<GamesTabs page="rules" />}
      end={
        <FileButton label={eventsFileName} title={t("Or drop the file anywhere on this page")} onFile={onFile}>
          <Icon name="plus" size={14} />
          {t("Import kit.events.json")}
        </FileButton>
      }
    >
      <search className="filters" aria-label={t("Filter the events")}>
        <SearchField
          label={t("Search event ids and labels")}
          placeholder={t("Filter")}
          text={view.text ?? ""}
          onChange={(text) => onChange({ text: text || undefined })}
        />
        <GameChoice chosen={view.game} games={games} onChange={onChange} />
        <KindChoice kinds={ruleKinds} labelOf={eventKindText} chosen={view.kind} onChange={onChange} />
      </search>
    </PageHead>
  );
}
