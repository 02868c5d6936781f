// Finds out whether a process still runs, since when, and to which `kit run` it belongs.
import { readFileSync } from "node:fs";
import { uptime } from "node:os";
import { type PeerProcess, readBootId, readProcessStat, tryRead } from "../process-lookup/processes.ts";

/** A process id and the start time of the process, which is empty on systems that do not report it. */
export type ProcessIdentity = { readonly pid: number; readonly startedAt: string };

export type ProcessLife = {
  isAlive(process: ProcessIdentity): boolean;
  /** Returns when the process started, in epoch milliseconds; undefined if the system does not report it. */
  startedMs(process: ProcessIdentity): number | undefined;
  /** Returns the running process with this id; undefined if there is none. */
  findProcess(pid: number): ProcessIdentity | undefined;
  /** Returns the id that `kit run` set in the environment of the process, and reads nothing else there. */
  kitRunId(peer: PeerProcess): string | undefined;
};

/** Linux counts the start times of processes in this unit. */
const tickMs = 10;

/** For systems without /proc. Checks the id alone, which a later process can have. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

const portableLife: ProcessLife = {
  isAlive: ({ pid }) => exists(pid),
  startedMs: () => undefined,
  findProcess: (pid) => (exists(pid) ? { pid, startedAt: "" } : undefined),
  kitRunId: () => undefined,
};

export function createProcessLife(now: () => number): ProcessLife {
  if (process.platform !== "linux") return portableLife;
  const boot = readBootId();
  const nameOf = (pid: number): ProcessIdentity | undefined => {
    const stat = readProcessStat(String(pid));
    // A zombie has ended, although the process table still lists it.
    return stat === undefined || /[ZX]/.test(stat.state) ? undefined : { pid, startedAt: `${boot} ${stat.startedAt}` };
  };
  return {
    isAlive: ({ pid, startedAt }) => nameOf(pid)?.startedAt === startedAt,
    startedMs({ startedAt }) {
      const [of, ticks] = startedAt.split(" ");
      return of === boot ? Math.round(now() - uptime() * 1_000 + Number(ticks) * tickMs) : undefined;
    },
    findProcess: nameOf,
    kitRunId({ pid }) {
      const text = tryRead(() => readFileSync(`/proc/${pid}/environ`, "latin1")) ?? "";
      return /(?:^|\0)KIT_RUN=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\0|$)/.exec(text)?.[1];
    },
  };
}
