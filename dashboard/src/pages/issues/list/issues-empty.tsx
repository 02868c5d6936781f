// What the issue list shows when it has no rows.
import { Button } from "@radix-ui/themes";
import { t } from "../../../language/language.ts";
import { connectAddress } from "../../../ui/address.ts";
import { CommandLine } from "../../../ui/command-line.tsx";
import { EmptyState, NoMatches } from "../../../ui/empty.tsx";
import { exampleErrorCommand } from "../issue-text.ts";
import { type IssueTab, type IssueView, isIssueViewFiltered } from "../issue-view.ts";
import { useHasIssues } from "../use-issues.ts";

type EmptyText = { readonly title: string; readonly says: string };

const emptyTabTexts: Record<Exclude<IssueTab, "open">, EmptyText> = {
  resolved: {
    title: t("No resolved issues yet"),
    says: t("Resolved issues are listed here. If the error occurs again, its issue reopens as regressed."),
  },
  muted: {
    title: t("No muted issues"),
    says: t("Kit keeps counting muted issues, but sends no alerts until the mute ends."),
  },
  bin: { title: t("The trash is empty"), says: t("Deleted issues stay here for 30 days and are still counted.") },
};

const emptyOpenText: EmptyText = { title: t("No open issues"), says: t("Every issue is resolved or muted.") };
const noMatchText: EmptyText = {
  title: t("No issue matches these filters"),
  says: t("New matches appear here automatically."),
};

export function EmptyIssueList({ view, onClear }: { view: IssueView; onClear: () => void }) {
  const plain = view.tab === "open" && !isIssueViewFiltered(view);
  const any = useHasIssues(plain);
  if (plain && any.data === undefined) return null;
  if (plain && any.data === false) return <NoReports />;
  const { title, says } = isIssueViewFiltered(view)
    ? noMatchText
    : view.tab === "open"
      ? emptyOpenText
      : emptyTabTexts[view.tab];
  return plain ? (
    <EmptyState title={title}>
      <p>{says}</p>
    </EmptyState>
  ) : (
    <NoMatches title={title} hint={says} clearLabel={t("Show open issues")} onClear={onClear} />
  );
}

function NoReports() {
  return (
    <EmptyState title={t("No errors yet")} isNew>
      <p>
        {t(
          "When a game reports an error, it appears here within a second: grouped and counted, with its stack and the events before it.",
        )}
      </p>
      <Button asChild size="3">
        <a href={connectAddress()}>{t("Connect a game")}</a>
      </Button>
      <p>{t("Or report one yourself, from a terminal:")}</p>
      <CommandLine command={exampleErrorCommand} />
    </EmptyState>
  );
}
