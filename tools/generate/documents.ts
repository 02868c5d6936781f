// The expected paths and texts of all generated files. Writes nothing.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eventsFileSchema } from "@kit/contract";
import { bindingsReadme, bindingTexts } from "./bindings.ts";
import { describedFiles } from "./described.ts";
import { driftedOf, type GeneratedFile } from "./drifted.ts";
import { limitsText } from "./limits-page.ts";
import { openapiText } from "./openapi.ts";
import { protocolText } from "./protocol.ts";

function generatedFiles(root: string): GeneratedFile[] {
  const { version } = JSON.parse(readFileSync(join(root, "contract/package.json"), "utf8")) as { version: string };
  return [
    ...describedFiles(),
    { path: "contract/openapi.json", text: openapiText(version) },
    { path: "docs/protocol.md", text: protocolText(root) },
    { path: "docs/limits.md", text: limitsText(root) },
    ...bindingTexts(root),
    bindingsReadme(root),
    { path: "docs/kit.events.schema.json", text: `${JSON.stringify(eventsFileSchema(), undefined, 2)}\n` },
  ];
}

/** Generated files that are missing or outdated. */
export const driftedFiles = (root: string): GeneratedFile[] => driftedOf(root, generatedFiles(root));
