// The source location of a stack frame: a link that opens it in the editor, or a button that copies its path.
import type { IssueFrame } from "@kit/contract";
import { t } from "../../../language/language.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { visibleLine } from "../../../ui/visible-text.ts";

/** The links that may be opened begin with one of these. Any other link from the launcher is not shown. */
const schemes = ["vscode://file/", "vscodium://file/", "cursor://file/", "jetbrains://rider/navigate/"];

export function SourceLink({ frame: { source, line } }: { frame: IssueFrame }) {
  if (!source) return null;
  const place = line === null ? source.path : `${source.path}:${line}`;
  const { link } = source;
  if (link === null || !schemes.some((scheme) => link.startsWith(scheme)))
    return <CopyButton text={place} label={t("Copy {{location}}", { location: visibleLine(place, 200) })} />;
  return (
    <a className="source-link" href={link} title={visibleLine(place, 500)}>
      {t("Open in editor")}
      <span className="unseen">: {visibleLine(place, 200)}</span>
    </a>
  );
}
