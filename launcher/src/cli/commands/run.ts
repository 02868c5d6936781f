// `kit run -- COMMAND`: starts a game, passes its input and output through, and reports how it ended.
import { createHash, randomUUID } from "node:crypto";
import { basename } from "node:path";
import { cwd } from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { type GameSession, type RunReport, reportRun } from "@kit/contract";
import { type Config, gameEnvironment } from "../../config.ts";
import { type CommandContext, command, hiddenFlag, parameter, parsedFlag, textFlag, toggleFlag } from "../command.ts";
import { connectToLauncher, launcherPort } from "../connection.ts";
import { escapeInvisible } from "../escape.ts";
import { printError } from "../output.ts";
import { GameNotStarted, shellExitCode, startGame } from "./run/game-process.ts";

/** Maximum wait for the launcher's answer to a report, so that a launcher that hangs does not keep `kit run` from ending. */
const reportWithinMs = 5_000;
/** After the game exits, how long to wait for the end of its output, because child processes may keep the pipes open. */
const outputGraceMs = 1_000;

const help = `
The game gets two additional environment variables:
  KIT_URL  the launcher's address. Bindings do not read it: they send to http://127.0.0.1:9876 unless the game sets
           another address. With --port, let the game read KIT_URL and pass it to the binding.
  KIT_RUN  identifies the run. On Linux, the launcher uses it to assign events to the run. On other systems use --game.

In a terminal, the game's output is not captured. If its output goes to a pipe or a file, Kit keeps the last 200 lines
(32 KiB) and adds them to the error report if the game crashes: through a signal such as SIGSEGV, or on Windows a status
such as 0xC0000005. Other exit codes are recorded but are not crashes, nor are signals from a person, such as Ctrl-C.

Exits with the game's exit code, or 128 plus the signal's number; with 127 if the program does not exist, and 126 if it
cannot be run. If no launcher answers, the game runs anyway; the run is recorded if a launcher answers when the game ends.`;

type LaunchResult = { readonly runs: true } | { readonly failed: string };

/**
 * If a launcher started this `kit run`, tells the launcher whether the game runs, and disconnects from it. Does nothing if a
 * person started it.
 */
function sendLaunchResult(result: LaunchResult): void {
  if (process.send === undefined || !process.connected) return;
  process.send(result, undefined, {}, () => process.disconnect?.());
}

const now = () => new Date().toISOString();

async function sendReport(config: Config, report: RunReport): Promise<GameSession> {
  const sent = connectToLauncher(config).then(({ client }) => client.call(reportRun, { body: report }));
  const timeout = pause(reportWithinMs, undefined, { ref: false }).then((): never => {
    throw new Error("the launcher did not answer in time.");
  });
  return Promise.race([sent, timeout]);
}

/**
 * Returns a hash of the command, which tells only whether two runs had the same command. The command itself may contain
 * secrets.
 */
const commandHash = (command: readonly string[]) =>
  createHash("sha256")
    .update(JSON.stringify([command, cwd()]))
    .digest("base64url");

const printWarning = (what: string) => (error: unknown) => {
  printError(escapeInvisible(`kit run: ${what}: ${(error as Error).message}`));
  return undefined;
};

const runFlags = {
  game: textFlag("--game <prefix>", "the game's prefix (default: found from its events)"),
  unseen: hiddenFlag(toggleFlag("--unseen", "capture the output, because nobody reads it")),
  umask: hiddenFlag(parsedFlag("--umask <umask>", "the game's umask (default: that of this command)", Number)),
};

async function run(words: readonly string[], { config, flags }: CommandContext<typeof runFlags>): Promise<void> {
  const { game, unseen = false, umask } = flags;
  const id = randomUUID();
  const startedAt = now();
  // Starts the game before contacting the launcher, so that the game never waits.
  const env = gameEnvironment({ KIT_URL: `http://127.0.0.1:${launcherPort(config)}`, KIT_RUN: id });
  const child = await startGame(words, { env, umask: umask ?? config.umask, unseen });
  if (unseen) sendLaunchResult({ runs: true });
  const program = basename(words[0] ?? "").slice(0, 200) || "game";
  const runInfo = { run: id, ...(game && { game }), program, likeness: commandHash(words), pid: child.pid, startedAt };
  const startReported = sendReport(config, runInfo).catch(
    printWarning("the game runs, but its start was not recorded"),
  );
  const ended = await child.ended;
  const at = now();
  await Promise.race([child.written, pause(outputGraceMs, undefined, { ref: false })]);
  const output = child.lastLines();
  await startReported;
  const session = await sendReport(config, { ...runInfo, ended: { at, ...ended, ...(output && { output }) } }).catch(
    printWarning("this run was not recorded"),
  );
  if (session?.ending === "crashed")
    printError(escapeInvisible(`kit run: ${session.game ?? program} crashed. Error report: kit show ${session.crash}`));
  // Reads on until the pipes close, because child processes of the game may still write.
  await child.written;
  process.exitCode = shellExitCode(ended);
}

export const runCommand = command("run", "Start a game and record how it ends: kit run -- ./my_game --windowed", {
  group: "developers",
  parameters: [parameter("<command...>", "the game and its arguments, after --")],
  flags: runFlags,
  help,
  async run(context, words) {
    try {
      await run(words, context);
    } catch (error) {
      if (!(error instanceof GameNotStarted)) throw error;
      printError(escapeInvisible(`kit run: ${error.message}`));
      if (context.flags.unseen) sendLaunchResult({ failed: error.message });
      process.exitCode = error.exitCode;
    }
  },
});
