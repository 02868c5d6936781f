// Installs Debian packages: those of the gate, or those of all tests.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import * as locate from "./locate.ts";
import { onPath } from "./on-path.ts";
import { say, timed } from "./progress.ts";

// Absolute paths, which only exist on Debian.
const dpkgQuery = "/usr/bin/dpkg-query";
const aptGet = "/usr/bin/apt-get";
const aptCache = "/usr/bin/apt-cache";

type Programs = Readonly<Record<string, () => string | undefined>>;

/** Not every release has the first package. The second takes its place. */
const [shell, browser] = ["chromium-headless-shell", "chromium"] as const;

// These programs may also be installed without a package.
const gatePrograms: Programs = {
  [shell]: () => onPath(shell),
  ffmpeg: locate.ffmpeg,
  xvfb: locate.xvfb,
  // Makes the certificates of stand-ins for networks. 1.5 MB, and usually there.
  openssl: locate.openssl,
};

/** Mono is the runtime of older Unity versions. Its library is asked for, because the program may be installed without it. */
const mono = () => (existsSync("/usr/lib/mono/4.5/System.Net.Http.dll") ? locate.mono() : undefined);

const otherPrograms: Programs = {
  [browser]: locate.windowChromium,
  jwm: locate.jwm,
  pulseaudio: locate.pulseaudio,
  "pipewire-pulse": locate.pipewire,
  wireplumber: locate.pipewire,
  "gnome-keyring": locate.gnomeKeyring,
  libfaketime: locate.libfaketime,
  patchelf: locate.patchelf,
  unzip: locate.unzip,
  "python3-swift": locate.swift,
  "mono-runtime": mono,
  "libmono-system-core4.0-cil": mono,
  "libmono-system-net-http4.0-cil": mono,
  "libmono-system-runtime4.0-cil": mono,
  "obs-studio": locate.obs,
};

// NW.js needs them. Newer Debian releases added the suffix t64 to some libraries.
const libraries = [
  "libgtk-3-0",
  "libxss1",
  "libxtst6",
  "libnss3",
  "libasound2",
  "libcups2",
  "libgbm1",
  "libatk-bridge2.0-0",
];

const absentOf = (programs: Programs): string[] =>
  Object.entries(programs).flatMap(([name, find]) => (find() === undefined ? [name] : []));

/** Packages of missing programs that `npm test` needs. */
export const packagesOfGate = (): string[] => absentOf(gatePrograms);

/** Packages of all missing programs, and all library packages. */
export const packagesOfAll = (): string[] => [...absentOf({ ...gatePrograms, ...otherPrograms }), ...libraries];

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
export async function provideSystemPackages(wanted: readonly string[]): Promise<void> {
  if (!existsSync(dpkgQuery) || !existsSync(aptGet)) return;
  const missing = missingOf(wanted);
  const installable = (): string[] => {
    if (!missing.includes(shell) || isOffered(shell)) return missing;
    const others = missing.filter((name) => name !== shell && name !== browser);
    return locate.windowChromium() === undefined ? [...others, browser] : others;
  };
  const known = installable();
  if (known.length === 0) return;
  if (process.getuid?.() !== 0) {
    say(`missing system packages; install them with: sudo apt-get install ${known.join(" ")}`);
    return;
  }
  say(`installing ${known.join(", ")} (apt-get)`);
  const { result: done, took } = await timed(
    () => apt("update") && apt("install", "--yes", "--no-install-recommends", ...installable().map(releaseName)),
  );
  say(done ? `system packages installed in ${took}` : "apt-get failed; what it said is above");
}
