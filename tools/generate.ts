// `npm run generate`: writes all files generated from the contract: OpenAPI, docs/protocol.md, and constants in the bindings.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "./check/findings.ts";
import { driftedFiles } from "./generate/documents.ts";

const drifted = driftedFiles(repositoryRoot);
for (const { path, text } of drifted) {
  writeFileSync(join(repositoryRoot, path), text);
  console.log(`written: ${path}`);
}
if (drifted.length === 0) console.log("nothing to write: everything generated is as the contract says");
