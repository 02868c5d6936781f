// `kit start`: runs the launcher until it is told to stop.
import { type Command, Option } from "commander";
import type { Config } from "../config.ts";
import type { Launcher } from "../launcher.ts";
import { log } from "../log.ts";
import { DataDirInUse } from "../storage/failure.ts";
import { startThreadsAhead } from "../storage/thread.ts";
import { dashboardLink, openInBrowser } from "./browser.ts";
import { keepOpen, type OpenWindow } from "./keep-open.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJsonLine } from "./output.ts";
import { visible } from "./visible.ts";

type StartFlags = CommonFlags & { open: boolean; clipsDir?: string };

const drainMs = 2_000;
/** A start takes less, also one that brings an old database to the newest schema. */
const holderStartsMs = 15_000;

export function startCommand(): Command {
  return command("start", "Run the launcher and open its dashboard")
    .addOption(new Option("--no-open", "print the dashboard's link instead of opening it"))
    .addOption(new Option("--clips-dir <dir>", "where clips are kept (default: clips in the data directory)"))
    .action((flags: StartFlags) => start(configOf(flags), flags));
}

async function start(config: Config, flags: StartFlags): Promise<void> {
  startThreadsAhead({ path: config.dataDir, migrations: config.migrations });
  const { startLauncher } = await import("../launcher.ts");
  const launcher = await startOrMeet(config, flags, startLauncher);
  if (launcher === undefined) return;
  const failed = (error: unknown) => {
    log.bug("open anew", error);
    process.exit(1);
  };
  stopOnSignals(keepOpen(launcher, () => startLauncher(config), failed));
  await announce(config, launcher, flags);
}

/** Undefined where a Kit with the same data runs already: then its dashboard was opened. */
async function startOrMeet(
  config: Config,
  { open, json = false }: StartFlags,
  startLauncher: (config: Config) => Promise<Launcher>,
): Promise<Launcher | undefined> {
  let untilMs: number | undefined;
  const onWait = () => json || print("Another Kit is starting with this data. Waiting for it.");
  for (;;) {
    try {
      return await startLauncher(config);
    } catch (error) {
      const isInUse = error instanceof DataDirInUse;
      if (!isInUse && (error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      const { meetTheHolder, waitForHolder } = await import("./taken.ts");
      untilMs ??= performance.now() + holderStartsMs;
      if (isInUse && (await waitForHolder(config, untilMs, onWait)) === "is gone") continue;
      await meetTheHolder(config, error, open, json);
      return undefined;
    }
  }
}

/** First of all where it listens, and what is wrong: until the browser is open there is nothing else to go by. */
async function announce(config: Config, launcher: Launcher, { dataDir, json, open }: StartFlags): Promise<void> {
  const { addresses } = launcher;
  const { failing } = launcher.storage();
  const link = dashboardLink(config.port, launcher.createTicket(), failing);
  if (json) {
    const storage = failing === null ? { state: "ok" } : { state: "failing", detail: failing };
    printJsonLine({ addresses, dashboard: link, dataDir: config.dataDir, version: config.version, storage });
    if (open) await openInBrowser(config, link);
    return;
  }
  print(`Kit ${config.version} listens on ${addresses.join(" and ")}`);
  print(failing === null ? `Events are kept in ${config.dataDir}` : `Events cannot be stored: ${visible(failing)}`);
  if (open && (await openInBrowser(config, link)))
    return print("The dashboard opens in your browser. Stop with Ctrl-C.");
  // Without it the command would look for a launcher where Kit keeps its files by default.
  const where = dataDir === undefined ? "" : ` --data-dir "${config.dataDir}"`;
  print(`Dashboard (good once, for a minute; \`npx kit open${where}\` makes another): ${link}`);
  print("Stop with Ctrl-C.");
}

function stopOnSignals(launcher: OpenWindow): void {
  const stop = (exitCode: number) => {
    // A second signal, or a file system that hangs, must still end the process.
    setTimeout(() => process.exit(exitCode || 1), drainMs * 5).unref();
    launcher.stop().then(
      () => process.exit(exitCode),
      (error) => {
        log.bug("stop", error);
        process.exit(1);
      },
    );
  };
  process.once("SIGINT", () => stop(0));
  process.once("SIGTERM", () => stop(0));
  process.on("uncaughtException", (error) => {
    log.bug("uncaught", error);
    setTimeout(() => process.exit(1), drainMs).unref();
    stop(1);
  });
}
