// Small labels of an issue: its state, what is special about it, where it happens, how long ago.
import type { Issue } from "@kit/contract";
import { Badge } from "@radix-ui/themes";
import { locale, Trans, t } from "../../language/language.ts";
import { toneColours } from "../labels.tsx";
import { visibleLine } from "../visible-text.ts";
import { agoWords } from "./issue-measures.ts";
import { issueStateWord, mutedWords } from "./issue-words.ts";

export function IssueStateBadge({ issue }: { issue: Issue }) {
  const { says, tone } = issueStateWord(issue.state);
  const ends = mutedWords(issue);
  return (
    <Badge
      className="state"
      color={toneColours[tone]}
      variant={tone === "quiet" ? "outline" : "soft"}
      data-tone={tone}
      title={ends === "" ? undefined : `${says} ${ends}`}
    >
      {says}
    </Badge>
  );
}

/** New, or a stand-in for many kinds; that one came back its state says. */
export function IssueMarks({ issue }: { issue: Issue }) {
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
          title={t("Too many kinds of errors to be told apart: counted together")}
        >
          {t("Overflow")}
        </Badge>
      )}
    </>
  );
}

const culpritCharsMax = 160;

const said = (text: string) => <bdi>{visibleLine(text, culpritCharsMax)}</bdi>;

/** In which function of which file, as far as the engine says. */
export function Culprit({ culprit }: Pick<Issue, "culprit">) {
  if (culprit === null) return null;
  const { function: name, file } = culprit;
  return (
    <span className="issue-culprit">
      {name !== null && file !== null ? (
        <Trans i18nKey="<name/> in <file/>" components={{ name: said(name), file: said(file) }} />
      ) : (
        said(name ?? file ?? "")
      )}
    </span>
  );
}

const exact = new Intl.DateTimeFormat(locale() ?? "en-GB", { dateStyle: "medium", timeStyle: "medium" });

/** How long ago in words; the exact time on hover and in the element. */
export function Ago({ at, nowMs }: { at: string; nowMs: number }) {
  const atMs = Date.parse(at);
  return (
    <time dateTime={at} title={Number.isNaN(atMs) ? at : exact.format(atMs)}>
      {agoWords(at, nowMs)}
    </time>
  );
}
