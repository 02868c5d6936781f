// Builds kit-sound.exe, Kit's own recorder of sound on Windows, on Debian with the compilers of the recipe.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { windowsSoundFolder } from "../locate.ts";
import { isDebian } from "../private-debian.ts";
import { say, timed } from "../progress.ts";
import { environment, run, sha256, target, unpackTools } from "./build.ts";
import { tools, toolsSuite } from "./recipe.ts";

const source = join(import.meta.dirname, "kit-sound.c");
const options = [
  ...["-O2", "-fno-ident", "-Wall", "-Wextra", "-Werror", "-s", "-static", "-Wl,--no-insert-timestamp"],
  ...["-o", "kit-sound.exe", source, "-lole32", "-luuid"],
];
const inputs = () =>
  sha256(JSON.stringify({ text: readFileSync(source, "utf8"), options: options.slice(0, -3), tools, toolsSuite }));

function isCurrent(): boolean {
  try {
    return readFileSync(join(windowsSoundFolder, "complete"), "utf8") === inputs();
  } catch {
    return false;
  }
}

function build(): void {
  const draft = `${windowsSoundFolder}.${process.pid}`;
  const work = join(draft, "work");
  const root = join(work, "tools");
  try {
    mkdirSync(work, { recursive: true });
    unpackTools(root, join(work, "scratch"));
    run([`${target}-gcc`, ...options], draft, environment(root, work));
    rmSync(work, { recursive: true });
    writeFileSync(join(draft, "complete"), inputs());
    rmSync(windowsSoundFolder, { recursive: true, force: true });
    renameSync(draft, windowsSoundFolder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Builds it unless a build with the same inputs is there. */
export function provideWindowsSound(): void {
  if (isCurrent()) return;
  if (process.platform !== "linux" || process.arch !== "x64" || !isDebian()) {
    say("kit-sound.exe is only built on Debian on x64");
    return;
  }
  try {
    say(`kit-sound.exe built in ${timed(build).took} (compilers of Debian, about 90 MB, once)`);
  } catch (error) {
    say(`kit-sound.exe could not be built: ${error instanceof Error ? error.message : String(error)}`);
  }
}
