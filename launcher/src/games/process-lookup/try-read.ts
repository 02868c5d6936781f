// Reads facts about processes, which can end at any moment or be hidden from this user.

export function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined; // The process has ended or belongs to another user, or the system forbids the read.
  }
}
