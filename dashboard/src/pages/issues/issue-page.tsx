// One issue: what went wrong and where, what was on the screen, what came before, how often, and what to do about it.
import "../../ui/details.css";
import "./issue.css";
import { type Breadcrumb, type IssueDetail, type IssueOccurrence, type IssueReport, KitError } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useCallback, useEffect, useRef, useState } from "react";
import { Trans, t } from "../../language/language.ts";
import { issuesAddress, replaceAddress, rowAddress, useFragment } from "../../ui/address.ts";
import { gameWord } from "../../ui/game-name.ts";
import { HelpDialog } from "../../ui/help-dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Ago, Culprit, IssueMarks, IssueStateBadge } from "../../ui/issues/issue-labels.tsx";
import { beforeWords, daySpans, fullCount, hourSpans, reportsWord } from "../../ui/issues/issue-measures.ts";
import { type IssueView, issueQueryOf, issueViewIn, reportIn } from "../../ui/issues/issue-view.ts";
import { KindLabel, Time } from "../../ui/labels.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { useShortcutSwitch, useShortcuts } from "../../ui/shortcuts.ts";
import { useNow } from "../../ui/use-now.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import { Chart } from "./bars.tsx";
import { IssueActions } from "./issue-actions.tsx";
import { IssueFacts, WhySection } from "./issue-facts.tsx";
import { issueKeys } from "./issue-keys.ts";
import { IssueVideo } from "./issue-video.tsx";
import { NoteSection } from "./note-section.tsx";
import { PageSection } from "./page-section.tsx";
import { StackSection } from "./stack-section.tsx";
import type { IssueCommands } from "./use-issue-commands.ts";
import { type ShownIssue, useFilmed, useIssue } from "./use-issues.ts";

/** What was merged into an issue; each part can be split off again. */
function MergedParts({ issue, merged, doing }: Pick<IssueDetail, "issue" | "merged"> & { doing: IssueCommands }) {
  if (merged.length === 0) return null;
  return (
    <PageSection title={t("Merged into it")}>
      <ul className="merged-parts">
        {merged.map(({ id, title, count }) => (
          <li key={id}>
            <bdi className="issue-clamped">{visibleLine(title, 200)}</bdi>
            <span>{reportsWord(count)}</span>
            <Button
              size="1"
              variant="soft"
              color="gray"
              aria-label={t("Split off: {{title}}", { title: visibleLine(title, 80) })}
              onClick={() => doing.split(issue.id, id)}
            >
              {t("Split off")}
            </Button>
          </li>
        ))}
      </ul>
    </PageSection>
  );
}

type KeptReportsProps = {
  occurrences: readonly IssueOccurrence[];
  shown: string | undefined;
  /** Events that are in a clip. */
  filmed: readonly string[];
  addressOf: (event: string) => string;
};

/** The reports of an issue that are kept whole: choosing one shows it. */
function KeptReports({ occurrences, shown, filmed, addressOf }: KeptReportsProps) {
  return (
    <PageSection title={t("Kept reports ({{count, number}})", { count: occurrences.length })}>
      {occurrences.length === 0 ? (
        <p className="issue-none">{t("None is kept any more. The counts are whole.")}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
        <section className="kept-reports" aria-label={t("Kept reports, newest first")} tabIndex={0}>
          <ol>
            {occurrences.map(({ event, at, number }) => (
              <li key={event}>
                <a href={addressOf(event)} aria-current={event === shown ? "true" : undefined}>
                  <span className="kept-number">#{fullCount(number)}</span>
                  <Time at={at} date />
                  {filmed.includes(event) && (
                    <span className="kept-film" title={t("With a video")}>
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

type BeforeSectionProps = { breadcrumbs: readonly Breadcrumb[]; report: IssueReport };

/** What the same game sent just before the error, oldest first, and the error at its end. */
function BeforeSection({ breadcrumbs, report }: BeforeSectionProps) {
  return (
    <PageSection title={t("What came before")}>
      <ol className="crumbs">
        {breadcrumbs.map(({ event, kind, at, text }) => (
          <li key={event}>
            <Time at={at} />
            <KindLabel kind={kind} />
            <a href={rowAddress(event)} title={t("What became of it, in Live")}>
              <bdi>{visibleLine(text, 200) || t("without words")}</bdi>
            </a>
            <span className="crumb-before">{beforeWords(at, report.at)}</span>
          </li>
        ))}
        <li data-current="true">
          <Time at={report.at} />
          <KindLabel kind="monitor" />
          <a href={rowAddress(report.event)} title={t("Its receipt, in Live")}>
            <bdi>{visibleLine(report.message, 200) || t("without words")}</bdi>
          </a>
          <span className="crumb-before">{t("this report")}</span>
        </li>
      </ol>
      {breadcrumbs.length === 0 && (
        <p className="issue-none">{t("Its sender sent nothing else shortly before, or Kit no longer has it.")}</p>
      )}
    </PageSection>
  );
}

type Props = { id: string; doing: IssueCommands; error: Error | undefined };

export function IssuePage({ id, doing, error }: Props) {
  const fragment = useFragment();
  const asked = reportIn(fragment);
  const query = issueQueryOf(issueViewIn(fragment));
  const { data, error: trouble } = useIssue(id, asked);
  const help = useIssueKeys(data, query, doing);
  useEffect(() => {
    if (data) document.title = `${visibleLine(data.issue.title, 80)} · Kit`;
  }, [data]);
  useEffect(() => {
    // The address of a part leads to what it was merged into.
    if (data && data.issue.id !== id) replaceAddress(issuesAddress(data.issue.id, query));
  }, [data, id, query]);
  return (
    <main className="issue">
      <div className="issue-page">
        <a className="issue-back" href={issuesAddress(undefined, query)}>
          <Icon name="back" size={14} />
          {t("Issues")}
        </a>
        {error && (
          <p className="details-warning" role="alert">
            {error.message}
          </p>
        )}
        {trouble && !data && <Trouble error={trouble} />}
        {!trouble && !data && <p className="issues-wait">{t("Looking for the issue…")}</p>}
        {data && <Body key={data.issue.id} detail={data} asked={asked} doing={doing} />}
      </div>
      {help}
    </main>
  );
}

function Trouble({ error }: { error: Error }) {
  const gone = error instanceof KitError && error.code === "not_found";
  return (
    <>
      <h1>{gone ? t("Not to be found") : t("Issue")}</h1>
      <p role="alert">
        {gone
          ? t("There is no issue at this address any more: it was removed for good, or never there.")
          : error.message}
      </p>
    </>
  );
}

/**
 * What is shown of an issue that changes while it is read: counts follow, the report stays until another is chosen.
 */
function useHeld(detail: ShownIssue, asked: string | undefined) {
  const [held, setHeld] = useState(detail);
  const shown = asked === undefined ? held : detail;
  const newest = detail.report?.event;
  const isNewer = asked === undefined && newest !== held.report?.event && newest !== undefined;
  const renew = useCallback(() => setHeld(detail), [detail]);
  const whole: IssueDetail = { ...detail, report: shown.report, breadcrumbs: shown.breadcrumbs };
  return { whole, isNewer, renew };
}

type BodyProps = { detail: ShownIssue; asked: string | undefined; doing: IssueCommands };

function Body({ detail, asked, doing }: BodyProps) {
  const { whole, isNewer, renew } = useHeld(detail, asked);
  const nowMs = useNow();
  const view = issueViewIn(useFragment());
  const filmed = useFilmed().data ?? [];
  const shown = { detail: whole, nowMs, view, filmed };
  return (
    <>
      <Head detail={whole} nowMs={nowMs} />
      <IssueActions detail={whole} doing={doing} />
      <div className="issue-columns-wide">
        <div className="issue-main-column">
          {detail.isOther && (
            <p className="issue-told">{t("The report that was asked for is not kept. This is the newest one.")}</p>
          )}
          {whole.report ? (
            <Report {...shown} report={whole.report} onNewest={isNewer ? renew : undefined} />
          ) : (
            <p className="issue-none">{t("No report of it is kept any more. The counts are whole.")}</p>
          )}
        </div>
        <Side {...shown} doing={doing} />
      </div>
    </>
  );
}

type ShownProps = { detail: IssueDetail; nowMs: number; view: IssueView; filmed: readonly string[] };

/** `onNewest` is there when a newer one is. */
type ReportProps = ShownProps & { report: IssueReport; onNewest: (() => void) | undefined };

function Report({ detail, report, nowMs, view, filmed, onNewest }: ReportProps) {
  const { issue, occurrences, breadcrumbs } = detail;
  const other = occurrences.find(({ event }) => event !== report.event && filmed.includes(event))?.event;
  return (
    <>
      <div className="issue-report-head">
        <p>
          <Trans
            i18nKey="Report {{number}} of {{count}}, <ago/>"
            values={{ number: fullCount(report.number), count: fullCount(Math.max(issue.count, report.number)) }}
            components={{ ago: <Ago at={report.at} nowMs={nowMs} /> }}
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
      <IssueVideo issue={issue.id} report={report} filmed={other} query={issueQueryOf(view)} />
      <BeforeSection breadcrumbs={breadcrumbs} report={report} />
    </>
  );
}

function Side({ detail, nowMs, view, filmed, doing }: ShownProps & { doing: IssueCommands }) {
  const { issue, report, occurrences, merged, days } = detail;
  return (
    <div className="issue-side-column">
      <PageSection title={t("Over time")}>
        <Chart title={t("Last 24 hours")} unit={t("Hour")} spans={hourSpans(issue.hours, nowMs)} />
        <Chart title={t("Last 30 days")} unit={t("Day (UTC)")} spans={daySpans(days, nowMs)} />
      </PageSection>
      <NoteSection issue={issue} doing={doing} />
      <IssueFacts issue={issue} report={report} />
      <KeptReports
        occurrences={occurrences}
        shown={report?.event}
        filmed={filmed}
        addressOf={(event) => issuesAddress(issue.id, issueQueryOf(view, event))}
      />
      <MergedParts issue={issue} merged={merged} doing={doing} />
      <WhySection issue={issue} />
    </div>
  );
}

function Head({ detail: { issue }, nowMs }: { detail: IssueDetail; nowMs: number }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  return (
    <header className="issue-head">
      <h1 ref={title} tabIndex={-1}>
        <bdi>{visibleLine(issue.title, 400) || t("An error without words")}</bdi>
      </h1>
      <p className="issue-about">
        <IssueStateBadge issue={issue} />
        <IssueMarks issue={issue} />
        <Culprit culprit={issue.culprit} />
        <bdi className="issue-game">{gameWord(issue.game)}</bdi>
        <span>{reportsWord(issue.count)}</span>
        <span>
          <Trans i18nKey="last <ago/>" components={{ ago: <Ago at={issue.lastSeen} nowMs={nowMs} /> }} />
        </span>
      </p>
    </header>
  );
}

/** The keys, and the dialog that explains them. */
function useIssueKeys(detail: IssueDetail | undefined, query: string, doing: IssueCommands) {
  const [isOpen, setOpen] = useState(false);
  const [shortcuts, setShortcuts] = useShortcutSwitch();
  const issue = detail?.issue.deletedAt === null ? detail.issue : undefined;
  useShortcuts(shortcuts, {
    r: () => issue && doing.resolve([issue.id]),
    m: () => issue && doing.ask("mute", [issue]),
    "?": () => setOpen(true),
    Escape: () => {
      location.hash = issuesAddress(undefined, query);
    },
  });
  return (
    <HelpDialog
      open={isOpen}
      onClose={() => setOpen(false)}
      shortcuts={shortcuts}
      onShortcuts={setShortcuts}
      help={issueKeys}
    />
  );
}
