// Finds the program that listens on a port: in /proc on Linux, with lsof on macOS, with netstat on Windows.
import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const listening = "0A";

export type PortHolder = { readonly pid: number; readonly name: string };

async function linuxInodes(port: number): Promise<Set<string>> {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  const inodes = new Set<string>();
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    const text = await readFile(table, "utf8").catch(() => "");
    for (const line of text.split("\n").slice(1)) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
      if (local?.endsWith(`:${wanted}`) && state === listening && inode !== undefined) inodes.add(`socket:[${inode}]`);
    }
  }
  return inodes;
}

async function holdsSocket(pid: string, inodes: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  for (const descriptor of await readdir(folder).catch(() => [])) {
    if (inodes.has(await readlink(`${folder}/${descriptor}`).catch(() => ""))) return true;
  }
  return false;
}

async function linuxHolder(port: number): Promise<PortHolder | undefined> {
  const inodes = await linuxInodes(port);
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid) || !(await holdsSocket(pid, inodes))) continue;
    const command = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0").filter(Boolean).join(" ");
    return { pid: Number(pid), name: command || (await readFile(`/proc/${pid}/comm`, "utf8")).trim() };
  }
  return undefined;
}

async function macHolder(port: number): Promise<PortHolder | undefined> {
  const { stdout } = await run("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"]);
  const pid = /^p(\d+)/m.exec(stdout)?.[1];
  const name = /^c(.+)/m.exec(stdout)?.[1];
  return pid === undefined ? undefined : { pid: Number(pid), name: name ?? "unknown program" };
}

async function windowsHolder(port: number): Promise<PortHolder | undefined> {
  const { stdout } = await run("netstat", ["-ano", "-p", "TCP"]);
  const pid = new RegExp(`:${port}\\s+\\S+\\s+LISTENING\\s+(\\d+)`).exec(stdout)?.[1];
  if (pid === undefined) return undefined;
  const tasks = await run("tasklist", ["/FI", `PID eq ${pid}`, "/FO", "CSV", "/NH"]);
  return { pid: Number(pid), name: /^"([^"]+)"/.exec(tasks.stdout.trim())?.[1] ?? "unknown program" };
}

const holders: Partial<Record<NodeJS.Platform, (port: number) => Promise<PortHolder | undefined>>> = {
  linux: linuxHolder,
  darwin: macHolder,
  win32: windowsHolder,
};

/** Returns the program that listens on `port`. Undefined if it cannot be found, for example because it is another user's. */
export async function findPortHolder(port: number): Promise<PortHolder | undefined> {
  return holders[process.platform]?.(port).catch(() => undefined);
}
