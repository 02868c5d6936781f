// Which launcher uses a data directory, and on which port: so that the command line finds it.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { whenPossible } from "./when-possible.ts";

export type Running = { readonly pid: number; readonly port: number; readonly version: string };

/** Writes the note, as soon as there is room for it, and again when its folder may be another; the returned function takes it away. */
export function markRunning(
  path: string,
  { port, version }: { port: number; version: string },
  whenReopened: (listener: () => void) => void,
): () => void {
  const running: Running = { pid: process.pid, port, version };
  const write = () => whenPossible(() => writeFileSync(path, `${JSON.stringify(running)}\n`, { mode: 0o600 }));
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
      // A read-only disk keeps it. Whoever reads it asks the port who is there.
    }
  };
}

/** The note of the last launcher, which may be gone; undefined when there is none. */
export function readRunning(path: string): Running | undefined {
  try {
    const { pid, port, version } = JSON.parse(readFileSync(path, "utf8")) as Partial<Running>;
    if (!Number.isInteger(pid) || !Number.isInteger(port)) return undefined;
    return { pid: pid as number, port: port as number, version: String(version) };
  } catch {
    return undefined;
  }
}
