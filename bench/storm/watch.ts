// Measures memory, database size and processor time of a launcher. Linux only, because it reads /proc.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cpuSecondsOf } from "../machine.ts";

export type Usage = {
  /** Peak resident memory according to the kernel. */
  readonly residentBytesMax: number;
  /** Peak size of the database with its WAL, sampled four times a second. */
  readonly databaseBytesMax: number;
  /** Percent of one core, for all threads. */
  readonly cpuPercent: number;
};

const lookEveryMs = 250;

function databaseBytesIn(dataDir: string): number {
  const sizes = ["kit.db", "kit.db-wal", "kit.db-shm"].map(
    (name) => statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function residentPeakOf(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1_024;
}

/** Starts measuring. The returned function stops and returns the usage. */
export function watch(pid: number, dataDir: string): () => Usage {
  // Resets the kernel's peak value.
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  const beganMs = performance.now();
  const beganCpuSeconds = cpuSecondsOf(pid);
  let databaseBytesMax = 0;
  const look = () => {
    databaseBytesMax = Math.max(databaseBytesMax, databaseBytesIn(dataDir));
  };
  const timer = setInterval(look, lookEveryMs).unref();
  return () => {
    clearInterval(timer);
    look();
    const seconds = (performance.now() - beganMs) / 1_000;
    const cpuPercent = ((cpuSecondsOf(pid) - beganCpuSeconds) / seconds) * 100;
    return { residentBytesMax: residentPeakOf(pid), databaseBytesMax, cpuPercent };
  };
}
