// The conformance table of bindings/README.md, from the newest full run.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

type Result = {
  readonly binding: string;
  readonly engine: string;
  readonly areas: Readonly<Record<string, readonly [passed: number, all: number]>>;
};

const readme = "bindings/README.md";
const marks = /(<!-- conformance:.*-->\n)[\s\S]*?(<!-- \/conformance -->)/;

const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;

function tableOf(results: readonly Result[]): string {
  const areas = [...new Set(results.flatMap((result) => Object.keys(result.areas)))];
  const cell = (counts: readonly [number, number] | undefined) => (counts ? `${counts[0]}/${counts[1]}` : "not run");
  return [
    row(["binding", "engine", ...areas]),
    row(["---", "---", ...areas.map(() => "---")]),
    ...results.map(({ binding, engine, areas: seen }) =>
      row([binding, engine, ...areas.map((area) => cell(seen[area]))]),
    ),
  ].join("");
}

/** The new text of bindings/README.md. */
export function conformanceText(root: string): { path: string; text: string } {
  const results = join(root, "conformance/results.json");
  const table = existsSync(results) ? tableOf(JSON.parse(readFileSync(results, "utf8")) as Result[]) : "";
  const text = readFileSync(join(root, readme), "utf8");
  return { path: readme, text: text.replace(marks, (_, first: string, last: string) => `${first}\n${table}\n${last}`) };
}
