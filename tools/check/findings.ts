// Reports the findings of a check: one per line with exit code 1, or nothing with exit code 0.
import { join } from "node:path";

export const repositoryRoot = join(import.meta.dirname, "../..");

export function report(findings: readonly string[]): void {
  for (const finding of findings) console.error(finding);
  if (findings.length > 0) process.exitCode = 1;
}
