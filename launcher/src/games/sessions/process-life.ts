// Finds out whether a process still runs, since when, and to which `kit run` it belongs.

import { readFileSync } from "node:fs";
import { uptime } from "node:os";
import { isProcessRunning } from "../../process/is-running.ts";
import type { SystemLookup } from "../process-lookup/native/system-lookup.ts";
import { type PeerProcess, readBootId, readProcessStat, tryRead } from "../process-lookup/processes.ts";

/** A process id and the start time of the process, which is empty on systems that do not report it. */
export type ProcessIdentity = { readonly pid: number; readonly startedAt: string };

export type ProcessLife = {
  /** Must be awaited shortly before `isAlive`, with all processes that it is asked about. Never rejects. */
  look(processes: readonly ProcessIdentity[]): Promise<void>;
  isAlive(process: ProcessIdentity): boolean;
  /** Returns when the process started, in epoch milliseconds; undefined if the system does not report it. */
  startedMs(process: ProcessIdentity): number | undefined;
  /** Returns the running process with this id; undefined if there is none. */
  findProcess(pid: number): Promise<ProcessIdentity | undefined>;
  /** Must be called when `kit run` has reported the process of a run. */
  noteRun(run: string, process: ProcessIdentity): void;
  /** Returns the id of the `kit run` that the process belongs to. */
  kitRunId(peer: PeerProcess): string | undefined;
};

/** Linux counts the start times of processes in this unit. */
const tickMs = 10;

/** For systems without /proc. */
const portableLife: ProcessLife = {
  look: async () => undefined,
  noteRun: () => undefined,
  isAlive: ({ pid }) => isProcessRunning(pid),
  startedMs: () => undefined,
  findProcess: async (pid) => (isProcessRunning(pid) ? { pid, startedAt: "" } : undefined),
  kitRunId: () => undefined,
};

/** When the start times of more processes than this are remembered, all are forgotten. */
const looksMax = 2_000;

/** If the system cannot be asked at present, checks the id alone. */
function createSystemLife({ startTimes, startedMs, noteRun, runOf }: SystemLookup): ProcessLife {
  /** When each process started; null if it did not run at the last look. */
  const current = new Map<number, string | null>();
  return {
    async look(processes) {
      const pids = [...new Set(processes.map(({ pid }) => pid))];
      const found = pids.length === 0 ? [] : await startTimes(pids).catch(() => undefined);
      if (current.size > looksMax) current.clear();
      for (const [index, pid] of pids.entries()) {
        current.delete(pid);
        const startedAt = found?.[index];
        if (startedAt !== undefined) current.set(pid, startedAt);
      }
    },
    isAlive({ pid, startedAt }) {
      const known = current.get(pid);
      return known === undefined || startedAt === "" ? isProcessRunning(pid) : known === startedAt;
    },
    startedMs: ({ startedAt }) => startedMs(startedAt),
    async findProcess(pid) {
      const found = await startTimes([pid]).catch(() => undefined);
      if (found === undefined) return portableLife.findProcess(pid);
      const [startedAt = null] = found;
      return startedAt === null ? undefined : { pid, startedAt };
    },
    noteRun,
    kitRunId: runOf,
  };
}

export function createProcessLife(now: () => number, system?: SystemLookup): ProcessLife {
  if (system !== undefined) return createSystemLife(system);
  if (process.platform !== "linux") return portableLife;
  const boot = readBootId();
  const nameOf = (pid: number): ProcessIdentity | undefined => {
    const stat = readProcessStat(String(pid));
    // A zombie has ended, although the process table still lists it.
    return stat === undefined || /[ZX]/.test(stat.state) ? undefined : { pid, startedAt: `${boot} ${stat.startedAt}` };
  };
  return {
    look: async () => undefined,
    noteRun: () => undefined,
    isAlive: ({ pid, startedAt }) => nameOf(pid)?.startedAt === startedAt,
    startedMs({ startedAt }) {
      const [of, ticks] = startedAt.split(" ");
      return of === boot ? Math.round(now() - uptime() * 1_000 + Number(ticks) * tickMs) : undefined;
    },
    findProcess: async (pid) => nameOf(pid),
    // The id is in the environment of the process, where Kit reads nothing else.
    kitRunId({ pid }) {
      const text = tryRead(() => readFileSync(`/proc/${pid}/environ`, "latin1")) ?? "";
      return /(?:^|\0)KIT_RUN=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\0|$)/.exec(text)?.[1];
    },
  };
}
