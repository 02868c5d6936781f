// What the issue list shows when it has no rows.
import { Button, Heading, Text } from "@radix-ui/themes";
import type { ReactNode } from "react";
import { t } from "../../language/language.ts";
import { connectAddress } from "../../ui/address.ts";
import { CommandLine } from "../../ui/command-line.tsx";
import { exampleErrorCommand } from "../../ui/issues/issue-text.ts";
import { type IssueTab, type IssueView, isIssueViewFiltered } from "../../ui/issues/issue-view.ts";
import mark from "../../ui/mark.svg";
import { useHasIssues } from "./use-issues.ts";

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

function Empty({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className="empty" aria-labelledby={id}>
      <Heading as="h2" size="4" weight="medium" id={id}>
        {title}
      </Heading>
      {children}
    </section>
  );
}

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
  return (
    <Empty id="no-issues" title={title}>
      <Text as="p" color="gray">
        {says}
      </Text>
      {!plain && (
        <Button variant="soft" onClick={onClear}>
          {t("Show open issues")}
        </Button>
      )}
    </Empty>
  );
}

function NoReports() {
  return (
    <section className="empty" aria-labelledby="no-errors">
      <img src={mark} width="56" height="56" alt="" />
      <Heading as="h2" size="5" weight="medium" id="no-errors">
        {t("No errors yet")}
      </Heading>
      <Text as="p" color="gray">
        {t(
          "When a game reports an error, it appears here within a second: grouped and counted, with its stack and the events before it.",
        )}
      </Text>
      <Button asChild size="3">
        <a href={connectAddress()}>{t("Connect a game")}</a>
      </Button>
      <Text as="p" color="gray">
        {t("Or report one yourself, from a terminal:")}
      </Text>
      <CommandLine command={exampleErrorCommand} />
    </section>
  );
}
