// Starts a launcher with much data, written directly to its database, because sending events would take hours.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startLauncher } from "../launcher/test/launcher-process.ts";

export type FilledLauncher<T> = AsyncDisposable & {
  readonly port: number;
  readonly secret: string;
  /** The result of `fill`. */
  readonly filled: T;
};

/** Starts the launcher to create its tables, stops it, fills the data directory, and starts it again. */
export async function startFilled<T>(dataDir: string, fill: (dataDir: string) => T): Promise<FilledLauncher<T>> {
  mkdirSync(dataDir);
  const empty = await startLauncher(dataDir);
  await empty.end("SIGTERM");
  const filled = fill(dataDir);
  const { port, end } = await startLauncher(dataDir);
  const secret = readFileSync(join(dataDir, "secret"), "utf8").trim();
  return { port, secret, filled, [Symbol.asyncDispose]: () => end("SIGTERM") };
}
