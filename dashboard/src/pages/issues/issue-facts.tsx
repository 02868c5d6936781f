// An issue's counts, times and sender, and the reason why its reports are grouped.
import type { Issue, IssueReport } from "@kit/contract";
import { Trans, t, translateMessage } from "../../language/language.ts";
import { CommandLine } from "../../ui/command-line.tsx";
import { gameName } from "../../ui/game-name.ts";
import { formatCount } from "../../ui/issues/issue-format.ts";
import { issueStateLabel, mutedUntilText, stackFormatName } from "../../ui/issues/issue-text.ts";
import { Time } from "../../ui/labels.tsx";
import { Fact, IdFact, PageSection } from "../../ui/section.tsx";
import { visibleText } from "../../ui/visible-text.ts";

export function IssueFacts({ issue, report }: { issue: Issue; report: IssueReport | null }) {
  const muted = mutedUntilText(issue);
  return (
    <PageSection title={t("Facts")}>
      <dl className="facts">
        <Fact name={t("Reports")}>{formatCount(issue.count)}</Fact>
        <Fact name={t("First seen")}>
          <Time at={issue.firstSeen} date />
        </Fact>
        <Fact name={t("Last seen")}>
          <Time at={issue.lastSeen} date />
        </Fact>
        <Fact name={t("Game")}>{gameName(issue.game)}</Fact>
        <Fact name={t("State")}>
          <Trans
            i18nKey="{{state}} since <when/>"
            values={{ state: [issueStateLabel(issue.state).says, muted].filter(Boolean).join(", ") }}
            components={{ when: <Time at={issue.stateSince} date /> }}
          />
        </Fact>
        <Fact name={t("Stack")}>{stackFormatName(issue.dialect)}</Fact>
        {report && (
          <>
            <Fact name={t("Sent by")}>
              {report.client === null ? t("A program that did not identify itself") : visibleText(report.client)}
            </Fact>
            <Fact name={t("Web page")}>
              {report.origin === null ? t("None (native game)") : visibleText(report.origin)}
            </Fact>
          </>
        )}
        <IdFact id={issue.id} />
      </dl>
    </PageSection>
  );
}

export function GroupingSection({ issue }: { issue: Issue }) {
  return (
    <PageSection title={t("Why these reports are grouped")}>
      <p>
        <bdi>{visibleText(translateMessage(issue.why))}</bdi>
      </p>
      <CommandLine command={`npx kit issue ${issue.id}`} />
    </PageSection>
  );
}
