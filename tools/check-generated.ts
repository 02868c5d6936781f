// Reports generated files that differ from the contract. Writes nothing.
import { report, repositoryRoot } from "./check/findings.ts";
import { driftedFiles } from "./generate/documents.ts";

report(driftedFiles(repositoryRoot).map(({ path }) => `${path}: differs from the contract; run npm run generate`));
