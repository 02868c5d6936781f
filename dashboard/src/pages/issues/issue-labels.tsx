// The badges of an issue, and the place in the code where its error happened.
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

/**
 * Badges of a new issue, and of the issue in which Kit counts the rest when a game has too many. A regression has a
 * state badge instead.
 */
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

/** The function and file in which the error happened, as far as they are known. */
export function ErrorLocation({ culprit }: Pick<Issue, "culprit">) {
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
