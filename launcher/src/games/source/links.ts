// Links that open a file in an editor. Pure; the scheme is one of these, whatever a path holds.
import type { Editor } from "@kit/contract";

export type Target = {
  /** Absolute, with the separators of this system. */
  readonly path: string;
  /** Within the project. */
  readonly within: readonly string[];
  readonly line: number | null;
  readonly column: number | null;
  /** The name of the solution in the project's folder. */
  readonly project: string;
};

const schemes: Partial<Record<Editor, string>> = { vscode: "vscode", vscodium: "vscodium", cursor: "cursor" };

const encoded = (segments: readonly string[]) => segments.map(encodeURIComponent).join("/");
/** A drive keeps its colon. */
const encodedPath = (path: string) => {
  const [first = "", ...rest] = path.split(/[\\/]/).filter((segment) => segment !== "");
  return /^[a-z]:$/i.test(first) ? [first, encoded(rest)].join("/") : encoded([first, ...rest]);
};
const isPlace = (number: number | null): number is number => number !== null && number >= 1;

/** Null for editors that have no links. */
export function linkOf(editor: Editor, { path, within, line, column, project }: Target): string | null {
  const place = isPlace(line) ? [line, ...(isPlace(column) ? [column] : [])] : [];
  if (editor === "rider") {
    // JetBrains Toolbox takes paths within a project that is known to it, and counts lines from zero.
    const at = [encoded(within), ...place.map((number) => number - 1)].join(":");
    return `jetbrains://rider/navigate/reference?project=${encodeURIComponent(project)}&path=${at}`;
  }
  const scheme = schemes[editor];
  return scheme === undefined ? null : `${scheme}://file/${[encodedPath(path), ...place].join(":")}`;
}
