// `kit start` runs the launcher until a signal stops it. `kit stop` ends the running launcher of a data folder.

import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { stopLauncher } from "@kit/contract";
import { kitCommandInWords } from "../../config.ts";
import type { Launcher } from "../../launcher.ts";
import { log } from "../../log.ts";
import { releaseMemoryWhenIdle } from "../../process/idle-memory.ts";
import { watchSessionEnd } from "../../process/session-end.ts";
import { startWithoutWindow } from "../../process/windowless.ts";
import { dataDirAt, isLockFree } from "../../storage/data-dir.ts";
import { DataDirInUse } from "../../storage/failure.ts";
import { prestartStorageThreads } from "../../storage/threads/thread.ts";
import { dashboardLink, openInBrowser, showStartFailure } from "../browser.ts";
import { answer, type CommandContext, command, hiddenFlag, negatedFlag, textFlag, toggleFlag } from "../command.ts";
import { identifyLauncher } from "../connection.ts";
import { escapeInvisible, print, printJsonLine, say } from "../output.ts";
import { type SupervisedLauncher, superviseLauncher } from "../supervised-launcher.ts";

/** Heap size above which an idle launcher releases memory: slightly more than it needs. */
const heapBytesMax = 18 * 1024 * 1024;
const drainMs = 2_000;
/** How long to wait for another Kit that is starting: longer than any start takes, also one that migrates an old database. */
const otherStartMsMax = 15_000;

const startFlags = {
  open: negatedFlag("--no-open", "print the dashboard's sign-in link instead of opening it"),
  fromMenu: hiddenFlag(toggleFlag("--from-menu", "show in the browser why Kit does not start")),
  windowless: hiddenFlag(toggleFlag("--windowless", "on Windows, run without a console window")),
  clipsDir: textFlag("--clips-dir <dir>", "the folder for clips (default: clips in the data directory)"),
};
type StartContext = CommandContext<typeof startFlags>;

async function start(context: StartContext): Promise<undefined> {
  const { config, flags } = context;
  if (flags.windowless && startWithoutWindow(config.ownCommand, process.argv.slice(2))) return;
  prestartStorageThreads({ path: config.dataDir, migrations: config.migrations });
  const { startLauncher } = await import("../../launcher.ts");
  const noteActivity = releaseMemoryWhenIdle(heapBytesMax);
  const open = () => startLauncher(config, { noteActivity });
  const launcher = await startOrOpenRunning(context, open);
  if (launcher === undefined) return;
  let stop: (exitCode: number) => void = () => undefined;
  const supervised = superviseLauncher(launcher, open, {
    onFailure(error) {
      log.bug("reopen", error);
      process.exit(1);
    },
    onStopRequested: () => stop(0),
  });
  stop = stopWhenAsked(supervised);
  await announce(launcher, context);
}

/** Windows answers EACCES for a port that it reserves, or that a program holds for itself. */
function isPortRefused(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code === "EADDRINUSE" || (code === "EACCES" && syscall === "listen");
}

/** Starts the launcher. If one runs with this data already, opens its dashboard instead, and returns undefined. */
async function startOrOpenRunning(
  { config, flags, json }: StartContext,
  open: () => Promise<Launcher>,
): Promise<Launcher | undefined> {
  let untilMs: number | undefined;
  const onWait = () => json || print("Waiting for another Kit that is starting with the same data.");
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const isInUse = error instanceof DataDirInUse;
      if (!isInUse && !isPortRefused(error)) throw error;
      const { openRunningOrExplain, waitForOtherKit } = await import("../running-launcher.ts");
      untilMs ??= performance.now() + otherStartMsMax;
      if (isInUse && (await waitForOtherKit(config, untilMs, onWait)) === "is gone") continue;
      await openRunningOrExplain(config, error, flags.open, json);
      return undefined;
    }
  }
}

/** Says on which addresses the launcher listens, and that [::1] is missing if IPv6 is off. */
export function describeAddresses(addresses: readonly string[]): string {
  const without6 = "IPv6 is off on this computer, so Kit does not listen on [::1].";
  return addresses.length > 1 ? addresses.join(" and ") : `${addresses.join("")}. ${without6}`;
}

/** Prints the addresses and any problem with storage before it opens the browser, because opening may fail. */
async function announce(launcher: Launcher, { config, flags, json }: StartContext): Promise<void> {
  const { addresses } = launcher;
  const { failing } = launcher.storage();
  const link = dashboardLink(config.port, launcher.createTicket(), failing && say(failing));
  if (json) {
    const storage = failing === null ? { state: "ok" } : { state: "failing", detail: failing };
    printJsonLine({ addresses, dashboard: link, dataDir: config.dataDir, version: config.version, storage });
    if (flags.open) await openInBrowser(config, link);
    return;
  }
  print(`Kit ${config.version} listens on ${describeAddresses(addresses)}`);
  print(
    failing === null
      ? `Events are stored in ${config.dataDir}`
      : `Events cannot be stored: ${escapeInvisible(say(failing))}`,
  );
  if (flags.open && (await openInBrowser(config, link)))
    return print("The dashboard opens in your browser. Stop with Ctrl-C.");
  const open = kitCommandInWords(config, "open");
  print(`Dashboard (the link works once, within a minute; \`${open}\` creates another): ${link}`);
  print("Stop with Ctrl-C.");
}

/** On Windows, a closed console window is SIGHUP, and Ctrl-Break is SIGBREAK. A sign-out is no signal there. */
const endingSignals = ["SIGINT", "SIGTERM", ...(process.platform === "win32" ? ["SIGHUP", "SIGBREAK"] : [])];

/** Stops the launcher on signals and at the end of a session of Windows. Returns a function that stops it like a signal. */
function stopWhenAsked(launcher: SupervisedLauncher): (exitCode: number) => void {
  const stop = (exitCode: number) => {
    // Ends the process even if stopping hangs, as it can when a file system does not respond.
    setTimeout(() => process.exit(exitCode || 1), drainMs * 5).unref();
    launcher.stop().then(
      () => process.exit(exitCode),
      (error) => {
        log.bug("stop", error);
        process.exit(1);
      },
    );
  };
  for (const signal of endingSignals) process.once(signal, () => stop(0));
  let isToldToEnd = false;
  const stopOnce = () => {
    if (!isToldToEnd) stop(0);
    isToldToEnd = true;
  };
  watchSessionEnd({
    title: "KitLauncher",
    when: "afterOthers",
    onSessionEnd: stopOnce,
    onClose: stopOnce,
    onFailure: (error) => log.bug("session end", error),
  });
  process.on("uncaughtException", (error) => {
    log.bug("uncaught", error);
    setTimeout(() => process.exit(1), drainMs).unref();
    stop(1);
  });
  return stop;
}

export const startCommand = command("start", "Run the launcher and open its dashboard", {
  flags: startFlags,
  async run(context) {
    try {
      await start(context);
    } catch (error) {
      if (context.flags.fromMenu)
        await showStartFailure(context.config, error instanceof Error ? error.message : `${error}`);
      throw error;
    }
  },
});

const pollMs = 50;
/** A launcher ends itself after 10 seconds, even if a file system does not respond. */
const endsWithinMs = 20_000;

async function waitForEnd(lock: string): Promise<void> {
  for (const deadlineMs = performance.now() + endsWithinMs; performance.now() < deadlineMs; await pause(pollMs))
    if (isLockFree(lock)) return;
  throw new Error("Kit was asked to end, but it still uses its data.");
}

export const stopCommand = command("stop", "End the running launcher", {
  async run({ client, config }) {
    const { lock } = dataDirAt(config.dataDir);
    // One that is starting holds the lock and does not answer yet.
    const isRunning = existsSync(lock) && !isLockFree(lock);
    if (!isRunning && (await identifyLauncher(config)).who === "nobody")
      return answer({ stopped: false, pid: null }, () => print("Kit does not run."));
    const { pid } = await client.call(stopLauncher);
    await waitForEnd(lock);
    return answer({ stopped: true, pid }, () => print("Kit has ended."));
  },
});
