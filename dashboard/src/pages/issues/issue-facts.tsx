// What is known of an issue: counts, times, who sent the report that is shown, and why its reports are one.
import type { Issue, IssueReport } from "@kit/contract";
import { Trans, t, translateMessage } from "../../language/language.ts";
import { CommandLine } from "../../ui/command-line.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { gameWord } from "../../ui/game-name.ts";
import { fullCount } from "../../ui/issues/issue-measures.ts";
import { dialectWord, issueStateWord, mutedWords } from "../../ui/issues/issue-words.ts";
import { Time } from "../../ui/labels.tsx";
import { Fact } from "../../ui/section.tsx";
import { visibleText } from "../../ui/visible-text.ts";
import { PageSection } from "./page-section.tsx";

export function IssueFacts({ issue, report }: { issue: Issue; report: IssueReport | null }) {
  const muted = mutedWords(issue);
  return (
    <PageSection title={t("Facts")}>
      <dl className="facts">
        <Fact name={t("Reports")}>{fullCount(issue.count)}</Fact>
        <Fact name={t("First seen")}>
          <Time at={issue.firstSeen} date />
        </Fact>
        <Fact name={t("Last seen")}>
          <Time at={issue.lastSeen} date />
        </Fact>
        <Fact name={t("Game")}>{gameWord(issue.game)}</Fact>
        <Fact name={t("State")}>
          <Trans
            i18nKey="{{state}} since <when/>"
            values={{ state: [issueStateWord(issue.state).says, muted].filter(Boolean).join(", ") }}
            components={{ when: <Time at={issue.stateSince} date /> }}
          />
        </Fact>
        <Fact name={t("Stack")}>{dialectWord(issue.dialect)}</Fact>
        {report && (
          <>
            <Fact name={t("Sent by")}>
              {report.client === null ? t("A program that did not name itself") : visibleText(report.client)}
            </Fact>
            <Fact name={t("Web page")}>
              {report.origin === null ? t("None: a native game") : visibleText(report.origin)}
            </Fact>
          </>
        )}
        <div className="fact">
          <dt>{t("Id")}</dt>
          <dd className="fact-id">
            <code>{issue.id}</code>
            <CopyButton text={issue.id} label={t("Copy the id")} />
          </dd>
        </div>
      </dl>
    </PageSection>
  );
}

export function WhySection({ issue }: { issue: Issue }) {
  return (
    <PageSection title={t("Why grouped")}>
      <p className="issue-why">
        <bdi>{visibleText(translateMessage(issue.why))}</bdi>
      </p>
      <CommandLine command={`npx kit issue ${issue.id}`} />
    </PageSection>
  );
}
