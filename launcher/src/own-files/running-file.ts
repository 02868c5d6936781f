// The file that tells the command line which launcher uses a data folder, and on which port.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { retryUntilWritten } from "./retry-write.ts";

export type RunningLauncher = { readonly pid: number; readonly port: number; readonly version: string };

/** Writes the file as soon as there is space, and again after the data folder was reopened. Returns a function that removes it. */
export function writeRunningFile(
  path: string,
  { port, version }: { port: number; version: string },
  whenReopened: (listener: () => void) => void,
): () => void {
  const running: RunningLauncher = { pid: process.pid, port, version };
  const write = () => retryUntilWritten(() => writeFileSync(path, `${JSON.stringify(running)}\n`, { mode: 0o600 }));
  let stop = write();
  whenReopened(() => {
    stop();
    stop = write();
  });
  return () => {
    stop();
    try {
      rmSync(path, { force: true });
    } catch {
      // A file that cannot be removed does no harm: readers check which launcher answers on the port.
    }
  };
}

/** Returns which launcher wrote the file last; it may have ended since. Returns undefined if the file is missing or damaged. */
export function readRunningFile(path: string): RunningLauncher | undefined {
  try {
    const { pid, port, version } = JSON.parse(readFileSync(path, "utf8")) as Partial<RunningLauncher>;
    if (!Number.isInteger(pid) || !Number.isInteger(port)) return undefined;
    return { pid: pid as number, port: port as number, version: String(version) };
  } catch {
    return undefined;
  }
}
