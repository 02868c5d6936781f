// Kit's own files are private to the user. Programs that Kit starts for the user get the user's umask.
import { isMainThread } from "node:worker_threads";

/** The user's umask. Importing this file sets Kit's own umask, also for later threads and processes such as ffmpeg. */
export const userUmask = isMainThread ? process.umask(0o077) : process.umask();

const inOctal = (umask: number) => umask.toString(8).padStart(4, "0");

/**
 * Returns a command that runs with this umask. It uses sh, because changing the umask of this process would affect files that
 * other threads write at the same time.
 */
export function withUmask(umask: number, command: readonly string[]): readonly string[] {
  if (process.platform === "win32") return command;
  return ["/bin/sh", "-c", 'umask "$0" && exec "$@"', inOctal(umask), ...command];
}

/** The mode of a file that the user may share. */
export const sharedFileMode = (umask: number): number => 0o666 & ~umask;
