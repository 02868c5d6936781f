// What can be done with all selected issues at once.
import type { Issue } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { Icon, type IconName } from "../frame/icon.tsx";
import { t } from "../language/language.ts";
import type { IssueTab } from "./issue-view.ts";
import { issuesWord } from "./measures.ts";
import type { IssueDoing } from "./use-issue-doing.ts";

type Props = { selected: readonly Issue[]; tab: IssueTab; doing: IssueDoing; onClear: () => void };

const oneGame = (issues: readonly Issue[]) => new Set(issues.map(({ game }) => game)).size === 1;

export function SelectionBar({ selected, tab, doing, onClear }: Props) {
  const ids = selected.map(({ id }) => id);
  const button = (icon: IconName, says: string, onClick: () => void) => (
    <Button variant="soft" color="gray" onClick={onClick}>
      <Icon name={icon} size={14} />
      {says}
    </Button>
  );
  return (
    <section className="selection-bar" aria-label={t("What to do with the selected")}>
      <p role="status">{t("{{issues}} selected", { issues: issuesWord(selected.length) })}</p>
      {tab === "bin" ? (
        <>
          {button("undo", t("Take back"), () => doing.restore(ids))}
          {button("bin", t("Remove for good"), () => doing.ask("remove", selected))}
        </>
      ) : (
        <>
          {tab !== "resolved" && button("check", t("Resolve"), () => doing.resolve(ids))}
          {tab !== "open" && button("undo", t("Open again"), () => doing.reopen(ids))}
          {tab !== "muted" && button("mute", t("Mute"), () => doing.ask("mute", selected))}
          {selected.length > 1 && oneGame(selected) && button("merge", t("Merge"), () => doing.ask("merge", selected))}
          {button("bin", t("Delete"), () => doing.discard(ids))}
        </>
      )}
      <Button variant="ghost" color="gray" onClick={onClear}>
        {t("Clear")}
      </Button>
    </section>
  );
}
