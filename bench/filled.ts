// Starts a launcher with much data, written directly to its database, because sending events would take hours.
import { mkdirSync } from "node:fs";
import { startOwnLauncher } from "../launcher/test/support/own-launcher.ts";

export type FilledLauncher<T> = AsyncDisposable & {
  readonly port: number;
  readonly secret: string;
  /** The result of `fill`. */
  readonly filled: T;
};

/** Starts the launcher to create its tables, stops it, fills the data directory, and starts it again. */
export async function startFilled<T>(dataDir: string, fill: (dataDir: string) => T): Promise<FilledLauncher<T>> {
  mkdirSync(dataDir);
  const empty = await startOwnLauncher({ dataDir });
  await empty.process().end("SIGTERM");
  const filled = fill(dataDir);
  const { port, secret, process } = await startOwnLauncher({ dataDir });
  return { port, secret: secret(), filled, [Symbol.asyncDispose]: () => process().end("SIGTERM") };
}
