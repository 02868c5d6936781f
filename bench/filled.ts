// A launcher that has much to show: its database is written while it does not run. Through the door it would take hours.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startLauncher } from "../launcher/test/launcher-process.ts";

export type FilledLauncher<T> = AsyncDisposable & {
  readonly port: number;
  readonly secret: string;
  /** What `fill` gave. */
  readonly filled: T;
};

/** The launcher makes its own tables; then it is ended, its data directory filled, and it is started again. */
export async function startFilled<T>(dataDir: string, fill: (dataDir: string) => T): Promise<FilledLauncher<T>> {
  mkdirSync(dataDir);
  const empty = await startLauncher(dataDir);
  await empty.end("SIGTERM");
  const filled = fill(dataDir);
  const { port, end } = await startLauncher(dataDir);
  const secret = readFileSync(join(dataDir, "secret"), "utf8").trim();
  return { port, secret, filled, [Symbol.asyncDispose]: () => end("SIGTERM") };
}
