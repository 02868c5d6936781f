// The `kit` command: its commands, and how their failures end the process.
import { KitError } from "@kit/contract";
import { Command, CommanderError } from "commander";
import { BadSetting, kitVersion } from "../config.ts";
import { accountsCommand } from "./accounts.ts";
import { autostartCommand } from "./autostart.ts";
import { backupCommand } from "./backup.ts";
import { clipCommand } from "./clip.ts";
import { clipsCommand } from "./clips.ts";
import { Unreachable } from "./connection.ts";
import { demoCommand } from "./demo.ts";
import { doctorCommand } from "./doctor.ts";
import { eventsCommand } from "./events.ts";
import { exitCodes, exitCodesHelp } from "./exit-codes.ts";
import { exportCommand } from "./export.ts";
import { fireCommand } from "./fire.ts";
import { forwardCommand } from "./forward.ts";
import { gamesCommand } from "./games.ts";
import { healthCommand } from "./health.ts";
import { issueCommand } from "./issue.ts";
import { muteCommand, resolveCommand } from "./issue-states.ts";
import { issuesCommand } from "./issues.ts";
import { licencesCommand } from "./licences.ts";
import { noticesCommand } from "./notices.ts";
import { openCommand } from "./open.ts";
import { command } from "./options.ts";
import { originsCommand } from "./origins.ts";
import { endWithReader, printError } from "./output.ts";
import { postsCommand } from "./posts.ts";
import { recorderCommand } from "./recorder.ts";
import { restoreCommand } from "./restore.ts";
import { rulesCommand } from "./rules.ts";
import { runCommand } from "./run.ts";
import { sdkCommand } from "./sdk.ts";
import { sessionsCommand } from "./sessions.ts";
import { showCommand } from "./show.ts";
import { startCommand } from "./start.ts";
import { storageCommand } from "./storage.ts";
import { switchCommand } from "./switch.ts";
import { tailCommand } from "./tail.ts";
import { visible } from "./visible.ts";
import { wipeCommand } from "./wipe.ts";

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  if (error instanceof BadSetting) return exitCodes.usage;
  if (error instanceof Unreachable) return exitCodes.unreachable;
  return error instanceof KitError ? exitCodes.refused : exitCodes.failed;
}

/** Errors of a command line are thrown, not exited on, by this command and all below it. */
function throwing(command: Command): Command {
  command.exitOverride();
  for (const child of command.commands) throwing(child);
  return command;
}

/** `kit fire --port N recording …` means the same as `kit fire recording … --port N`. */
function inheritOptions(_program: Command, running: Command): void {
  for (let above = running.parent; above !== null; above = above.parent) {
    for (const [name, value] of Object.entries(above.opts())) {
      const given = above.getOptionValueSource(name) === "cli" && running.getOptionValueSource(name) !== "cli";
      if (given) running.setOptionValueWithSource(name, value, "cli");
    }
  }
}

/** All commands, under headings for who uses them most. */
const groups: Readonly<Record<string, readonly (() => Command)[]>> = {
  "Every day:": [startCommand, openCommand, demoCommand, autostartCommand],
  "Players and streamers:": [
    clipsCommand,
    clipCommand,
    postsCommand,
    accountsCommand,
    recorderCommand,
    sessionsCommand,
  ],
  "Game developers:": [
    ...[sdkCommand, runCommand, tailCommand, eventsCommand, showCommand, fireCommand],
    ...[issuesCommand, issueCommand, resolveCommand, muteCommand, noticesCommand, rulesCommand],
  ],
  "Teams:": [forwardCommand],
  "What may be sent, and by whom:": [gamesCommand, switchCommand, originsCommand],
  "What is kept:": [storageCommand, backupCommand, restoreCommand, exportCommand, wipeCommand],
  "About Kit:": [doctorCommand, healthCommand, licencesCommand],
};

function createProgram(): Command {
  const program = command("kit", "Clips, issues and posts from one line of game code").version(kitVersion);
  for (const [heading, commands] of Object.entries(groups)) {
    for (const create of commands) program.addCommand(create().helpGroup(heading));
  }
  const help = new Command("help").argument("[command]").description("Show this, or the help of a command");
  program.addHelpCommand(help.helpGroup("About Kit:"));
  return throwing(program.addHelpText("after", exitCodesHelp).hook("preAction", inheritOptions));
}

/** Runs the command line; sets the exit code instead of exiting, so that output is written whole. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  endWithReader(argv[2] === "start" || argv[2] === "run");
  try {
    await createProgram().parseAsync(argv);
  } catch (error) {
    process.exitCode = exitCodeOf(error);
    // Commander has printed its own.
    if (!(error instanceof CommanderError)) printError(visible((error as Error).message));
  }
}
