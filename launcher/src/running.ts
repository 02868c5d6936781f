// Which launcher uses a data directory, and on which port: so that the command line finds it.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { whenPossible } from "./when-possible.ts";

export type Running = { readonly pid: number; readonly port: number; readonly version: string };

/** Writes the note, as soon as there is room for it; the returned function takes it away. */
export function markRunning(path: string, { port, version }: { port: number; version: string }): () => void {
  const running: Running = { pid: process.pid, port, version };
  const stop = whenPossible(() => writeFileSync(path, `${JSON.stringify(running)}\n`, { mode: 0o600 }));
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
