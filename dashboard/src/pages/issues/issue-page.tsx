// One issue: its stack, video, preceding events, counts, note and actions.
import {
  type Breadcrumb,
  type Issue,
  type IssueDetail,
  type IssueOccurrence,
  type IssueReport,
  KitError,
} from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useCallback, useEffect, useState } from "react";
import { Trans, t, translateMessage } from "../../language/language.ts";
import { issuesAddress, replaceAddress, rowAddress, useFragment } from "../../ui/address.ts";
import { CommandLine } from "../../ui/copy-button.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { formatNumber } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { KindLabel, RelativeTime, Time } from "../../ui/labels.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { eventName, gameName } from "../../ui/names.ts";
import { Page, useInitialFocus, useTitle } from "../../ui/page.tsx";
import { Fact, IdFact, PageSection } from "../../ui/section.tsx";
import { usePageKeys } from "../../ui/shortcuts.tsx";
import { useNow } from "../../ui/use-now.ts";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import { Chart } from "./charts.tsx";
import { IssueActions } from "./issue-actions.tsx";
import { ErrorLocation, IssueBadges, IssueStateBadge } from "./issue-labels.tsx";
import {
  dayBars,
  formatTimeBefore,
  hourBars,
  issueStateLabel,
  mutedUntilText,
  reportCountText,
  stackFormatName,
} from "./issue-text.ts";
import { IssueVideo } from "./issue-video.tsx";
import { type IssueView, parseIssueView, reportFromAddress, toIssueQuery } from "./issue-view.ts";
import { NoteSection } from "./note-section.tsx";
import { isOutput, StackSection } from "./stack-section.tsx";
import type { IssueCommands } from "./use-issue-commands.ts";
import { type ReportedIssue, useIssue, useRecordedEvents } from "./use-issues.ts";

/** The issues that were merged into this one. A person can split off each of them again. */
function MergedParts({ issue, merged, commands }: Pick<IssueDetail, "issue" | "merged"> & { commands: IssueCommands }) {
  if (merged.length === 0) return null;
  return (
    <PageSection title={t("Merged issues")}>
      <ul className="lines">
        {merged.map(({ id, title, count }) => (
          <li key={id} className="spread">
            <span className="stack flush">
              <bdi className="clamp">{visibleLine(title, 200)}</bdi>
              <span className="small quiet">{reportCountText(count)}</span>
            </span>
            <Button
              size="1"
              variant="soft"
              color="gray"
              aria-label={t("Split off: {{title}}", { title: visibleLine(title, 80) })}
              onClick={() => commands.split(issue.id, id)}
            >
              {t("Split off")}
            </Button>
          </li>
        ))}
      </ul>
    </PageSection>
  );
}

type StoredReportsProps = {
  occurrences: readonly IssueOccurrence[];
  shown: string | undefined;
  /** Ids of the events that are in a clip. */
  recordedEvents: readonly string[];
  reportAddress: (event: string) => string;
};

/** The stored reports of an issue, as links. */
function StoredReports({ occurrences, shown, recordedEvents, reportAddress }: StoredReportsProps) {
  return (
    <PageSection title={t("Stored reports ({{count, number}})", { count: occurrences.length })}>
      {occurrences.length === 0 ? (
        <p className="quiet">{t("No stored reports are left. The counts are still complete.")}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
        <section className="box scroll kept-reports" aria-label={t("Stored reports, newest first")} tabIndex={0}>
          <ol className="small numbers">
            {occurrences.map(({ event, at, number }) => (
              <li key={event}>
                <a href={reportAddress(event)} aria-current={event === shown ? "true" : undefined}>
                  <span className="quiet">#{formatNumber(number)}</span>
                  <Time at={at} date />
                  {recordedEvents.includes(event) && (
                    <span className="end" title={t("With a video")}>
                      <Icon name="film" size={14} />
                      <span className="unseen">{t("with a video")}</span>
                    </span>
                  )}
                </a>
              </li>
            ))}
          </ol>
        </section>
      )}
    </PageSection>
  );
}

type PrecedingEventsProps = { breadcrumbs: readonly Breadcrumb[]; report: IssueReport; game: string | null };

/** What the sender sent just before the error, oldest first, followed by the error itself. */
function PrecedingEvents({ breadcrumbs, report, game }: PrecedingEventsProps) {
  return (
    <PageSection title={t("What happened before")}>
      <ol className="numbers crumbs">
        {breadcrumbs.map(({ event, kind, at, text }) => (
          <li key={event}>
            <Time at={at} />
            <KindLabel kind={kind} />
            <a className="ellipsis" href={rowAddress(event)} title={t("See the outcome in Live")}>
              <bdi>{visibleLine(kind === "monitor" ? text : eventName(text, game), 200) || t("no text")}</bdi>
            </a>
            <span className="small quiet">{formatTimeBefore(at, report.at)}</span>
          </li>
        ))}
        <li data-current="true">
          <Time at={report.at} />
          <KindLabel kind="monitor" />
          <a className="ellipsis" href={rowAddress(report.event)} title={t("See its receipt in Live")}>
            <bdi>{visibleLine(report.message, 200) || t("no text")}</bdi>
          </a>
          <span className="small quiet">{t("this report")}</span>
        </li>
      </ol>
      {breadcrumbs.length === 0 && (
        <p className="quiet">
          {t("The sender sent nothing else shortly before this report, or Kit has already deleted it.")}
        </p>
      )}
    </PageSection>
  );
}

type Props = { id: string; commands: IssueCommands; error: Error | undefined };

export function IssuePage({ id, commands, error }: Props) {
  const fragment = useFragment();
  const requested = reportFromAddress(fragment);
  const query = toIssueQuery(parseIssueView(fragment));
  const { data, error: trouble } = useIssue(id, requested);
  const help = useIssueKeys(data, query, commands);
  useTitle(data && `${visibleLine(data.issue.title, 80)} · Kit`);
  useEffect(() => {
    // The issue was merged into another one, so the address changes to that of the other issue.
    if (data && data.issue.id !== id) replaceAddress(issuesAddress(data.issue.id, query));
  }, [data, id, query]);
  return (
    <Page className="issue" column="wide">
      <a className="with-icon small quiet back" href={issuesAddress(undefined, query)}>
        <Icon name="back" size={14} />
        {t("Issues")}
      </a>
      <ErrorText error={error} />
      {trouble && !data && <Trouble error={trouble} />}
      {!trouble && !data && <h1 className="quiet">{t("Loading the issue…")}</h1>}
      {data && <IssueContent key={data.issue.id} detail={data} requested={requested} commands={commands} />}
      {help}
    </Page>
  );
}

function Trouble({ error }: { error: Error }) {
  const isMissing = error instanceof KitError && error.code === "not_found";
  return (
    <>
      <h1>{isMissing ? t("Not found") : t("Issue")}</h1>
      <p role="alert">
        {isMissing ? t("No issue has this address. It was deleted permanently, or it never existed.") : error.message}
      </p>
    </>
  );
}

/**
 * Keeps showing the same report when new reports arrive; only the counts change. `showNewest` switches to the newest
 * report.
 */
function useStableReport(detail: ReportedIssue, requested: string | undefined) {
  const [stable, setStable] = useState(detail);
  const shown = requested === undefined ? stable : detail;
  const newest = detail.report?.event;
  const isNewer = requested === undefined && newest !== stable.report?.event && newest !== undefined;
  const showNewest = useCallback(() => setStable(detail), [detail]);
  const content: IssueDetail = { ...detail, report: shown.report, breadcrumbs: shown.breadcrumbs };
  return { content, isNewer, showNewest };
}

type BodyProps = { detail: ReportedIssue; requested: string | undefined; commands: IssueCommands };

function IssueContent({ detail, requested, commands }: BodyProps) {
  const { content, isNewer, showNewest } = useStableReport(detail, requested);
  const nowMs = useNow();
  const view = parseIssueView(useFragment());
  const recordedEvents = useRecordedEvents().data ?? [];
  const shared = { detail: content, nowMs, view, recordedEvents };
  return (
    <>
      <Head detail={content} nowMs={nowMs} />
      <IssueActions detail={content} commands={commands} />
      <div className="issue-page-columns">
        <div className="stack">
          {detail.isFallback && (
            <p className="note">{t("The requested report is not stored. This is the newest one.")}</p>
          )}
          {content.report ? (
            <Report {...shared} report={content.report} onNewest={isNewer ? showNewest : undefined} />
          ) : (
            <p className="quiet">{t("No report of this issue is stored any more. The counts are still complete.")}</p>
          )}
        </div>
        <SideColumn {...shared} commands={commands} />
      </div>
    </>
  );
}

type ContentProps = { detail: IssueDetail; nowMs: number; view: IssueView; recordedEvents: readonly string[] };

/** `onNewest` shows the newest report; undefined if it is shown already. */
type ReportProps = ContentProps & { report: IssueReport; onNewest: (() => void) | undefined };

function Report({ detail, report, nowMs, view, recordedEvents, onNewest }: ReportProps) {
  const { issue, occurrences, breadcrumbs } = detail;
  const otherRecorded = occurrences.find(
    ({ event }) => event !== report.event && recordedEvents.includes(event),
  )?.event;
  return (
    <>
      <div className="cluster spread quiet issue-report-head">
        <p>
          <Trans
            i18nKey="Report {{number}} of {{count}}, <ago/>"
            values={{ number: formatNumber(report.number), count: formatNumber(Math.max(issue.count, report.number)) }}
            components={{ ago: <RelativeTime at={report.at} nowMs={nowMs} /> }}
          />
        </p>
        {onNewest && (
          <Button size="1" variant="soft" onClick={onNewest}>
            {t("Show the newest")}
          </Button>
        )}
      </div>
      {report.message.trim() !== issue.title && <LongText text={report.message} label={t("Message")} />}
      <StackSection report={report} game={issue.game} />
      <IssueVideo issue={issue.id} report={report} recordedReport={otherRecorded} query={toIssueQuery(view)} />
      <PrecedingEvents breadcrumbs={breadcrumbs} report={report} game={issue.game} />
    </>
  );
}

function SideColumn({ detail, nowMs, view, recordedEvents, commands }: ContentProps & { commands: IssueCommands }) {
  const { issue, report, occurrences, merged, days } = detail;
  return (
    <div className="stack">
      <PageSection title={t("Over time")}>
        <Chart title={t("Last 24 hours")} unit={t("Hour")} spans={hourBars(issue.hours, nowMs)} />
        <Chart title={t("Last 30 days")} unit={t("Day (UTC)")} spans={dayBars(days, nowMs)} />
      </PageSection>
      <NoteSection issue={issue} commands={commands} />
      <IssueFacts issue={issue} report={report} />
      <StoredReports
        occurrences={occurrences}
        shown={report?.event}
        recordedEvents={recordedEvents}
        reportAddress={(event) => issuesAddress(issue.id, toIssueQuery(view, event))}
      />
      <MergedParts issue={issue} merged={merged} commands={commands} />
      <GroupingSection issue={issue} />
    </div>
  );
}

/** The issue's counts and times, and the sender of the shown report. */
function IssueFacts({ issue, report }: { issue: Issue; report: IssueReport | null }) {
  const muted = mutedUntilText(issue);
  return (
    <PageSection title={t("Facts")}>
      <dl className="facts">
        <Fact name={t("Reports")}>{formatNumber(issue.count)}</Fact>
        <Fact name={t("First seen")}>
          <Time at={issue.firstSeen} date />
        </Fact>
        <Fact name={t("Last seen")}>
          <Time at={issue.lastSeen} date />
        </Fact>
        {issue.firstBuild !== null && (
          <Fact name={t("Builds")}>
            {t("First seen in {{first}}, last seen in {{last}}", {
              first: visibleLine(issue.firstBuild, 100),
              last: visibleLine(issue.lastBuild ?? issue.firstBuild, 100),
            })}
          </Fact>
        )}
        {issue.resolvedBuild !== null && (
          <Fact name={t("Resolved in build")}>
            <bdi>{visibleLine(issue.resolvedBuild, 100)}</bdi>
          </Fact>
        )}
        <Fact name={t("Game")}>{gameName(issue.game)}</Fact>
        <Fact name={t("State")}>
          <Trans
            i18nKey="{{state}} since <when/>"
            values={{ state: [issueStateLabel(issue.state).says, muted].filter(Boolean).join(", ") }}
            components={{ when: <Time at={issue.stateSince} date /> }}
          />
        </Fact>
        {!(report && isOutput(report)) && <Fact name={t("Stack")}>{stackFormatName(issue.dialect)}</Fact>}
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

function GroupingSection({ issue }: { issue: Issue }) {
  return (
    <PageSection title={t("Why these reports are grouped")}>
      <p>
        <bdi>{visibleText(translateMessage(issue.why))}</bdi>
      </p>
      <CommandLine command={`kit issue ${issue.id}`} />
    </PageSection>
  );
}

function Head({ detail: { issue }, nowMs }: { detail: IssueDetail; nowMs: number }) {
  const title = useInitialFocus<HTMLHeadingElement>();
  return (
    <header className="stack tight issue-head">
      <h1 ref={title} className="clamp" tabIndex={-1}>
        <bdi>{visibleLine(issue.title, 400) || t("An error without a message")}</bdi>
      </h1>
      <p className="cluster small quiet issue-about">
        <IssueStateBadge issue={issue} />
        <IssueBadges issue={issue} />
        <ErrorLocation culprit={issue.culprit} />
        <bdi className="issue-game ellipsis">{gameName(issue.game)}</bdi>
        <span>{reportCountText(issue.count)}</span>
        <span>
          <Trans i18nKey="last seen <ago/>" components={{ ago: <RelativeTime at={issue.lastSeen} nowMs={nowMs} /> }} />
        </span>
      </p>
    </header>
  );
}

const shortcutHelp = [
  { keys: ["r"], says: t("Resolve the issue") },
  { keys: ["m"], says: t("Mute the issue") },
  { keys: ["Esc"], says: t("Back to the list") },
  { keys: ["?"], says: t("Show this help") },
] as const;

/** Registers the page's keyboard shortcuts and returns the dialog that lists them. */
function useIssueKeys(detail: IssueDetail | undefined, query: string, commands: IssueCommands) {
  const issue = detail?.issue.deletedAt === null ? detail.issue : undefined;
  const handlers = {
    r: () => issue && commands.resolve([issue.id]),
    m: () => issue && commands.ask("mute", [issue]),
    Escape: () => {
      location.hash = issuesAddress(undefined, query);
    },
  };
  return usePageKeys(handlers, shortcutHelp).dialog;
}
