// What the system tells of a process may be gone, or not for this user to see, at any moment.

export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined; // It ended meanwhile, is another user's, or the system forbids the question.
  }
}
