// What is known of an issue: counts, times, who sent the report that is shown, and why its reports are one.
import type { Issue, IssueReport } from "@kit/contract";
import { CommandLine } from "../frame/command-line.tsx";
import { CopyButton } from "../frame/copy-button.tsx";
import { Time } from "../live/labels.tsx";
import { Fact } from "../live/section.tsx";
import { visibleText } from "../live/visible-text.ts";
import { gameWord } from "./issue-labels.tsx";
import { fullCount } from "./measures.ts";
import { PageSection } from "./page-section.tsx";
import { dialectWord, issueStateWord, mutedWords } from "./words.ts";

export function IssueFacts({ issue, report }: { issue: Issue; report: IssueReport | null }) {
  const muted = mutedWords(issue);
  return (
    <PageSection title="Facts">
      <dl className="facts">
        <Fact name="Reports">{fullCount(issue.count)}</Fact>
        <Fact name="First seen">
          <Time at={issue.firstSeen} date />
        </Fact>
        <Fact name="Last seen">
          <Time at={issue.lastSeen} date />
        </Fact>
        <Fact name="Game">{gameWord(issue.game)}</Fact>
        <Fact name="State">
          {issueStateWord(issue.state).says} {muted !== "" && `${muted}, `}since <Time at={issue.stateSince} date />
        </Fact>
        <Fact name="Stack">{dialectWord(issue.dialect)}</Fact>
        {report && (
          <>
            <Fact name="Sent by">
              {report.client === null ? "A program that did not name itself" : visibleText(report.client)}
            </Fact>
            <Fact name="Web page">{report.origin === null ? "None: a native game" : visibleText(report.origin)}</Fact>
          </>
        )}
        <div className="fact">
          <dt>Id</dt>
          <dd className="fact-id">
            <code>{issue.id}</code>
            <CopyButton text={issue.id} label="Copy the id" />
          </dd>
        </div>
      </dl>
    </PageSection>
  );
}

export function WhySection({ issue }: { issue: Issue }) {
  return (
    <PageSection title="Why grouped">
      <p className="issue-why">
        <bdi>{visibleText(issue.why)}</bdi>
      </p>
      <CommandLine command={`npx kit issue ${issue.id}`} />
    </PageSection>
  );
}
