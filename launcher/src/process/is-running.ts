// Whether a process runs, as far as its id tells.

/** Checks the id alone, which a later process can have. A process of another user counts, although it takes no signal. */
export function isProcessRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
