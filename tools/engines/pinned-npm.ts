// Installs npm packages from a lock file.
import { spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { basename, join } from "node:path";
import { provide, type Recipe } from "./cache.ts";

/** `words` are further words for npm. */
export const provideFromNpm = (recipe: Recipe, ...words: readonly string[]): Promise<void> =>
  provide(recipe, (place) => {
    for (const file of recipe.files ?? []) copyFileSync(file, join(place, basename(file)));
    const all = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...words];
    const { status } = spawnSync("npm", all, { cwd: place, stdio: ["ignore", "inherit", "inherit"] });
    if (status !== 0) throw new Error("what npm said is above");
  });
