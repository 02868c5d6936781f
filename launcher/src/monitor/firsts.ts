// Tells the first report of each kind in a session.

const kindsMax = 10_000;

/** True for the first event of a kind, as often as that event comes: it is handed over again after a failed write. */
export function createFirsts(): (kind: string, event: string) => boolean {
  const firsts = new Map<string, string>();
  return (kind, event) => {
    const first = firsts.get(kind);
    if (first !== undefined) return first === event;
    firsts.set(kind, event);
    // Beyond the bound the oldest kind counts as new again.
    if (firsts.size > kindsMax) firsts.delete(firsts.keys().next().value ?? kind);
    return true;
  };
}
