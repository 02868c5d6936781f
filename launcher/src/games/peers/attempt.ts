// What /proc shows of a process may be gone, or not for this user to see, at any moment.

export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined; // It ended meanwhile, or is another user's.
  }
}
