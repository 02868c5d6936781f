// Builds and starts this repository's launcher with a temporary data directory.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startLauncher } from "../../launcher/test/launcher-process.ts";

const bundle = join(import.meta.dirname, "../../tools/bundle.ts");

/** Calls `use` with the launcher's address, then stops the launcher. */
export async function withOwnLauncher<Result>(use: (url: string) => Promise<Result>): Promise<Result> {
  await promisify(execFile)(process.execPath, [bundle, "--if-stale"]);
  const dataDir = mkdtempSync(join(tmpdir(), "kit-conform-launcher-"));
  const launcher = await startLauncher(dataDir);
  try {
    return await use(`http://127.0.0.1:${launcher.port}`);
  } finally {
    await launcher.end("SIGTERM");
    rmSync(dataDir, { recursive: true, force: true });
  }
}
