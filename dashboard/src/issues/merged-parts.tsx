// What was merged into an issue; each part can be split off again.
import type { IssueDetail } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { t } from "../language/language.ts";
import { visibleLine } from "../live/visible-text.ts";
import { reportsWord } from "./measures.ts";
import { PageSection } from "./page-section.tsx";
import type { IssueDoing } from "./use-issue-doing.ts";

export function MergedParts({ issue, merged, doing }: Pick<IssueDetail, "issue" | "merged"> & { doing: IssueDoing }) {
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
