// Compares what is generated from the contract with the files in the tree, and names the ones that differ. Writes nothing.
import { report, repositoryRoot } from "./check/findings.ts";
import { driftedFiles } from "./generate/documents.ts";

report(driftedFiles(repositoryRoot).map(({ path }) => `${path}: differs from the contract; run npm run generate`));
