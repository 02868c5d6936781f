// Kills ffmpeg processes that a killed launcher left behind. A running one ends when its pipe breaks, but a suspended one cannot.
import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** A process by its pid and start time. The start time makes sure that a later process with the same pid is never killed. */
export type ProcessRecord = { readonly pid: number; readonly began: string };

const run = promisify(execFile);
const psTimeoutMs = 5_000;
/** At most two processes capture at once, so older records are of processes that have ended. */
const recordsMax = 8;

/** Returns the start time in the system's format, or undefined if there is nothing to kill. */
async function processStart(pid: number): Promise<string | undefined> {
  // On Windows no signal can suspend a process, so the broken pipe always ends it.
  if (process.platform === "win32") return undefined;
  try {
    if (process.platform === "linux") return await linuxProcessStart(pid);
    // A fixed language and time zone, so that the text can be compared.
    const env = { LC_ALL: "C", TZ: "UTC" };
    const { stdout } = await run("/bin/ps", ["-o", "lstart=", "-p", String(pid)], { timeout: psTimeoutMs, env });
    return stdout.trim() || undefined;
  } catch {
    return undefined; // The process has ended, or the system does not report it.
  }
}

/** Returns the boot id and the start time in ticks since boot. */
async function linuxProcessStart(pid: number): Promise<string | undefined> {
  const [stat, boot] = await Promise.all([
    readFile(`/proc/${pid}/stat`, "latin1"),
    readFile("/proc/sys/kernel/random/boot_id", "latin1"),
  ]);
  // The program's name is in parentheses and may contain any character; the fields after it start with the state.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? undefined : `${boot.trim()} ${fields[19]}`;
}

/**
 * Records a process that was just started, unless it has ended meanwhile. Never rejects: without the record, only a suspended
 * orphan would survive.
 */
export async function addProcessRecord(
  file: string,
  pid: number,
  hasEnded: () => boolean = () => false,
): Promise<void> {
  const began = await processStart(pid);
  if (began === undefined || hasEnded()) return;
  const others = readRecords(file).filter((record) => record.pid !== pid);
  try {
    writeRecords(file, [...others, { pid, began }].slice(-recordsMax));
  } catch {
    // The disk may be full. That is reported elsewhere, and must not prevent the capture.
  }
}

/** Removes the record of this process. Others stay. */
export function removeProcessRecord(file: string, pid: number | undefined): void {
  const records = readRecords(file);
  const others = records.filter((record) => record.pid !== pid);
  if (others.length === records.length) return;
  if (others.length === 0) rmSync(file, { force: true });
  else writeRecords(file, others);
}

const writeRecords = (file: string, records: readonly ProcessRecord[]) =>
  writeFileSync(file, JSON.stringify(records), { mode: 0o600 });

function isRecord(value: unknown): value is ProcessRecord {
  const { pid, began } = (value ?? {}) as Partial<ProcessRecord>;
  return Number.isSafeInteger(pid) && Number(pid) > 1 && typeof began === "string";
}

function readRecords(file: string): ProcessRecord[] {
  try {
    const records: unknown = JSON.parse(readFileSync(file, "utf8"));
    return (Array.isArray(records) ? records : []).filter(isRecord);
  } catch {
    return []; // The file is absent or incomplete.
  }
}

/** Kills the recorded processes that still exist, and resolves to them. Never rejects. */
export async function killOrphans(file: string): Promise<ProcessRecord[]> {
  const killed: ProcessRecord[] = [];
  for (const record of readRecords(file)) {
    const isSame = (await processStart(record.pid)) === record.began;
    try {
      if (isSame) process.kill(record.pid, "SIGKILL");
      removeProcessRecord(file, record.pid);
      if (isSame) killed.push(record);
    } catch {
      // The process ended meanwhile, or belongs to another user.
    }
  }
  return killed;
}
