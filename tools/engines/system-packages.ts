// Brings what Debian packages: the browser, the virtual display, ffmpeg, a sound server, a keyring, patchelf, unzip, openssl, a C
// compiler and the libraries NW.js is linked against.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium, ffmpeg, gcc, gnomeKeyring, openssl, patchelf, pulseaudio, unzip, xvfb } from "./locate.ts";
import { say, timed } from "./progress.ts";

// By path: where these are missing it is no Debian, whatever the name may find.
const dpkgQuery = "/usr/bin/dpkg-query";
const aptGet = "/usr/bin/apt-get";
const aptCache = "/usr/bin/apt-cache";

// A machine may have got these programs in another way.
const programs = { chromium, xvfb, ffmpeg, pulseaudio, "gnome-keyring": gnomeKeyring, patchelf, unzip, openssl, gcc };

// Newer Debian releases renamed some libraries with a t64 suffix; either name will do.
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

/** Programs that are absent, and the libraries, which are asked of dpkg. */
export function packagesOfTests(): string[] {
  const absent = Object.entries(programs).filter(([, locate]) => locate() === undefined);
  return [...absent.map(([name]) => name), ...libraries];
}

/** Those of `wanted` that are not installed. Quick: one question to dpkg. */
function missingOf(wanted: readonly string[]): string[] {
  const asked = wanted.flatMap((name) => [name, `${name}t64`]);
  const format = "${Package} ${db:Status-Status}\n"; // dpkg's own placeholders
  const answer = spawnSync(dpkgQuery, ["-W", "-f", format, ...asked], { encoding: "utf8" });
  const lines = new Set((answer.stdout ?? "").split("\n"));
  return wanted.filter((name) => !lines.has(`${name} installed`) && !lines.has(`${name}t64 installed`));
}

/** The name this release knows a package by. */
function releaseName(name: string): string {
  const policy = spawnSync(aptCache, ["policy", `${name}t64`], { encoding: "utf8" });
  return /Candidate: (?!\(none\))\S/.test(policy.stdout ?? "") ? `${name}t64` : name;
}

function apt(...words: string[]): boolean {
  const run = spawnSync(aptGet, ["-q", "-o", "DPkg::Lock::Timeout=120", "-o", "Dpkg::Use-Pty=0", ...words], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  return run.status === 0;
}

/** Installs what is missing when this is a Debian machine and we may; says what a person has to do otherwise. */
export function provideSystemPackages(wanted: readonly string[]): void {
  if (!existsSync(dpkgQuery) || !existsSync(aptGet)) return;
  const missing = missingOf(wanted);
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0) {
    say(`missing system packages; install them with: sudo apt-get install ${missing.join(" ")}`);
    return;
  }
  say(`installing ${missing.join(", ")} (apt-get)`);
  const { result: done, took } = timed(
    () => apt("update") && apt("install", "--yes", "--no-install-recommends", ...missing.map(releaseName)),
  );
  say(done ? `system packages installed in ${took}` : "apt-get failed; what it said is above");
}
