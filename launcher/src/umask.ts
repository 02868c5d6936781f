// Everything Kit writes is its user's alone; what Kit starts for the user writes its files as the user is used to.
import { isMainThread } from "node:worker_threads";

/** Set before anything is written. Threads and processes that are started from now on have it, ffmpeg among them. */
export const usersUmask = isMainThread ? process.umask(0o077) : process.umask();

const inOctal = (umask: number) => umask.toString(8).padStart(4, "0");

/**
 * The command, run with that umask. By way of sh: the umask of this process is that of all of its threads, and what they write
 * meanwhile would be open to others.
 */
export function withUmask(umask: number, command: readonly string[]): readonly string[] {
  if (process.platform === "win32") return command;
  return ["/bin/sh", "-c", 'umask "$0" && exec "$@"', inOctal(umask), ...command];
}

/** The mode of a file that is meant to be passed on. */
export const modeByUmask = (umask: number): number => 0o666 & ~umask;
