// Installs Wine, and an empty Windows that the tests copy.
import { spawnSync } from "node:child_process";
import { copyFileSync, globSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { provideFromDebian } from "./debian-programs.ts";
import { wine } from "./recipes.ts";

const programs = "usr/lib/wine";
const system = "drive_c/windows/system32";

/** Paths of an installed Wine, by the path of its `wine64`. */
export function wineParts(wine64: string): { server: string; emptyWindows: string } {
  const folder = dirname(wine64);
  return { server: join(folder, "wineserver64"), emptyWindows: join(folder, "../../../../windows") };
}

// No menus of the desktop, no question about downloads, and no debugger that asks a person after a crash.
const overrides = "mshtml=;winemenubuilder.exe,winedbg.exe=d";

/** Added to the environment of a program that brings .NET: Wine loads none of its libraries without its own mscoree. */
export const dotnetEnvironmentOfWine = { WINEDLLOVERRIDES: overrides } as const;

/** Environment of Wine's programs that use the Windows in `folder`. */
export const wineEnvironment = (wine64: string, folder: string): NodeJS.ProcessEnv => ({
  WINEPREFIX: folder,
  WINESERVER: wineParts(wine64).server,
  WINELOADER: wine64,
  WINEARCH: "win64",
  WINEDEBUG: "-all",
  // With mscoree, Wine would ask about a download of Mono when it makes a Windows.
  WINEDLLOVERRIDES: `mscoree=;${overrides}`,
  DISPLAY: "",
  // Wine crashes if it is set.
  TMPDIR: undefined,
});

function run(command: string, words: readonly string[], env: NodeJS.ProcessEnv = {}): void {
  const ended = spawnSync(command, words, { env: { ...process.env, ...env }, encoding: "utf8", timeout: 300_000 });
  if (ended.status !== 0) throw new Error(`${command} failed: ${ended.error?.message ?? ended.stderr.trim()}`);
}

/** Removes debug information, two thirds of the libraries, which every new Windows copies. */
function stripLibraries(root: string): void {
  const folder = join(root, "usr/lib/x86_64-linux-gnu/wine/x86_64-windows");
  const files = globSync("*.{dll,exe,drv,sys,cpl,ocx,acm,ax}", { cwd: folder }).map((name) => join(folder, name));
  run("strip", ["--strip-debug", ...files]);
}

function makeWindows(place: string): void {
  const root = join(place, "root");
  const wine64 = join(root, programs, "wine64");
  const { server, emptyWindows } = wineParts(wine64);
  const env = wineEnvironment(wine64, emptyWindows);
  mkdirSync(join(emptyWindows, system), { recursive: true });
  // Wine's own libraries need this one, which is in another package.
  copyFileSync(join(root, "usr/x86_64-w64-mingw32/lib/zlib1.dll"), join(emptyWindows, system, "zlib1.dll"));
  run(wine64, ["wineboot", "-i"], env);
  run(server, ["--wait"], env);
}

function complete(place: string): void {
  const root = join(place, "root");
  // Debian's script has absolute paths, and the server looks for its tables where Wine itself installs them.
  renameSync(join(root, programs, "wineserver"), join(root, programs, "wineserver.sh"));
  symlinkSync("wineserver64", join(root, programs, "wineserver"));
  symlinkSync(".", join(root, "usr/share/wine/wine"));
  stripLibraries(root);
  makeWindows(place);
}

export const provideWine = (): Promise<void> => provideFromDebian(wine, complete);
