// Brings what Debian packages: the browser, the virtual display, ffmpeg and the libraries NW.js is linked against.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { say, timed } from "./progress.ts";

// Newer Debian releases renamed some libraries with a t64 suffix; either name will do.
const wanted = [
  "chromium",
  "xvfb",
  "ffmpeg",
  "libgtk-3-0",
  "libxss1",
  "libxtst6",
  "libnss3",
  "libasound2",
  "libcups2",
  "libgbm1",
  "libatk-bridge2.0-0",
];

/** Names of the packages that are not installed. Quick: one question to dpkg. */
function missingPackages(): string[] {
  const asked = wanted.flatMap((name) => [name, `${name}t64`]);
  // biome-ignore format: dpkg's own placeholders
  const answer = spawnSync("dpkg-query", ["-W", "-f", "${Package} ${db:Status-Status}\n", ...asked], { encoding: "utf8" });
  const installed = new Set(
    answer.stdout.split("\n").flatMap((line) => (line.endsWith(" installed") ? [line.split(" ")[0]] : [])),
  );
  return wanted.filter((name) => !installed.has(name) && !installed.has(`${name}t64`));
}

function apt(...words: string[]): boolean {
  const quiet = ["-q", "-o", "DPkg::Lock::Timeout=120", "-o", "Dpkg::Use-Pty=0"];
  const run = spawnSync("apt-get", [...quiet, ...words], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  return run.status === 0;
}

/** The name this release knows a package by. */
function releaseName(name: string): string {
  const policy = spawnSync("apt-cache", ["policy", `${name}t64`], { encoding: "utf8" });
  return /Candidate: (?!\(none\))\S/.test(policy.stdout) ? `${name}t64` : name;
}

/** Installs what is missing when this is a Debian machine and we may; says what a person has to do otherwise. */
export function provideSystemPackages(): void {
  if (!existsSync("/usr/bin/dpkg-query") || !existsSync("/usr/bin/apt-get")) return;
  const missing = missingPackages();
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
