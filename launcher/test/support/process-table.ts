// Reads the machine's processes from /proc. Linux only.
import { readdirSync, readFileSync } from "node:fs";

export type Process = {
  readonly pid: number;
  readonly parent: number;
  /** One letter: R, S, T for stopped, Z for a zombie. */
  readonly state: string;
  /** Processor time of all its threads, in ticks. */
  readonly ticks: number;
  /** Processor time of its ended children. */
  readonly endedChildrenTicks: number;
  /** The start time in ticks. A pid with another start time is another process. */
  readonly beganTicks: number;
  readonly residentBytes: number;
  readonly commandLine: string;
};

const pageBytes = 4_096;

export function processTable(): Process[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => processAt(Number(pid)) ?? []);
}

/** Undefined if there is no such process. */
export function processAt(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The fields after the program's name, which may contain anything.
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
    return undefined; // The process has ended.
  }
}

/** The process and all its descendants. */
export function treeOf(pid: number, table: readonly Process[] = processTable()): Process[] {
  const own = table.filter((process) => process.pid === pid);
  const children = table.filter(({ parent }) => parent === pid);
  return [...own, ...children.flatMap((child) => treeOf(child.pid, table))];
}

/** Processes that capture the screen `display`. */
export const capturesOf = (display: string): Process[] =>
  processTable().filter(({ commandLine, state }) => state !== "Z" && capturing(commandLine, display));

function capturing(commandLine: string, display: string): boolean {
  const words = commandLine.split(" ");
  return (
    words.includes("x11grab") &&
    words.some((word) => word === display || word.startsWith(`${display}.`) || word.startsWith(`${display}+`))
  );
}
