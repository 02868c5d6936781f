// An autostart entry: one place where the system looks for programs to start, and its state.
import { lstat, mkdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { renameWithRetry } from "../renames.ts";
import { hasValidChecksum } from "./entry-texts.ts";

/** `changed`: the entry was written or changed by a person or another program. */
export type AutostartEntryState = {
  readonly state: "none" | "own" | "changed";
  /** True if the system uses the entry. */
  readonly isEnabled: boolean;
  /** True if the entry equals what Kit would write now. */
  readonly isCurrent: boolean;
};

export const absentEntry: AutostartEntryState = { state: "none", isEnabled: false, isCurrent: false };

export type AutostartEntry = {
  readonly by: "systemd" | "xdg" | "launchd" | "registry";
  readonly place: string;
  readState(): Promise<AutostartEntryState>;
  /** Call only if the entry is absent or written by Kit. */
  write(): Promise<void>;
  /** Call only if Kit wrote the entry. */
  remove(): Promise<void>;
};

// An autostart entry in a file, with the links that the system requires.

type FileEntryOptions = {
  readonly by: AutostartEntry["by"];
  readonly path: string;
  readonly text: string;
  /** The link to create; left out if the system needs only the file. */
  readonly link?: string;
  /** Other links that an earlier Kit may have created. */
  readonly otherLinks?: readonly string[];
  /** Makes the system read its startup files again. Never rejects. */
  readonly reload?: () => Promise<void>;
};

const undefinedIfMissing = (error: NodeJS.ErrnoException) => {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
  throw error;
};

/**
 * Returns the text of the file. Returns undefined if nothing exists at the path, and null for anything but a file, such as a
 * link to shared settings.
 */
async function readText(path: string): Promise<string | null | undefined> {
  const stat = await lstat(path).catch(undefinedIfMissing);
  if (stat === undefined) return undefined;
  return stat.isFile() ? readFile(path, "utf8") : null;
}

async function isLinkTo(link: string, path: string): Promise<boolean> {
  const target = await readlink(link).catch(() => undefined);
  return target !== undefined && resolve(dirname(link), target) === path;
}

async function replaceFile(path: string, text: string): Promise<void> {
  const newPath = `${path}.kit-new`;
  await mkdir(dirname(path), { recursive: true });
  await rm(newPath, { force: true });
  await writeFile(newPath, text, { flag: "wx" });
  await renameWithRetry(newPath, path);
}

async function createLink(link: string, path: string): Promise<void> {
  if (await isLinkTo(link, path)) return;
  await mkdir(dirname(link), { recursive: true });
  await symlink(path, link);
}

export function createFileEntry({
  by,
  path,
  text,
  link,
  otherLinks = [],
  reload: tell = async () => undefined,
}: FileEntryOptions): AutostartEntry {
  const links = link === undefined ? [] : [link, ...otherLinks];
  const ownLinks = async () => {
    const own = await Promise.all(links.map((each) => isLinkTo(each, path)));
    return links.filter((_, n) => own[n]);
  };
  const removeLinks = async (keptLink?: string) => {
    for (const each of await ownLinks()) if (each !== keptLink) await rm(each);
  };
  return {
    by,
    place: path,
    async readState(): Promise<AutostartEntryState> {
      const existing = await readText(path);
      if (existing === undefined) return absentEntry;
      const enabled = link === undefined || (await ownLinks()).length > 0;
      const current = existing === text && (link === undefined || (await isLinkTo(link, path)));
      return {
        state: existing !== null && hasValidChecksum(existing) ? "own" : "changed",
        isEnabled: enabled,
        isCurrent: current,
      };
    },
    async write() {
      await replaceFile(path, text);
      await removeLinks(link);
      if (link !== undefined) await createLink(link, path);
      await tell();
    },
    async remove() {
      await removeLinks();
      await rm(path, { force: true });
      await tell();
    },
  };
}

// An autostart entry in the Windows registry, accessed with reg.exe.

const runKey = "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run";
/** Kit's own key with a copy of the value that Kit wrote, by which Kit detects changes by others. */
export const ownKey = "HKCU\\Software\\Kit";
const runName = "Kit";
const ownName = "Autostart";

/** Maximum length of a command in the Run key. */
export const runKeyCharsMax = 260;

/** Returns the text value with this name in an exported key, or undefined if there is none. */
export function valueInExport(exported: string, name: string): string | undefined {
  const values = exported.matchAll(/^"((?:[^"\\]|\\.)*)"="((?:[^"\\]|\\.)*)"\r?$/gmu);
  const plain = (text: string) => text.replaceAll(/\\(.)/gu, "$1");
  for (const [, valueName = "", value = ""] of values) if (plain(valueName) === name) return plain(value);
  return undefined;
}

/** Runs a system program, with `input` on standard input. Returns its exit code, or undefined if it did not run. */
export type RunProgram = (program: string, args: readonly string[], input?: string) => Promise<number | undefined>;

/** Reads and writes values of the registry with reg.exe. `scratch` is a temporary file for exports. */
export function createRegistry(run: RunProgram, scratch: string) {
  const runReg = async (args: readonly string[]) => {
    const code = await run("reg", args);
    if (code !== 0) throw new Error(`reg ${args[0]} ${args[1]} ended with ${code ?? "no answer"}.`);
  };
  return {
    async read(key: string, name: string): Promise<string | undefined> {
      try {
        if ((await run("reg", ["export", key, scratch, "/y"])) !== 0) return undefined;
        return valueInExport(await readFile(scratch, "utf16le").catch(() => ""), name);
      } finally {
        await rm(scratch, { force: true });
      }
    },
    set: (key: string, name: string, text: string) =>
      runReg(["add", key, "/v", name, "/t", "REG_SZ", "/d", text, "/f"]),
    remove: (key: string, name: string) => runReg(["delete", key, "/v", name, "/f"]),
  };
}

type RegistryEntryOptions = {
  readonly line: string;
  readonly run: RunProgram;
  /** A temporary file for exports: the printed output of reg.exe loses non-ASCII letters, its exports do not. */
  readonly scratch: string;
};

export function createRegistryEntry({ line, run, scratch }: RegistryEntryOptions): AutostartEntry {
  const registry = createRegistry(run, scratch);
  return {
    by: "registry",
    place: `${runKey}\\${runName}`,
    async readState(): Promise<AutostartEntryState> {
      const value = await registry.read(runKey, runName);
      const savedValue = await registry.read(ownKey, ownName);
      if (value === undefined) return absentEntry;
      return { state: value === savedValue ? "own" : "changed", isEnabled: true, isCurrent: value === line };
    },
    async write() {
      await registry.set(ownKey, ownName, line);
      await registry.set(runKey, runName, line);
    },
    async remove() {
      await registry.remove(runKey, runName);
      await registry.remove(ownKey, ownName);
    },
  };
}
