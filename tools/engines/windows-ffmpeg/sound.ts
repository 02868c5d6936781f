// Builds kit-sound.exe, Kit's own recorder of sound on Windows, on Debian with the compilers of the recipe.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { provide } from "../cache.ts";
import { soundSource, windowsSound } from "../recipes.ts";
import { environment, run, target, unpackTools } from "./build.ts";

export const provideWindowsSound = (): Promise<void> =>
  provide(windowsSound, (place) => {
    const { options, libraries } = windowsSound.parts;
    const work = join(place, "work");
    const root = join(work, "tools");
    mkdirSync(work);
    unpackTools(root, join(work, "scratch"));
    const words = [...options, "-o", "kit-sound.exe", soundSource, ...libraries];
    run([`${target}-gcc`, ...words], place, environment(root, work));
    rmSync(work, { recursive: true });
  });
