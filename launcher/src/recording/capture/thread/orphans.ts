// Ends a capture that a killed launcher left behind. An ffmpeg whose reader is gone ends by itself; a stopped one cannot.
import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** What is noted of a process: its number, and when it began, so that no other that came to have its number is taken for it. */
export type NotedProcess = { readonly pid: number; readonly began: string };

const run = promisify(execFile);
const askMs = 5_000;

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

/** Notes a process that was just started. Never rejects: without the note only an orphan that is stopped stays. */
export async function noteProcess(file: string, pid: number): Promise<void> {
  const began = await beganAt(pid);
  if (began === undefined) return;
  try {
    writeFileSync(file, JSON.stringify({ pid, began } satisfies NotedProcess), { mode: 0o600 });
  } catch {
    // A full disk: said elsewhere, and no reason not to capture.
  }
}

/** Another one that is noted by now stays noted. */
export function forgetProcess(file: string, pid: number | undefined): void {
  if (readNote(file)?.pid === pid) rmSync(file, { force: true });
}

function readNote(file: string): NotedProcess | undefined {
  try {
    const { pid, began } = JSON.parse(readFileSync(file, "utf8")) as NotedProcess;
    return Number.isSafeInteger(pid) && pid > 1 && typeof began === "string" ? { pid, began } : undefined;
  } catch {
    return undefined; // None, or half of one.
  }
}

/** Ends the noted process if it still is that very process. Resolves to what was ended. Never rejects. */
export async function endOrphan(file: string): Promise<NotedProcess | undefined> {
  const noted = readNote(file);
  if (noted === undefined) return undefined;
  const isSame = (await beganAt(noted.pid)) === noted.began;
  try {
    if (isSame) process.kill(noted.pid, "SIGKILL");
    forgetProcess(file, noted.pid);
  } catch {
    return undefined; // It ended meanwhile, or is not ours to end.
  }
  return isSame ? noted : undefined;
}
