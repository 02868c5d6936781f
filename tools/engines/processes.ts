// Finds and kills all processes that an engine started, including orphans. Linux only (/proc).
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { patienceMs } from "./patience.ts";

/**
 * Pids of the processes of a run: those in the session of the detached process `leader`, and those with the run's temporary
 * `folder` in their command line or environment.
 */
export function processesOf(folder: string, leader?: number): number[] {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return all.map(Number).filter((pid) => pid !== process.pid && isAlive(pid) && belongs(pid, folder, leader));
}

/** Kills all processes of a run and waits for them to end. Throws if one remains. */
export async function endProcessesOf(folder: string, leader?: number): Promise<void> {
  const deadlineMs = Date.now() + patienceMs;
  for (;;) {
    const left = processesOf(folder, leader);
    if (left.length === 0) return;
    if (Date.now() > deadlineMs) throw new Error(`processes ${left.join(", ")} cannot be ended`);
    for (const pid of left) kill(pid);
    await pause(20);
  }
}

function belongs(pid: number, folder: string, leader: number | undefined): boolean {
  if (leader !== undefined && statOf(pid)[3] === String(leader)) return true;
  return read(pid, "cmdline").includes(folder) || read(pid, "environ").includes(folder);
}

function isAlive(pid: number): boolean {
  const state = statOf(pid)[0];
  return state !== undefined && state !== "Z" && state !== "X";
}

/** Fields of /proc/PID/stat after the program's name: state, parent, group, session. */
function statOf(pid: number): string[] {
  const text = read(pid, "stat");
  return text === "" ? [] : text.slice(text.lastIndexOf(")") + 2).split(" ");
}

function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return ""; // The process ended or belongs to another user.
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended meanwhile.
  }
}
