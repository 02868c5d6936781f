// What is known of an issue: counts, times, who sent the report that is shown, and why its reports are one.
import type { Issue, IssueReport } from "@kit/contract";
import { CommandLine } from "../frame/command-line.tsx";
import { CopyButton } from "../frame/copy-button.tsx";
import { Trans, t, told } from "../language/language.ts";
import { gameWord } from "../live/game-word.ts";
import { Time } from "../live/labels.tsx";
import { Fact } from "../live/section.tsx";
import { visibleText } from "../live/visible-text.ts";
import { fullCount } from "./measures.ts";
import { PageSection } from "./page-section.tsx";
import { dialectWord, issueStateWord, mutedWords } from "./words.ts";

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
        <bdi>{visibleText(told(issue.why))}</bdi>
      </p>
      <CommandLine command={`npx kit issue ${issue.id}`} />
    </PageSection>
  );
}
