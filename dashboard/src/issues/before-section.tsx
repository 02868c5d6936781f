// What the same game sent just before the error, oldest first, and the error at its end.
import type { Breadcrumb, IssueReport } from "@kit/contract";
import { rowAddress } from "../frame/address.ts";
import { t } from "../language/language.ts";
import { KindLabel, Time } from "../live/labels.tsx";
import { visibleLine } from "../live/visible-text.ts";
import { beforeWords } from "./measures.ts";
import { PageSection } from "./page-section.tsx";

type Props = { breadcrumbs: readonly Breadcrumb[]; report: IssueReport };

export function BeforeSection({ breadcrumbs, report }: Props) {
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
