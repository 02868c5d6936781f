// What a launcher takes of the machine meanwhile: memory, database, processor. Linux only: it reads /proc.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cpuSecondsOf } from "../machine.ts";

export type Usage = {
  /** The most that lay in memory at any time, as the kernel kept it. */
  readonly residentBytesMax: number;
  /** The most that the database took with its write-ahead log, looked at four times a second. */
  readonly databaseBytesMax: number;
  /** Of one core, all threads. */
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

/** Watches from now on; the returned function ends it and tells. */
export function watch(pid: number, dataDir: string): () => Usage {
  // The kernel begins anew to keep the peak.
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
