// The port or the data directory is in use: name who has it, and if it is this Kit, open its dashboard.
import { setTimeout as pause } from "node:timers/promises";
import { createTicket } from "@kit/contract";
import type { Config } from "../config.ts";
import { readRunning } from "../running.ts";
import { dataDirAt } from "../storage/data-dir.ts";
import { DataDirInUse } from "../storage/failure.ts";
import { takeLock } from "../storage/lock.ts";
import { dashboardLink, openInBrowser } from "./browser.ts";
import { connect, failingIn, whoAnswers } from "./connection.ts";
import { print, printJsonLine } from "./output.ts";
import { holderOf } from "./port-holder.ts";
import { visible } from "./visible.ts";

const lookEveryMs = 200;
/** One that is up and busy may miss one: its first answer loads what it needs for all others. */
const asksMax = 2;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function isFree(lock: string): boolean {
  try {
    takeLock(lock).close();
    return true;
  } catch {
    return false;
  }
}

/** As far as it wrote down where it listens; one that is starting has not yet. */
function holderIn({ dataDir, port }: Config): { readonly port: number; readonly isUp: boolean } {
  const running = readRunning(dataDirAt(dataDir).running);
  return { port: running?.port ?? port, isUp: running !== undefined && isAlive(running.pid) };
}

/**
 * Waits for a Kit with the same data that is starting or ending, by `performance.now()` until then: it is gone, and its place is
 * free, or it stays. `onWait` is called before the first wait.
 */
export async function waitForHolder(config: Config, untilMs: number, onWait: () => void): Promise<"is gone" | "stays"> {
  const { lock } = dataDirAt(config.dataDir);
  let unanswered = 0;
  let isSaid = false;
  for (;;) {
    const { port, isUp } = holderIn(config);
    if ((await whoAnswers({ ...config, port, portGiven: true })).who === "own") return "stays";
    if (isUp) unanswered += 1;
    if (unanswered === asksMax || performance.now() >= untilMs) return "stays";
    if (isFree(lock)) return "is gone";
    if (!isUp && !isSaid) {
      isSaid = true;
      onWait();
    }
    await pause(lookEveryMs);
  }
}

/** Opens the dashboard of the Kit that runs already, or throws an error that names the holder. */
export async function meetTheHolder(config: Config, cause: unknown, open: boolean, json: boolean): Promise<void> {
  const port = cause instanceof DataDirInUse ? holderIn(config).port : config.port;
  const here = { ...config, port, portGiven: true };
  const standing = await whoAnswers(here);
  if (standing.who === "own") return openRunning(here, open, json);
  if (cause instanceof DataDirInUse) {
    throw new Error(
      `Another Kit uses ${config.dataDir} but does not answer on port ${port}. End it, or give another --data-dir.`,
    );
  }
  const holder = await holderOf(port);
  const named =
    holder === undefined
      ? "another program (the system does not tell which)"
      : `${visible(holder.name)} (process ${holder.pid})`;
  const what = standing.who === "other-kit" ? `a Kit with another data directory: ${named}` : named;
  throw new Error(
    `Port ${port} is taken by ${what}. Close it, or start with --port N and set the same address in the game.`,
    { cause },
  );
}

async function openRunning(config: Config, open: boolean, json: boolean): Promise<void> {
  const { client, health } = await connect(config);
  const { ticket } = await client.call(createTicket);
  const failing = failingIn(health);
  const link = dashboardLink(config.port, ticket, failing);
  const opened = open && (await openInBrowser(config, link));
  if (json) return printJsonLine({ alreadyRunning: true, dashboard: link, version: health.version });
  print(`Kit ${health.version} runs already on port ${config.port}.`);
  if (failing !== undefined) print(`Events cannot be stored: ${failing}`);
  print(opened ? "Its dashboard opens in your browser." : `Its dashboard (good once, for a minute): ${link}`);
}
