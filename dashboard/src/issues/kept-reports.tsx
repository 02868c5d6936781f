// The reports of an issue that are kept whole: choosing one shows it.
import type { IssueOccurrence } from "@kit/contract";
import { Icon } from "../frame/icon.tsx";
import { t } from "../language/language.ts";
import { Time } from "../live/labels.tsx";
import { fullCount } from "./measures.ts";
import { PageSection } from "./page-section.tsx";

type Props = {
  occurrences: readonly IssueOccurrence[];
  shown: string | undefined;
  /** Events that are in a clip. */
  filmed: readonly string[];
  addressOf: (event: string) => string;
};

export function KeptReports({ occurrences, shown, filmed, addressOf }: Props) {
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
