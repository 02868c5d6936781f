// `kit run -- COMMAND`: starts a game, stays out of its way, and records how its run ended.
import { createHash, randomUUID } from "node:crypto";
import { basename } from "node:path";
import { cwd } from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { type GameSession, type RunReport, recordRun } from "@kit/contract";
import { type Command, Option } from "commander";
import { type Config, gameEnvironment } from "../config.ts";
import { connect, portOf } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { printError } from "./output.ts";
import { exitCodeOf, NotStarted, startGame } from "./run/child.ts";
import { tellStarter } from "./run/launch-result.ts";
import { visible } from "./visible.ts";

type RunFlags = CommonFlags & { game?: string; unseen?: boolean; umask?: number };

/** A game that has ended is not held up for longer by a launcher that does not answer. */
const reportWithinMs = 5_000;
/** What it left behind may hold its pipes open. */
const lastWordsMs = 1_000;

const help = `
The game has two more variables in its environment:
  KIT_URL  the launcher's address. No binding reads it by itself: they send to http://127.0.0.1:9876 unless the game
           hands them another address. With --port, read KIT_URL in the game and hand it on.
  KIT_RUN  tells the launcher on Linux that what the game sends belongs to this run. Elsewhere give --game.

A terminal stays the game's own. Where its output goes to a pipe or a file the last 200 lines (32 KiB) are remembered, and kept
with the error report that is made when the game crashes: by a signal such as SIGSEGV, on Windows by a status such as
0xC0000005. An exit code that is not 0 is recorded and is no crash; nor is what a person sends, such as Ctrl-C.

Ends with the game's own exit code, or 128 and the signal's number; 127 where there is no such program, 126 where it cannot
be run. Without a launcher the game runs all the same, and its run is recorded if one answers when it ends.`;

const now = () => new Date().toISOString();

async function tell(config: Config, report: RunReport): Promise<GameSession> {
  const told = connect(config).then(({ client }) => client.call(recordRun, { body: report }));
  const late = pause(reportWithinMs, undefined, { ref: false }).then((): never => {
    throw new Error("the launcher did not answer in time.");
  });
  return Promise.race([told, late]);
}

/** Command lines may hold secrets: only whether two are the same is told. */
const likenessOf = (words: readonly string[]) =>
  createHash("sha256")
    .update(JSON.stringify([words, cwd()]))
    .digest("base64url");

const complain = (what: string) => (error: unknown) => {
  printError(visible(`kit run: ${what}: ${(error as Error).message}`));
  return undefined;
};

async function run(words: readonly string[], { game, unseen = false, umask, ...flags }: RunFlags): Promise<void> {
  const config = configOf(flags);
  const id = randomUUID();
  const startedAt = now();
  // The game first: it waits for nobody.
  const env = gameEnvironment({ KIT_URL: `http://127.0.0.1:${portOf(config)}`, KIT_RUN: id });
  const child = await startGame(words, { env, umask: umask ?? config.umask, unseen });
  if (unseen) tellStarter({ runs: true });
  const program = basename(words[0] ?? "").slice(0, 200) || "game";
  const said = { run: id, ...(game && { game }), program, likeness: likenessOf(words), pid: child.pid, startedAt };
  const begun = tell(config, said).catch(complain("the game runs, and is not recorded yet"));
  const ended = await child.ended;
  const at = now();
  await Promise.race([child.written, pause(lastWordsMs, undefined, { ref: false })]);
  const output = child.lastLines();
  await begun;
  const session = await tell(config, { ...said, ended: { at, ...ended, ...(output && { output }) } }).catch(
    complain("this run is not recorded"),
  );
  if (session?.ending === "crashed")
    printError(visible(`kit run: ${session.game ?? program} crashed. What is known of it: kit show ${session.crash}`));
  // What the game left behind may still write: it must find its reader.
  await child.written;
  process.exitCode = exitCodeOf(ended);
}

export function runCommand(): Command {
  return command("run", "Start a game, and record how its run ended: kit run -- ./my_game --windowed")
    .argument("<command...>", "the game and its arguments, behind --")
    .option("--game <prefix>", "which game it is, as `kit games add`; else its events say it")
    .addOption(new Option("--unseen", "nobody reads what it writes; its last lines are remembered").hideHelp())
    .addOption(new Option("--umask <umask>", "the game's; else that of this command").argParser(Number).hideHelp())
    .addHelpText("after", help)
    .action(async (words: string[], flags: RunFlags) => {
      try {
        await run(words, flags);
      } catch (error) {
        if (!(error instanceof NotStarted)) throw error;
        printError(visible(`kit run: ${error.message}`));
        if (flags.unseen) tellStarter({ failed: error.message });
        process.exitCode = error.exitCode;
      }
    });
}
