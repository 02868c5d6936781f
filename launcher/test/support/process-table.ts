// Reads the machine's processes from /proc. Linux only.
import { readdirSync, readFileSync } from "node:fs";

export type Process = {
  readonly pid: number;
  readonly parent: number;
  /** One letter: R, S, T for stopped, Z for a zombie. */
  readonly state: string;
  /** Processor time since it began, of all its threads, in ticks. */
  readonly ticks: number;
  /** The same of its children that have ended. */
  readonly endedChildrenTicks: number;
  /** When it began, in ticks: a pid with another beginning is another process. */
  readonly beganTicks: number;
  readonly residentBytes: number;
  readonly commandLine: string;
};

const pageBytes = 4_096;

export function processTable(): Process[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => processAt(Number(pid)) ?? []);
}

/** Undefined when there is no such process. */
export function processAt(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // After the program's name, which may hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const number = (place: number) => Number(fields[place]);
    return {
      pid,
      parent: number(1),
      state: fields[0] ?? "",
      ticks: number(11) + number(12),
      endedChildrenTicks: number(13) + number(14),
      beganTicks: number(19),
      residentBytes: number(21) * pageBytes,
      commandLine: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim(),
    };
  } catch {
    return undefined; // It ended meanwhile.
  }
}

/** The process and all that descend from it. */
export function treeOf(pid: number, table: readonly Process[] = processTable()): Process[] {
  const own = table.filter((process) => process.pid === pid);
  const children = table.filter(({ parent }) => parent === pid);
  return [...own, ...children.flatMap((child) => treeOf(child.pid, table))];
}

/** What captures the screen `display`, whoever started it. */
export const capturesOf = (display: string): Process[] =>
  processTable().filter(({ commandLine, state }) => state !== "Z" && capturing(commandLine, display));

function capturing(commandLine: string, display: string): boolean {
  const words = commandLine.split(" ");
  return (
    words.includes("x11grab") &&
    words.some((word) => word === display || word.startsWith(`${display}.`) || word.startsWith(`${display}+`))
  );
}
