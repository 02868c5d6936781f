// Makes the corpus of error reports anew: runs the faulty programs in every engine of this machine and writes what a
// binding would send. Firefox and JavaScriptCore are no engines of the project: name them, or they are left out.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { type Labelled, partOfGroup, parts, pathOfPart } from "../../launcher/src/monitor/fixtures/corpus.ts";
import { csharpReports } from "./csharp.ts";
import { gmlReports, il2cppForms } from "./gml.ts";
import { godotReports } from "./godot.ts";
import { javascriptReports, type OtherEngines } from "./javascript.ts";
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
];

for (const part of parts) {
  const reports: Labelled[] = made.filter(({ group }) => partOfGroup(group) === part);
  const path = pathOfPart(part);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, reports.map((report) => `${JSON.stringify(report)}\n`).join(""));
  console.log(`${part}: ${reports.length} reports in ${new Set(reports.map(({ group }) => group)).size} groups`);
}
