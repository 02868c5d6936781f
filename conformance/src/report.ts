// Formats the results as a table and a list of faults.

/** Escapes control characters and lone surrogates as \uXXXX, because they can control a terminal. */
function visible(text: string): string {
  return text.replace(
    /\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

type Judged = { readonly one: { readonly id: string; readonly says: string }; readonly faults: readonly string[] };

/** Verdicts on a binding in an engine. */
type Shown = {
  readonly binding: { readonly binding: string };
  readonly engine: string;
  readonly verdicts: readonly Judged[];
  readonly seconds: number;
  readonly output: string;
};

const areaOf = ({ one }: Judged) => one.id.slice(0, one.id.indexOf("/"));
const passed = ({ faults }: Judged) => faults.length === 0;

/** A run without cases counts as failed. */
export const hasFailed = ({ verdicts }: Shown) => verdicts.length === 0 || !verdicts.every(passed);

/** The cell for an area. */
function mark(verdicts: readonly Judged[]): string {
  if (verdicts.length === 0) return "not run";
  const good = verdicts.filter(passed).length;
  return `${good === verdicts.length ? "✔" : "✖"} ${good}/${verdicts.length}`;
}

/** The result table with one row per engine. */
export function tableOf(outcomes: readonly Shown[]): string {
  const areas = [...new Set(outcomes.flatMap(({ verdicts }) => verdicts.map(areaOf)))];
  const rows = outcomes.map((outcome) => {
    const cells = areas.map((area) => mark(outcome.verdicts.filter((verdict) => areaOf(verdict) === area)));
    return [outcome.binding.binding, outcome.engine, ...cells, `${outcome.seconds.toFixed(0)} s`];
  });
  const lines = [["binding", "engine", ...areas, "time"], ...rows];
  const widths = lines[0]?.map((_, at) => Math.max(...lines.map((line) => (line[at] ?? "").length))) ?? [];
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** All failed cases with their faults, and the end of the driver's output. */
export function faultsIn({ binding, engine, verdicts, output }: Shown): string {
  const failed = verdicts.filter((verdict) => !passed(verdict));
  if (failed.length === 0) return "";
  const lines = failed.map(
    ({ one, faults }) => `  ✖ ${one.id}: ${one.says}\n${indent(faults.slice(0, 6).map(visible).join("\n"))}`,
  );
  const words =
    output.trim() === ""
      ? ""
      : `\n  the driver also wrote:\n${indent(output.trim().split("\n").map(visible).join("\n"))}`;
  return `\n${binding.binding}, ${engine}\n${lines.join("\n")}${words}`;
}

const indent = (text: string) => text.replace(/^/gm, "      ");
