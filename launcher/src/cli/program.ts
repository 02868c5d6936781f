// The `kit` command line: parses it, runs the command, and finds the exit code.
import { detailOf, KitError } from "@kit/contract";
import { type Command, CommanderError } from "commander";
import { InvalidSetting, kitVersion } from "../config.ts";
import { command } from "./command.ts";
import { commands } from "./commands.ts";
import { Unreachable } from "./connection.ts";
import { exitCodes, exitCodesHelp } from "./exit-codes.ts";
import { escapeInvisible, exitWhenStdoutCloses, printError, say } from "./output.ts";
import { runIn, setExitCode, type Terminal } from "./terminal.ts";

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  if (error instanceof InvalidSetting) return exitCodes.usage;
  if (error instanceof Unreachable) return exitCodes.unreachable;
  return error instanceof KitError ? exitCodes.refused : exitCodes.failed;
}

/** Makes the command and its subcommands throw usage errors instead of exiting. */
function throwUsageErrors(command: Command): Command {
  command.exitOverride();
  for (const child of command.commands) throwUsageErrors(child);
  return command;
}

/**
 * Copies options that were given to parent commands to the command that runs, so that they may stand anywhere in the command
 * line.
 */
function inheritOptions(_program: Command, running: Command): void {
  for (let above = running.parent; above !== null; above = above.parent) {
    for (const [name, value] of Object.entries(above.opts())) {
      const isInherited = above.getOptionValueSource(name) === "cli" && running.getOptionValueSource(name) !== "cli";
      if (isInherited) running.setOptionValueWithSource(name, value, "cli");
    }
  }
}

/** Fits on a screen of 24 lines with 80 columns. */
function formatHelp(program: Command): string {
  const items = program.commands.map((each) => `  ${each.name().padEnd(9)} ${each.description()}`);
  return [
    "Usage: kit COMMAND [options]; `kit COMMAND --help` prints what it takes.",
    ...items,
    "Options: --data-dir DIR, --port N, --json, --version, --help",
    exitCodesHelp,
    "",
  ].join("\n");
}

function createProgram(): Command {
  const program = command("kit", "Clips, issues and posts from one line of game code").version(kitVersion);
  for (const each of commands) program.addCommand(each);
  program
    .configureHelp({ formatHelp })
    .showHelpAfterError("`kit --help` lists the commands, and `kit api` all operations.");
  return throwUsageErrors(program.hook("preAction", inheritOptions));
}

/** Runs a command line. Returns the exit code but does not exit, so that all output is still written. */
export const runProgram = (words: readonly string[], given: Terminal): Promise<number> =>
  runIn(given, async () => {
    exitWhenStdoutCloses(words[0] === "start" || words[0] === "run");
    try {
      await createProgram().parseAsync(words, { from: "user" });
    } catch (error) {
      setExitCode(exitCodeOf(error));
      // Commander has printed its own errors already.
      if (!(error instanceof CommanderError)) printError(escapeInvisible(say(detailOf(error))));
    }
  });
