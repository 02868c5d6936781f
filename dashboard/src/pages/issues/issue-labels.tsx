// Badges of an issue, and where its error happened.
import type { Issue } from "@kit/contract";
import { Badge } from "@radix-ui/themes";
import { Trans, t } from "../../language/language.ts";
import { ToneBadge } from "../../ui/labels.tsx";
import { visibleLine } from "../../ui/visible-text.ts";
import { issueStateLabel, mutedUntilText } from "./issue-text.ts";

export function IssueStateBadge({ issue }: { issue: Issue }) {
  const { says, tone } = issueStateLabel(issue.state);
  const ends = mutedUntilText(issue);
  return <ToneBadge says={says} tone={tone} title={ends === "" ? undefined : `${says} ${ends}`} />;
}

/** Badges for a new issue, and for an issue that collects the overflow. Regressions are shown by the state badge. */
export function IssueBadges({ issue }: { issue: Issue }) {
  return (
    <>
      {issue.isNew && (
        <Badge className="state" color="iris" variant="soft" title={t("First seen in the last 24 hours")}>
          {t("New")}
        </Badge>
      )}
      {issue.isOverflow && (
        <Badge
          className="state"
          color="amber"
          variant="soft"
          title={t("Too many different issues, so further ones are counted together")}
        >
          {t("Overflow")}
        </Badge>
      )}
    </>
  );
}

const culpritCharsMax = 160;

const said = (text: string) => <bdi>{visibleLine(text, culpritCharsMax)}</bdi>;

/** Function and file where the error happened, as far as known. */
export function Culprit({ culprit }: Pick<Issue, "culprit">) {
  if (culprit === null) return null;
  const { function: name, file } = culprit;
  return (
    <span className="issue-culprit ellipsis">
      {name !== null && file !== null ? (
        <Trans i18nKey="<name/> in <file/>" components={{ name: said(name), file: said(file) }} />
      ) : (
        said(name ?? file ?? "")
      )}
    </span>
  );
}
