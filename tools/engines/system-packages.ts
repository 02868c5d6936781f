// Installs Debian packages: browser, virtual display, window manager, ffmpeg, sound servers, keyring, a library for other clocks, S3 store, patchelf, unzip, openssl, a C
// compiler, the libraries of NW.js, Mono, and OBS Studio.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import {
  chromium,
  ffmpeg,
  gcc,
  gnomeKeyring,
  headlessChromium,
  jwm,
  libfaketime,
  mono,
  obs,
  openssl,
  patchelf,
  pipewire,
  pulseaudio,
  swift,
  unzip,
  xvfb,
} from "./locate.ts";
import { say, timed } from "./progress.ts";

// Absolute paths, which only exist on Debian.
const dpkgQuery = "/usr/bin/dpkg-query";
const aptGet = "/usr/bin/apt-get";
const aptCache = "/usr/bin/apt-cache";

// These programs may also be installed without a package.
const programs = {
  chromium,
  "chromium-headless-shell": headlessChromium,
  xvfb,
  jwm,
  ffmpeg,
  pulseaudio,
  "pipewire-pulse": pipewire,
  wireplumber: pipewire,
  "gnome-keyring": gnomeKeyring,
  libfaketime,
  patchelf,
  unzip,
  openssl,
  gcc,
  "python3-swift": swift,
};

/** Not every release has this package, and the tests run without it. */
const optional = "chromium-headless-shell";

// Newer Debian releases added the suffix t64 to some libraries.
const libraries = [
  "libgtk-3-0",
  "libxss1",
  "libxtst6",
  "libnss3",
  "libasound2",
  "libcups2",
  "libgbm1",
  "libatk-bridge2.0-0",
  // The headers gcc compiles against.
  "libc6-dev",
];

/** Packages of missing programs, and all library packages. */
export function packagesOfTests(): string[] {
  const absent = Object.entries(programs).filter(([, locate]) => locate() === undefined);
  return [...absent.map(([name]) => name), ...libraries];
}

/** Returns the packages that are not installed, with one dpkg query. */
function missingOf(wanted: readonly string[]): string[] {
  const asked = wanted.flatMap((name) => [name, `${name}t64`]);
  const format = "${Package} ${db:Status-Status}\n"; // dpkg's own placeholders
  const answer = spawnSync(dpkgQuery, ["-W", "-f", format, ...asked], { encoding: "utf8" });
  const lines = new Set((answer.stdout ?? "").split("\n"));
  return wanted.filter((name) => !lines.has(`${name} installed`) && !lines.has(`${name}t64 installed`));
}

/** Whether this release has the package, as far as apt was told. */
function isOffered(name: string): boolean {
  const policy = spawnSync(aptCache, ["policy", name], { encoding: "utf8" });
  return /Candidate: (?!\(none\))\S/.test(policy.stdout ?? "");
}

/** The package's name in this release. */
const releaseName = (name: string): string => (isOffered(`${name}t64`) ? `${name}t64` : name);

function apt(...words: string[]): boolean {
  const run = spawnSync(aptGet, ["-q", "-o", "DPkg::Lock::Timeout=120", "-o", "Dpkg::Use-Pty=0", ...words], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  return run.status === 0;
}

/** Installs missing packages if this is Debian and permissions allow it. Otherwise prints what a person has to do. */
export function provideSystemPackages(wanted: readonly string[]): void {
  if (!existsSync(dpkgQuery) || !existsSync(aptGet)) return;
  const missing = missingOf(wanted);
  const installable = () => missing.filter((name) => name !== optional || isOffered(name));
  const known = installable();
  if (known.length === 0) return;
  if (process.getuid?.() !== 0) {
    say(`missing system packages; install them with: sudo apt-get install ${known.join(" ")}`);
    return;
  }
  say(`installing ${known.join(", ")} (apt-get)`);
  const { result: done, took } = timed(
    () => apt("update") && apt("install", "--yes", "--no-install-recommends", ...installable().map(releaseName)),
  );
  say(done ? `system packages installed in ${took}` : "apt-get failed; what it said is above");
}

/** Mono, the runtime of older Unity versions. */
const monoPackages = [
  "mono-runtime",
  "libmono-system-core4.0-cil",
  "libmono-system-net-http4.0-cil",
  "libmono-system-runtime4.0-cil",
];

// Checks the library, because the program may be installed without it.
const monoLibrary = "/usr/lib/mono/4.5/System.Net.Http.dll";

/** Returns the packages to install, or none if Mono is installed. */
export function packagesOfMono(): readonly string[] {
  return mono() === undefined || !existsSync(monoLibrary) ? monoPackages : [];
}

/** Returns the package to install, or none if OBS is installed. */
export function packagesOfObs(): readonly string[] {
  return obs() === undefined ? ["obs-studio"] : [];
}
