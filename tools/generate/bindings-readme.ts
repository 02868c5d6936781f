// The tables of bindings/README.md: what each binding offers, and the newest full run of conformance.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bindings } from "../../bindings/bindings.ts";

type Result = {
  readonly binding: string;
  readonly engine: string;
  readonly areas: Readonly<Record<string, readonly [passed: number, all: number]>>;
};

const readme = "bindings/README.md";
const marks = /(<!-- conformance:.*-->\n)[\s\S]*?(<!-- \/conformance -->)/;
const referenceMarks = /(<!-- reference:.*-->\n)[\s\S]*?(<!-- \/reference -->)/;

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

const parts = {
  taken: "package",
  entry: "entry",
  recording: "recording",
  monitor: "monitor",
  social: "social",
  settings: "settings",
  settingsInUse: "settings in use",
  starts: "starts",
} as const;

const referenceTable = (): string =>
  [
    row(["part", ...bindings.map(({ letter, name }) => `${letter}: ${name}`)]),
    row(["---", ...bindings.map(() => "---")]),
    row(["folder", ...bindings.map(({ kind }) => `[\`${kind}/\`](${kind}/README.md)`)]),
    ...Object.entries(parts).map(([part, title]) =>
      row([title, ...bindings.map(({ reference }) => reference[part as keyof typeof parts])]),
    ),
  ].join("");

/** The new text of bindings/README.md. */
export function bindingsReadme(root: string): { path: string; text: string } {
  const results = join(root, "conformance/results.json");
  const table = existsSync(results) ? tableOf(JSON.parse(readFileSync(results, "utf8")) as Result[]) : "";
  const text = readFileSync(join(root, readme), "utf8")
    .replace(marks, (_, first: string, last: string) => `${first}\n${table}\n${last}`)
    .replace(referenceMarks, (_, first: string, last: string) => `${first}\n${referenceTable()}\n${last}`);
  return { path: readme, text };
}
