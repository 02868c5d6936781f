// How a check of our own ends: nothing to say and exit 0, or every finding on a line of its own and exit 1.
import { join } from "node:path";

export const repositoryRoot = join(import.meta.dirname, "../..");

export function report(findings: readonly string[]): void {
  for (const finding of findings) console.error(finding);
  if (findings.length > 0) process.exitCode = 1;
}
