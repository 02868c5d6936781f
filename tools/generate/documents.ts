// The expected paths and texts of all generated files. Writes nothing.
import { eventsFileSchema } from "@kit/contract";
import { CaseFile } from "../../conformance/src/case.ts";
import { bindingsReadme, bindingTexts } from "./bindings.ts";
import { describedFiles } from "./described.ts";
import { driftedOf, type GeneratedFile } from "./drifted.ts";

function generatedFiles(root: string): GeneratedFile[] {
  return [
    ...describedFiles(),
    ...bindingTexts(root),
    bindingsReadme(root),
    { path: "docs/kit.events.schema.json", text: `${JSON.stringify(eventsFileSchema(), undefined, 2)}\n` },
    { path: "conformance/case.schema.json", text: `${JSON.stringify(CaseFile, undefined, 2)}\n` },
  ];
}

/** Generated files that are missing or outdated. */
export const driftedFiles = (root: string): GeneratedFile[] => driftedOf(root, generatedFiles(root));
