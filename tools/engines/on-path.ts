// Finds programs in the folders of PATH.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

export function onPath(name: string): string | undefined {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const found = runnable(join(folder, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

export function runnable(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return undefined;
  }
}
