// Finds import cycles.

/** Returns each cycle once as a path, e.g. ["a.ts", "b.ts", "a.ts"]. */
export function cyclesIn(importsOf: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (path: string) => {
    const since = way.indexOf(path);
    if (since >= 0) cycles.push([...way.slice(since), path]);
    if (since >= 0 || done.has(path)) return;
    way.push(path);
    for (const next of importsOf.get(path) ?? []) visit(next);
    way.pop();
    done.add(path);
  };
  for (const path of importsOf.keys()) visit(path);
  return cycles;
}
