// A folder that is deleted after a test, or after the tests of a file.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Creates a folder. It is removed after the test `of`, or without one after all tests of the file. */
export function temporaryFolder(
  name: string,
  of: { onTestFinished(hook: () => void): void } = { onTestFinished: afterAll },
): string {
  const path = mkdtempSync(join(tmpdir(), `kit-${name}-`));
  of.onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
