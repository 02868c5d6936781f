// Ends captures that a killed launcher left behind. An ffmpeg whose reader is gone ends by itself; a stopped one cannot.
import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** What is noted of a process: its number, and when it began, so that no other that came to have its number is taken for it. */
export type NotedProcess = { readonly pid: number; readonly began: string };

const run = promisify(execFile);
const askMs = 5_000;
/** Two capture at once at most; what was not forgotten for some reason is nobody's by now. */
const notedMax = 8;

/** When it began, in the system's own words; undefined when there is no such process, or nothing that could stop one. */
async function beganAt(pid: number): Promise<string | undefined> {
  // On Windows no signal stops a process: the broken pipe always ends it.
  if (process.platform === "win32") return undefined;
  try {
    if (process.platform === "linux") return await linuxBeganAt(pid);
    // In one language and zone, whoever asks.
    const env = { LC_ALL: "C", TZ: "UTC" };
    const { stdout } = await run("/bin/ps", ["-o", "lstart=", "-p", String(pid)], { timeout: askMs, env });
    return stdout.trim() || undefined;
  } catch {
    return undefined; // It has ended, or the system does not say.
  }
}

/** Ticks since the machine's start, and which start that was. */
async function linuxBeganAt(pid: number): Promise<string | undefined> {
  const [stat, boot] = await Promise.all([
    readFile(`/proc/${pid}/stat`, "latin1"),
    readFile("/proc/sys/kernel/random/boot_id", "latin1"),
  ]);
  // The program's name stands in brackets and may hold anything; the fields after it begin with the state.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? undefined : `${boot.trim()} ${fields[19]}`;
}

/**
 * Notes a process that was just started, beside those that run: one capture hands over to the next. Not when it is over by the time the
 * system has answered. Never rejects: without the note only an orphan that is stopped stays.
 */
export async function noteProcess(file: string, pid: number, isOver: () => boolean = () => false): Promise<void> {
  const began = await beganAt(pid);
  if (began === undefined || isOver()) return;
  const others = readNotes(file).filter((noted) => noted.pid !== pid);
  try {
    writeNotes(file, [...others, { pid, began }].slice(-notedMax));
  } catch {
    // A full disk: said elsewhere, and no reason not to capture.
  }
}

/** The others that are noted stay noted. */
export function forgetProcess(file: string, pid: number | undefined): void {
  const noted = readNotes(file);
  const others = noted.filter((one) => one.pid !== pid);
  if (others.length === noted.length) return;
  if (others.length === 0) rmSync(file, { force: true });
  else writeNotes(file, others);
}

const writeNotes = (file: string, noted: readonly NotedProcess[]) =>
  writeFileSync(file, JSON.stringify(noted), { mode: 0o600 });

function isNote(value: unknown): value is NotedProcess {
  const { pid, began } = (value ?? {}) as Partial<NotedProcess>;
  return Number.isSafeInteger(pid) && Number(pid) > 1 && typeof began === "string";
}

function readNotes(file: string): NotedProcess[] {
  try {
    const noted: unknown = JSON.parse(readFileSync(file, "utf8"));
    return (Array.isArray(noted) ? noted : []).filter(isNote);
  } catch {
    return []; // None, or half of them.
  }
}

/** Ends the noted processes that still are those very ones. Resolves to what was ended. Never rejects. */
export async function endOrphans(file: string): Promise<NotedProcess[]> {
  const ended: NotedProcess[] = [];
  for (const noted of readNotes(file)) {
    const isSame = (await beganAt(noted.pid)) === noted.began;
    try {
      if (isSame) process.kill(noted.pid, "SIGKILL");
      forgetProcess(file, noted.pid);
      if (isSame) ended.push(noted);
    } catch {
      // It ended meanwhile, or is not ours to end.
    }
  }
  return ended;
}
