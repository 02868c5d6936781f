// In Live: the issue an error report was put into, as its receipt says.
import type { Receipt } from "@kit/contract";
import { t } from "../../language/language.ts";
import { issuesAddress } from "../../ui/address.ts";

const inReason = /^issue ([\w-]{1,64})(?::|$)/u;

/** The issue's id out of a receipt; undefined while the report is not grouped. */
function issueOf(states: Receipt["states"]): string | undefined {
  const grouped = states.findLast(({ state }) => state === "grouped");
  return inReason.exec(grouped?.reason ?? "")?.[1];
}

export function EventIssue({ event, states }: { event: string; states: Receipt["states"] }) {
  const issue = issueOf(states);
  if (issue === undefined) return null;
  return (
    <p className="event-issue">
      <a href={issuesAddress(issue, `event=${event}`)}>{t("Open its issue")}</a>
    </p>
  );
}
