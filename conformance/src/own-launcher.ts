// Builds and starts this repository's launcher with a temporary data directory.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { startLauncherProcess } from "../../launcher/test/support/own-launcher.ts";

const bundle = join(import.meta.dirname, "../../tools/bundle.ts");

/** Calls `use` with the launcher's address, then stops the launcher. */
export async function withOwnLauncher<Result>(use: (url: string) => Promise<Result>): Promise<Result> {
  await promisify(execFile)(process.execPath, [bundle, "--if-stale"]);
  await using launcher = await startLauncherProcess();
  return await use(`http://127.0.0.1:${launcher.port}`);
}
