// `kit games play`: saves the command that starts a game, and starts the game.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import {
  type Client,
  changeLibraryGame,
  formatCommand,
  type GameCommand,
  KitError,
  type LibraryGame,
  listLibrary,
  playGame,
} from "@kit/contract";
import type { Command } from "commander";
import { type Config, InvalidSetting } from "../config.ts";
import { connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { type CommonFlags, command, configFromFlags } from "./options.ts";
import { print, printJson } from "./output.ts";

type PlayFlags = CommonFlags & { folder?: string; start: boolean; yes?: true };

const help = `
Kit saves the command after -- for the game, and runs it without a shell in the current folder or in --folder.
Afterwards \`kit games play my_game\` or Play in the dashboard starts the game. If Kit only detected the program from the
game's events, it asks before starting it. The game runs as with \`kit run\`, and keeps running if the launcher stops.`;

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Resolves a bare program name on this shell's PATH, because the launcher may have another one. */
function resolveProgram(name: string, { searchPath }: Config): string {
  if (/[/\\]/.test(name)) return resolve(name);
  const found = searchPath.split(delimiter).map((folder) => join(folder, name));
  return found.find(isProgram) ?? resolve(name);
}

const commandText = (given: GameCommand) =>
  `${escapeInvisible(formatCommand(given))}\n  in ${escapeInvisible(given.folder)}`;

async function askConfirmation(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new InvalidSetting(
      "Kit detected this command, and nobody has confirmed it. Confirm it with --yes, or give another command after --.",
    );
  }
  const line = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await line.question("Start the game with this command? (y/N) ")).trim());
  } finally {
    line.close();
  }
}

async function findGame(client: Client, game: string): Promise<LibraryGame> {
  const { games } = await client.call(listLibrary);
  const found = games.find((one) => one.game === game);
  if (found === undefined) throw new KitError("not_found", `There is no game ${game}. \`kit games\` lists all games.`);
  return found;
}

/** The command that a person entered before or confirms now. Throws InvalidSetting otherwise. */
async function confirmedCommand(client: Client, game: string, flags: PlayFlags): Promise<GameCommand> {
  const { command: given, commandFrom } = await findGame(client, game);
  if (given === null)
    throw new InvalidSetting(
      `Kit does not know how to start the game. Add the command: kit games play ${escapeInvisible(game)} -- ./the_game`,
    );
  if (commandFrom === "person") return given;
  const from =
    commandFrom === "backup"
      ? "According to a restored backup, this starts"
      : "Kit detected this program sending events of";
  if (!flags.json) print(`${from} ${escapeInvisible(game)}:\n  ${commandText(given)}`);
  if (!flags.yes && !(await askConfirmation())) throw new InvalidSetting("Nothing was started.");
  await client.call(changeLibraryGame, { body: { game, command: given } });
  return given;
}

async function play(game: string, words: readonly string[], flags: PlayFlags): Promise<void> {
  const config = configFromFlags(flags);
  const { client } = await connect(config);
  const [program, ...rest] = words;
  let given: GameCommand;
  if (program === undefined) given = await confirmedCommand(client, game, flags);
  else {
    given = { program: resolveProgram(program, config), arguments: rest, folder: resolve(flags.folder ?? ".") };
    await client.call(changeLibraryGame, { body: { game, command: given } });
  }
  if (!flags.start) {
    return flags.json
      ? printJson({ game, command: given })
      : print(`${escapeInvisible(game)} will be started with:\n  ${commandText(given)}`);
  }
  const { pid } = await client.call(playGame, { params: { game } });
  if (flags.json) return printJson({ game, command: given, pid });
  print(`${escapeInvisible(game)} is running, supervised by process ${pid}:\n  ${commandText(given)}`);
  print(`Its sessions: kit sessions --game ${escapeInvisible(game)}`);
}

export const gamesPlayCommand = (): Command =>
  command("play", "Start a game, or set its command: kit games play my_game -- ./my_game --windowed")
    .argument("<game>", "the game's prefix")
    .argument("[command...]", "the new command, after --")
    .option("--folder <dir>", "the folder to run it in (default: this folder)")
    .option("--no-start", "only save the command")
    .option("--yes", "confirm a command that Kit detected")
    .addHelpText("after", help)
    .action(play);
