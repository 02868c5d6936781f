// What `kit start` does when port or data are in use: opens the dashboard of the Kit that runs, or names the program in the
// way.
import { setTimeout as pause } from "node:timers/promises";
import { createTicket } from "@kit/contract";
import type { Config } from "../config.ts";
import { readRunningFile } from "../own-files.ts";
import { dataDirAt } from "../storage/data-dir.ts";
import { DataDirInUse } from "../storage/failure.ts";
import { takeDataDirLock } from "../storage/lock.ts";
import { dashboardLink, openInBrowser } from "./browser.ts";
import { connectToLauncher, identifyLauncher, whyStorageFails } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { print, printJsonLine } from "./output.ts";
import { findPortHolder } from "./port-holder.ts";

const pollMs = 200;
/**
 * After this many requests without an answer, a launcher whose process runs counts as one that stays. One is not enough: the
 * first answer of a busy launcher may be late, because it first loads code.
 */
const unansweredMax = 2;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function isLockFree(lock: string): boolean {
  try {
    takeDataDirLock(lock).close();
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the port that the running launcher recorded, and whether its process runs. A launcher that is still starting has
 * recorded nothing, so it does not count as up.
 */
function recordedHolder({ dataDir, port }: Config): { readonly port: number; readonly isUp: boolean } {
  const running = readRunningFile(dataDirAt(dataDir).running);
  return { port: running?.port ?? port, isUp: running !== undefined && isAlive(running.pid) };
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
    if ((await identifyLauncher({ ...config, port, isPortExplicit: true })).who === "own") return "stays";
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

/** Opens the dashboard of the Kit that already runs, or throws an error that names the program in the way. */
export async function openRunningOrExplain(
  config: Config,
  cause: unknown,
  open: boolean,
  json: boolean,
): Promise<void> {
  const port = cause instanceof DataDirInUse ? recordedHolder(config).port : config.port;
  const runningConfig = { ...config, port, isPortExplicit: true };
  const identity = await identifyLauncher(runningConfig);
  if (identity.who === "own") return openRunning(runningConfig, open, json);
  if (cause instanceof DataDirInUse) {
    throw new Error(
      `Another Kit uses ${config.dataDir} but does not answer on port ${port}. Stop it, or use another --data-dir.`,
    );
  }
  const holder = await findPortHolder(port);
  const named =
    holder === undefined
      ? "another program (the system does not say which)"
      : `${escapeInvisible(holder.name)} (process ${holder.pid})`;
  const what = identity.who === "other-kit" ? `a Kit with another data directory: ${named}` : named;
  throw new Error(
    `Port ${port} is used by ${what}. Close it, or start Kit with --port N and set the same address in the game.`,
    { cause },
  );
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
