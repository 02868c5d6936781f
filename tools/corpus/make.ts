// Regenerates the corpus of error reports by running faulty programs in all available engines. Firefox and JavaScriptCore must be
// named explicitly, because the project does not install them.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import {
  corpusParts,
  corpusPathOf,
  type LabelledReport,
  partOfGroup,
} from "../../launcher/src/monitor/fixtures/corpus.ts";
import { csharpReports } from "./csharp.ts";
import { gmlReports, il2cppForms } from "./gml.ts";
import { godotReports } from "./godot.ts";
import { javascriptReports, type OtherEngines } from "./javascript.ts";
import { logReports } from "./logs.ts";
import type { Made } from "./made.ts";

const { values } = parseArgs({
  options: { firefox: { type: "string" }, jsc: { type: "string" }, libraries: { type: "string" } },
});

const csharp = csharpReports();
const made: Made[] = [
  ...(await godotReports()),
  ...(await javascriptReports(values as OtherEngines)),
  ...csharp,
  ...il2cppForms(csharp),
  ...(await gmlReports()),
  ...logReports(),
];

for (const part of corpusParts) {
  const reports: LabelledReport[] = made.filter(({ group }) => partOfGroup(group) === part);
  const path = corpusPathOf(part);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, reports.map((report) => `${JSON.stringify(report)}\n`).join(""));
  console.log(`${part}: ${reports.length} reports in ${new Set(reports.map(({ group }) => group)).size} groups`);
}
