// What the same game sent just before the error, oldest first, and the error at its end.
import type { Breadcrumb, IssueReport } from "@kit/contract";
import { rowAddress } from "../frame/address.ts";
import { KindLabel, Time } from "../live/labels.tsx";
import { visibleLine } from "../live/visible-text.ts";
import { beforeWords } from "./measures.ts";
import { PageSection } from "./page-section.tsx";

type Props = { breadcrumbs: readonly Breadcrumb[]; report: IssueReport };

export function BeforeSection({ breadcrumbs, report }: Props) {
  return (
    <PageSection title="What came before">
      <ol className="crumbs">
        {breadcrumbs.map(({ event, kind, at, text }) => (
          <li key={event}>
            <Time at={at} />
            <KindLabel kind={kind} />
            <a href={rowAddress(event)} title="What became of it, in Live">
              <bdi>{visibleLine(text, 200) || "without words"}</bdi>
            </a>
            <span className="crumb-before">{beforeWords(at, report.at)}</span>
          </li>
        ))}
        <li data-current="true">
          <Time at={report.at} />
          <KindLabel kind="monitor" />
          <a href={rowAddress(report.event)} title="Its receipt, in Live">
            <bdi>{visibleLine(report.message, 200) || "without words"}</bdi>
          </a>
          <span className="crumb-before">this report</span>
        </li>
      </ol>
      {breadcrumbs.length === 0 && (
        <p className="issue-none">Its sender sent nothing else shortly before, or Kit no longer has it.</p>
      )}
    </PageSection>
  );
}
