// A folder that is deleted after a test, or after the tests of a file.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

/** Creates a folder. It is removed after the test `of`, or without one after all tests of the file. */
export function temporaryFolder(name: string, of: { after(hook: () => void): void } = { after }): string {
  const path = mkdtempSync(join(tmpdir(), `kit-${name}-`));
  of.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
