// Whether a process still runs, since when, and which run of `kit run` it is part of.
import { readFileSync } from "node:fs";
import { uptime } from "node:os";
import { attempt } from "../process-lookup/attempt.ts";
import { bootId, type Peer, statOf } from "../process-lookup/processes.ts";

/** A process by its id and its start. The start is empty on systems that do not tell it. */
export type ProcessName = { readonly pid: number; readonly startedAt: string };

export type ProcessLife = {
  isAlive(process: ProcessName): boolean;
  /** Undefined where the system does not tell. */
  startedMs(process: ProcessName): number | undefined;
  /** A process as it is now; undefined where there is none. */
  nameOf(pid: number): ProcessName | undefined;
  /** The id that `kit run` put into its environment. Nothing else is taken out of that. */
  runOf(peer: Peer): string | undefined;
};

/** What the kernel counts a process's start in. */
const tickMs = 10;

/** Without /proc a process is only known by its id, which another may have one day. */
function answers(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

const anywhere: ProcessLife = {
  isAlive: ({ pid }) => answers(pid),
  startedMs: () => undefined,
  nameOf: (pid) => (answers(pid) ? { pid, startedAt: "" } : undefined),
  runOf: () => undefined,
};

export function createProcessLife(now: () => number): ProcessLife {
  if (process.platform !== "linux") return anywhere;
  const boot = bootId();
  const nameOf = (pid: number): ProcessName | undefined => {
    const stat = statOf(String(pid));
    // A zombie has ended; it is only still in the table.
    return stat === undefined || /[ZX]/.test(stat.state) ? undefined : { pid, startedAt: `${boot} ${stat.startedAt}` };
  };
  return {
    isAlive: ({ pid, startedAt }) => nameOf(pid)?.startedAt === startedAt,
    startedMs({ startedAt }) {
      const [of, ticks] = startedAt.split(" ");
      return of === boot ? Math.round(now() - uptime() * 1_000 + Number(ticks) * tickMs) : undefined;
    },
    nameOf,
    runOf({ pid }) {
      const text = attempt(() => readFileSync(`/proc/${pid}/environ`, "latin1")) ?? "";
      return /(?:^|\0)KIT_RUN=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\0|$)/.exec(text)?.[1];
    },
  };
}
