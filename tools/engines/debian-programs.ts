// Installs programs of other Debian releases into .engines/<name>, with their own libc.
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
import { enginesDir, xorgProgram } from "./locate.ts";
import { bindToOwnLibraries, isDebian, proveOwnLibraries, unpackPackages } from "./private-debian.ts";
import { say, timed } from "./progress.ts";

/** A rolling release, so exact versions are not checked. */
const nextRelease = "forky";

type DebianPrograms = {
  /** Folder name in .engines. */
  readonly name: string;
  readonly title: string;
  /** Codename of the Debian release. */
  readonly suite: string;
  readonly packages: readonly string[];
  /** Paths relative to the root of the unpacked packages. */
  readonly programs: readonly string[];
  /** Packages to skip. The final check proves that no linked library is missing. */
  readonly needless: RegExp;
  readonly size: string;
  /** Completes the programs once they are at their final place. */
  readonly complete?: (place: string) => void;
};

const placeOf = (wanted: DebianPrograms) => join(enginesDir, wanted.name);
const rootOf = (wanted: DebianPrograms) => join(placeOf(wanted), "root");
const stampOf = (wanted: DebianPrograms) => join(placeOf(wanted), "complete");

/** Contains the root path, because the programs contain the path of their loader. */
const stampText = (wanted: DebianPrograms) => `${wanted.suite} ${wanted.packages.join(" ")} 1 ${rootOf(wanted)}\n`;

function isCurrent(wanted: DebianPrograms): boolean {
  const stamp = stampOf(wanted);
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== stampText(wanted)) return false;
  return wanted.programs.every((program) => existsSync(join(rootOf(wanted), program)));
}

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

function install(wanted: DebianPrograms): void {
  const { name, packages, programs, suite } = wanted;
  const place = placeOf(wanted);
  const root = rootOf(wanted);
  const draft = join(enginesDir, `${name}.${process.pid}`);
  const scratch = join(enginesDir, `${name}.${process.pid}.scratch`);
  try {
    mkdirSync(draft, { recursive: true });
    const isNeedless = (candidate: string) => wanted.needless.test(candidate);
    unpackPackages(join(draft, "root"), { suite, packages, isNeedless, scratch });
    if (isCurrent(wanted)) return; // Another run was first.
    rmSync(place, { recursive: true, force: true });
    renameSync(draft, place);
    for (const folder of ["pulseaudio", "blas", "lapack"])
      bringTogether(join(root, "usr/lib/x86_64-linux-gnu"), folder);
    bindToOwnLibraries(root, programs, ["libpulse.so.0"]);
    for (const program of programs) proveOwnLibraries(root, program);
    wanted.complete?.(place);
    writeFileSync(stampOf(wanted), stampText(wanted));
  } finally {
    for (const folder of [draft, scratch]) rmSync(folder, { recursive: true, force: true });
  }
}

export function provideFromDebian(wanted: DebianPrograms): void {
  if (isCurrent(wanted)) return;
  if (process.platform !== "linux" || process.arch !== "x64" || !isDebian()) {
    say(`${wanted.title} is only brought to Debian on x64`);
    return;
  }
  say(`fetching ${wanted.title} from Debian ${wanted.suite} (about ${wanted.size}, once)`);
  try {
    const { took } = timed(() => install(wanted));
    say(`${wanted.title} installed in ${took}`);
  } catch (error) {
    rmSync(stampOf(wanted), { force: true });
    say(`${wanted.title} could not be brought here: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Installs Godot 4 and its release export template, which the current Debian release does not have. */
export function provideGodot(): void {
  provideFromDebian({
    name: "godot",
    title: "Godot and its release template",
    suite: nextRelease,
    packages: ["godot", "godot-template-release"],
    programs: ["usr/bin/godot", "usr/bin/godot-template-release"],
    // Graphics drivers, which a headless engine does not need.
    needless: /^(libllvm|libz3-|mesa-|fonts-|xkb-data|libc-gconv-)/,
    size: "120 MB",
  });
}

/** Installs the newest ffmpeg beside the system's, so that recording is tested with old and new versions. */
export function provideFfmpegNew(): void {
  provideFromDebian({
    name: "ffmpeg",
    title: "the newest ffmpeg",
    suite: nextRelease,
    packages: ["ffmpeg"],
    programs: ["usr/bin/ffmpeg"],
    // Graphics drivers, and data for unused filters.
    needless:
      /^(libllvm|libz3-|mesa-|fonts-|xkb-data|libc-gconv-|pocketsphinx-|.*-data$|.*-common$|iso-codes|hicolor-)/,
    size: "60 MB",
  });
}

/** Installs the compiler of Kit's setup for Windows. It is a program of Linux. */
export function provideNsis(): void {
  provideFromDebian({
    name: "nsis",
    title: "NSIS",
    suite: "trixie",
    packages: ["nsis"],
    programs: ["usr/bin/makensis"],
    needless: /^gcc-\d+-base$/,
    size: "10 MB",
  });
}

/** Installs a server for metrics. Debian builds it without its receiver of OpenTelemetry. */
export function providePrometheus(): void {
  provideFromDebian({
    name: "prometheus",
    title: "Prometheus",
    suite: "trixie",
    packages: ["prometheus"],
    programs: ["usr/bin/prometheus"],
    // Its page, its tool, and what sets up a service.
    needless: /^(?!prometheus$|libc6$)/,
    size: "20 MB",
  });
}

/** Installs an X server with several monitors, which can be connected and disconnected by command. Xvfb has only one. */
export function provideXorg(): void {
  provideFromDebian({
    name: "xorg",
    title: "Xorg with virtual monitors",
    suite: "trixie",
    packages: ["xserver-xorg-core", "xserver-xorg-video-dummy", "x11-xserver-utils"],
    programs: [xorgProgram, "usr/bin/xrandr"],
    // Graphics drivers, device management and keyboard data, which the virtual driver does not need, or has from Xvfb.
    needless:
      /^(libllvm|libz3-|mesa-|fonts-|xkb-data|udev|systemd|libsystemd-shared|perl|libperl|cpp|gcc-|keyboard-|console-)/,
    size: "30 MB",
  });
}
