// What `kit start` does when port or data are in use: opens the dashboard of the Kit that runs, or names the program in the
// way.

import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { createTicket, defaultPort } from "@kit/contract";
import type { Config } from "../config.ts";
import { readRunningFile } from "../own-files.ts";
import { isProcessRunning } from "../process/is-running.ts";
import { dataDirAt, isLockFree } from "../storage/data-dir.ts";
import { DataDirInUse } from "../storage/failure.ts";
import { dashboardLink, openInBrowser } from "./browser.ts";
import { connectToLauncher, identifyLauncher, otherKit, silenceSentences, whyStorageFails } from "./connection.ts";
import { escapeInvisible, print, printJsonLine } from "./output.ts";

const runProgram = (program: string, words: readonly string[]) =>
  promisify(execFile)(program, words, { windowsHide: true });
const listening = "0A";

type PortHolder = { readonly pid: number; readonly name: string };

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
  const { stdout } = await runProgram("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"]);
  const pid = /^p(\d+)/m.exec(stdout)?.[1];
  const name = /^c(.+)/m.exec(stdout)?.[1];
  return pid === undefined ? undefined : { pid: Number(pid), name: name ?? "unknown program" };
}

/**
 * Finds the process that listens on `port` in what `netstat -ano` prints. The state is in the language of the system, so a
 * listening socket is known by its empty remote address.
 */
export function findListener(netstat: string, port: number): number | undefined {
  const line = new RegExp(`^\\s*TCP\\s+\\S+:${port}\\s+(?:0\\.0\\.0\\.0|\\[::\\]):0\\s.*?(\\d+)\\s*$`, "m");
  const pid = line.exec(netstat)?.[1];
  return pid === undefined ? undefined : Number(pid);
}

async function windowsHolder(port: number): Promise<PortHolder | undefined> {
  const { stdout } = await runProgram("netstat", ["-ano"]);
  const pid = findListener(stdout, port);
  if (pid === undefined) return undefined;
  const tasks = await runProgram("tasklist", ["/FI", `PID eq ${pid}`, "/FO", "CSV", "/NH"]);
  return { pid, name: /^"([^"]+)"/.exec(tasks.stdout.trim())?.[1] ?? "unknown program" };
}

const holders: Partial<Record<NodeJS.Platform, (port: number) => Promise<PortHolder | undefined>>> = {
  linux: linuxHolder,
  darwin: macHolder,
  win32: windowsHolder,
};

/**
 * Returns the program that listens on `port`: from /proc on Linux, lsof on macOS, netstat on Windows. Undefined if it cannot be found, for example because it is another
 * user's.
 */
export async function findPortHolder(port: number): Promise<PortHolder | undefined> {
  return holders[process.platform]?.(port).catch(() => undefined);
}

const pollMs = 200;
/**
 * After this many requests without an answer, a launcher whose process runs counts as one that stays. One is not enough: the
 * first answer of a busy launcher may be late, because it first loads code.
 */
const unansweredMax = 2;

/**
 * Returns the port that the running launcher recorded, and whether its process runs. A launcher that is still starting has
 * recorded nothing, so it does not count as up.
 */
function recordedHolder({ dataDir, port }: Config): { readonly port: number; readonly isUp: boolean } {
  const running = readRunningFile(dataDirAt(dataDir).running);
  return { port: running?.port ?? port, isUp: running !== undefined && isProcessRunning(running.pid) };
}

/**
 * Waits while another Kit with the same data starts or stops, at most until `untilMs` on the clock of `performance.now()`.
 * Returns whether that Kit is gone or stays. Calls `onWait` before it waits for the first time.
 */
export async function waitForOtherKit(
  config: Config,
  untilMs: number,
  onWait: () => void,
): Promise<"is gone" | "stays"> {
  const { lock } = dataDirAt(config.dataDir);
  let unanswered = 0;
  let isWaiting = false;
  for (;;) {
    const { port, isUp } = recordedHolder(config);
    const { who } = await identifyLauncher({ ...config, port, isPortExplicit: true });
    if (who === "own" || who === "silent") return "stays";
    if (isUp) unanswered += 1;
    if (unanswered === unansweredMax || performance.now() >= untilMs) return "stays";
    if (isLockFree(lock)) return "is gone";
    if (!isUp && !isWaiting) {
      isWaiting = true;
      onWait();
    }
    await pause(pollMs);
  }
}

type Refusal = { readonly detail: string; readonly fix: string };

/** Says why the OS lets nobody listen on the port, and both ways out. Windows reserves ranges of ports when it starts. */
export function explainRefusedPort(port: number, platform: NodeJS.Platform = process.platform): Refusal {
  const [why, free] =
    platform === "win32"
      ? [
          "Windows reserves it, for example for Hyper-V (`netsh int ipv4 show excludedportrange protocol=tcp` lists the reserved ports)",
          "Either free the port: as administrator, run `net stop winnat`, start Kit, then run `net start winnat`.",
        ]
      : [
          "the OS forbids it",
          "Either allow it in the OS: ports below 1024 are for administrators, and a security policy can forbid others.",
        ];
  const other = "Or start Kit with --port N, with a port that is free, and set the same address in the game";
  const games = `without that, games send to port ${defaultPort}, where Kit does not listen.`;
  return { detail: `Kit may not listen on port ${port}: ${why}`, fix: `${free} ${other}: ${games}` };
}

/** Short, because a launcher that did not respond was waited for before. */
const identifyWithinMs = 3_000;

/** Opens the dashboard of the Kit that already runs, or throws an error that names the program in the way. */
export async function openRunningOrExplain(
  config: Config,
  cause: unknown,
  open: boolean,
  json: boolean,
): Promise<void> {
  const port = cause instanceof DataDirInUse ? recordedHolder(config).port : config.port;
  const runningConfig = { ...config, port, isPortExplicit: true };
  const identity = await identifyLauncher(runningConfig, AbortSignal.timeout(identifyWithinMs));
  if (identity.who === "own") return openRunning(runningConfig, open, json);
  if (cause instanceof DataDirInUse) {
    if (identity.who === "silent") throw new Error(silenceSentences(identity), { cause });
    throw new Error(
      `Another Kit uses ${config.dataDir} but does not answer on port ${port}. Stop it, or use another --data-dir.`,
    );
  }
  const holder = await findPortHolder(port);
  if ((cause as NodeJS.ErrnoException).code === "EACCES" && holder === undefined) {
    const { detail, fix } = explainRefusedPort(port);
    throw new Error(`${detail}. ${fix}`, { cause });
  }
  const named = holder && `${escapeInvisible(holder.name)} (process ${holder.pid})`;
  const isKit = identity.who === "other-kit";
  const what = isKit
    ? [otherKit, named].filter(Boolean).join(": ")
    : (named ?? "another program (the system does not say which)");
  const remedy = isKit ? "If you cannot close it, start Kit" : "Close it, or start Kit";
  throw new Error(`Port ${port} is used by ${what}. ${remedy} with --port N and set the same address in the game.`, {
    cause,
  });
}

async function openRunning(config: Config, open: boolean, json: boolean): Promise<void> {
  const { client, health } = await connectToLauncher(config);
  const { ticket } = await client.call(createTicket);
  const failing = whyStorageFails(health);
  const link = dashboardLink(config.port, ticket, failing);
  const opened = open && (await openInBrowser(config, link));
  if (json) return printJsonLine({ alreadyRunning: true, dashboard: link, version: health.version });
  print(`Kit ${health.version} already runs on port ${config.port}.`);
  if (failing !== undefined) print(`Events cannot be stored: ${failing}`);
  print(
    opened ? "Its dashboard opens in your browser." : `Its dashboard (the link works once, within a minute): ${link}`,
  );
}
