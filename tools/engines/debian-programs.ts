// Installs programs of other Debian releases, with their own libc.
import { existsSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { provide } from "./cache.ts";
import { bindToOwnLibraries, proveOwnLibraries, unpackPackages } from "./private-debian.ts";
import type { DebianRecipe } from "./recipes.ts";

/** Links libraries that packages hide in subfolders. */
function bringTogether(libraries: string, folderName: string): void {
  const folder = join(libraries, folderName);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (name.includes(".so") && !existsSync(join(libraries, name))) {
      symlinkSync(join(folderName, name), join(libraries, name));
    }
  }
}

/** `complete` finishes the programs once they are bound to their libraries. */
export const provideFromDebian = (recipe: DebianRecipe, complete?: (place: string) => void): Promise<void> =>
  provide(recipe, (place) => {
    const { suite, packages, needless, programs } = recipe.parts;
    const [root, scratch] = [join(place, "root"), join(place, "scratch")];
    const skipped = new RegExp(needless);
    unpackPackages(root, { suite, packages, isNeedless: (name) => skipped.test(name), scratch });
    rmSync(scratch, { recursive: true });
    for (const folder of ["pulseaudio", "blas", "lapack"])
      bringTogether(join(root, "usr/lib/x86_64-linux-gnu"), folder);
    bindToOwnLibraries(root, programs, ["libpulse.so.0"]);
    for (const program of programs) proveOwnLibraries(root, program);
    complete?.(place);
  });
