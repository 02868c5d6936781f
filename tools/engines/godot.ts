// Brings Godot 4 and its release export template from a newer Debian release into .engines/godot, with a libc of their own.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { enginesDir, godot, godotTemplate } from "./locate.ts";
import { bindToOwnLibraries, isDebian, proveOwnLibraries, unpackPackages } from "./private-debian.ts";
import { say, timed } from "./progress.ts";

// The release after the current one: it rolls until it is stable, so no exact version of the engine is counted on.
const suite = "forky";
const packages = ["godot", "godot-template-release"];
const programs = ["usr/bin/godot", "usr/bin/godot-template-release"];

const place = join(enginesDir, "godot");
const root = join(place, "root");
const stamp = join(place, "complete");
// The loader's path is written into the programs, so a repository that was moved needs them anew.
const stampText = `${suite} ${packages.join(" ")} 1 ${root}\n`;

// A third of the download draws on graphics cards, which a headless engine never does. That nothing the programs are
// linked against is left out with it is proved at the end.
const needless = /^(libllvm|libz3-|mesa-|fonts-|xkb-data|libc-gconv-)/;

function isCurrent(): boolean {
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== stampText) return false;
  return godot() !== undefined && godotTemplate() !== undefined;
}

/** PulseAudio keeps one of its libraries in a folder that only the other knows. */
function bringPulseTogether(libraries: string): void {
  const folder = join(libraries, "pulseaudio");
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) symlinkSync(join("pulseaudio", name), join(libraries, name));
}

function install(): void {
  const draft = join(enginesDir, `godot.${process.pid}`);
  const scratch = join(enginesDir, `godot.${process.pid}.scratch`);
  try {
    mkdirSync(draft, { recursive: true });
    const isNeedless = (name: string) => needless.test(name);
    unpackPackages(join(draft, "root"), { suite, packages, isNeedless, scratch });
    if (isCurrent()) return; // Another run was first.
    rmSync(place, { recursive: true, force: true });
    renameSync(draft, place);
    bringPulseTogether(join(root, "usr/lib/x86_64-linux-gnu"));
    bindToOwnLibraries(root, programs, ["libpulse.so.0"]);
    for (const program of programs) proveOwnLibraries(root, program);
    writeFileSync(stamp, stampText);
  } finally {
    for (const folder of [draft, scratch]) rmSync(folder, { recursive: true, force: true });
  }
}

export function provideGodot(): void {
  if (isCurrent()) return;
  if (process.platform !== "linux" || process.arch !== "x64" || !isDebian()) {
    say("Godot is only brought to Debian on x64");
    return;
  }
  say(`fetching Godot and its release template from Debian ${suite} (about 120 MB, once)`);
  try {
    const { took } = timed(install);
    say(`Godot installed in ${took}`);
  } catch (error) {
    rmSync(stamp, { force: true });
    say(`Godot could not be brought here: ${error instanceof Error ? error.message : String(error)}`);
  }
}
