// Unpacks programs of another Debian release into a folder of their own, with that release's libc. The host's packages,
// its package lists and its libc are neither changed nor used.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
const libraries = "usr/lib/x86_64-linux-gnu";

/** What a command printed. Throws, with what it said, when it failed. */
function output(command: string, words: readonly string[], cwd?: string): string {
  const run = spawnSync(command, words, { cwd, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  if (run.status === 0) return run.stdout;
  throw new Error(`${command} failed: ${run.error?.message ?? (run.stderr.trim() || run.stdout.trim())}`);
}

/** The mirror this machine is set up with, from apt itself, so that no host name stands here. */
function mirrorOfThisMachine(): string {
  const codename = /^VERSION_CODENAME=(.+)$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1];
  const targets = output("apt-get", ["indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)"]);
  const mains = targets.split("\n").filter((line) => line.endsWith(" main"));
  const chosen = mains.find((line) => line.split(" ")[1] === codename) ?? mains[0];
  if (chosen === undefined) throw new Error("apt knows no Debian mirror");
  return chosen.split(" ")[0] ?? "";
}

/** True where the recipe can work at all: Debian's apt and the keys its releases are signed with. */
export function isDebian(): boolean {
  return existsSync("/usr/bin/apt-get") && existsSync("/usr/bin/dpkg-deb") && existsSync(keyring);
}

/** Options that give apt a state of its own below `state`: no installed package, one release, lists and cache apart. */
function aptOptions(state: string, suite: string): string[] {
  for (const folder of ["lists/partial", "cache/archives/partial", "none"]) {
    mkdirSync(join(state, folder), { recursive: true });
  }
  writeFileSync(join(state, "sources.list"), `deb [signed-by=${keyring}] ${mirrorOfThisMachine()} ${suite} main\n`);
  writeFileSync(join(state, "status"), "");
  const settings = {
    "Dir::Etc::sourcelist": join(state, "sources.list"),
    "Dir::Etc::sourceparts": join(state, "none"),
    "Dir::Etc::preferencesparts": join(state, "none"),
    "Dir::State::lists": join(state, "lists"),
    "Dir::State::status": join(state, "status"),
    "Dir::Cache": join(state, "cache"),
    "APT::Sandbox::User": "root",
    "APT::Architecture": "amd64",
    "Acquire::Languages": "none",
    // A mirror may lag behind the date its list is good until; the signature is checked all the same.
    "Acquire::Check-Valid-Until": "false",
  };
  return ["-qq", ...Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`])];
}

/** Unpacks `packages` of `suite` and all they depend on, but for those `isNeedless` names, below `root`. */
export function unpackPackages(
  root: string,
  from: { suite: string; packages: readonly string[]; isNeedless: (name: string) => boolean; scratch: string },
): void {
  const state = join(from.scratch, "apt");
  const options = aptOptions(state, from.suite);
  output("apt-get", [...options, "update"]);
  const plan = output("apt-get", [...options, "--no-install-recommends", "--simulate", "install", ...from.packages]);
  const closure = [...plan.matchAll(/^Inst (\S+)/gm)].map((match) => match[1] ?? "");
  const archives = join(from.scratch, "archives");
  mkdirSync(archives, { recursive: true });
  output("apt-get", [...options, "download", ...closure.filter((name) => !from.isNeedless(name))], archives);
  mkdirSync(root, { recursive: true });
  // `dpkg-deb --extract` runs no script of a package and needs no root.
  for (const archive of readdirSync(archives)) output("dpkg-deb", ["--extract", join(archives, archive), root]);
}

/**
 * Makes `programs`, paths below `root`, run with the libraries of `root`, which has to be at its final place. `stubborn`
 * libraries name a search path of their own, which would switch ours off for whatever they need in turn.
 */
export function bindToOwnLibraries(root: string, programs: readonly string[], stubborn: readonly string[]): void {
  const own = join(root, libraries);
  for (const name of stubborn) output("patchelf", ["--remove-rpath", join(own, name)]);
  const loader = ["--set-interpreter", join(own, "ld-linux-x86-64.so.2"), "--force-rpath", "--set-rpath", own];
  for (const program of programs) output("patchelf", [...loader, join(root, program)]);
}

/**
 * Proves that `program` finds every library, and each one below `root`: a single one of the host's, with the host's libc,
 * would crash at random. Throws with the names of those that are missing or foreign.
 */
export function proveOwnLibraries(root: string, program: string): void {
  const list = output(join(root, libraries, "ld-linux-x86-64.so.2"), ["--list", join(root, program)]);
  const missing = [...list.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1]);
  const paths = [...list.matchAll(/(?:=> |^\s*)(\/\S+) \(0x/gm)].map((match) => match[1] ?? "");
  const foreign = paths.filter((path) => !path.startsWith(`${root}/`));
  if (paths.length === 0) throw new Error(`${program}: the loader listed no library`);
  if (missing.length > 0) throw new Error(`${program} lacks ${missing.join(", ")}`);
  if (foreign.length > 0) throw new Error(`${program} would take from the host: ${foreign.join(", ")}`);
}
