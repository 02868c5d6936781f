// `npm run generate`: writes all files generated from the contract: OpenAPI, docs/protocol.md, and constants in the bindings; and
// before them the part of the contract that networks and bindings say.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { repositoryRoot } from "./check/findings.ts";
import { writeDrifted } from "./generate/drifted.ts";

// In a process of its own: this one has to read the contract with their part in it.
execFileSync(process.execPath, [join(repositoryRoot, "tools/generate/described.ts")], { stdio: "inherit" });
const { driftedFiles } = await import("./generate/documents.ts");
writeDrifted(repositoryRoot, driftedFiles(repositoryRoot));
