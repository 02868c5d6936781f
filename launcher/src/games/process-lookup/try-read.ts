// Reads something about a process. The read fails if the process has ended, or if the system hides it from this user.

export function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined; // The process has ended or belongs to another user, or the system forbids the read.
  }
}
