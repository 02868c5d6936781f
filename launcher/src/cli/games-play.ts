// `kit games play`: how a game is started, and starting it beside the launcher.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import {
  type Client,
  changeLibraryGame,
  commandInWords,
  type GameCommand,
  KitError,
  type LibraryGame,
  listLibrary,
  playGame,
} from "@kit/contract";
import type { Command } from "commander";
import { BadSetting, type Config } from "../config.ts";
import { connect } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson } from "./output.ts";
import { visible } from "./visible.ts";

type PlayFlags = CommonFlags & { folder?: string; start: boolean; yes?: true };

const help = `
The command behind -- is remembered for the game, and run from the folder this is called in, or from --folder. No shell reads it.
Then \`kit games play my_game\` is enough, and so is Play in the dashboard. What Kit only saw sending a game's events is shown
and asked about before it is started. The game runs as with \`kit run\`, and goes on when the launcher ends.`;

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** A name without a folder is looked for as a shell does; the launcher may have another search path. */
function programAt(word: string, { searchPath }: Config): string {
  if (/[/\\]/.test(word)) return resolve(word);
  const found = searchPath.split(delimiter).map((folder) => join(folder, word));
  return found.find(isProgram) ?? resolve(word);
}

const shown = (given: GameCommand) => `${visible(commandInWords(given))}\n  in ${visible(given.folder)}`;

async function agrees(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new BadSetting(
      "Nobody has agreed here to how the game is started. Start it with --yes, or name another way behind --.",
    );
  }
  const line = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await line.question("Is this how the game is started? [y/N] ")).trim());
  } finally {
    line.close();
  }
}

async function known(client: Client, game: string): Promise<LibraryGame> {
  const { games } = await client.call(listLibrary);
  const found = games.find((one) => one.game === game);
  if (found === undefined) throw new KitError("not_found", `There is no game ${game}. \`kit games\` lists them.`);
  return found;
}

/** The command as a person gave it, or agreed to it just now. */
async function commandOf(client: Client, game: string, flags: PlayFlags): Promise<GameCommand> {
  const { command: given, commandFrom } = await known(client, game);
  if (given === null) throw new BadSetting(`Say how it is started: kit games play ${visible(game)} -- ./the_game`);
  if (commandFrom === "person") return given;
  const from =
    commandFrom === "backup" ? "A restored backup of another Kit starts" : "Kit saw this program send events of";
  if (!flags.json) print(`${from} ${visible(game)}${commandFrom === "backup" ? " so" : ""}:\n  ${shown(given)}`);
  if (!flags.yes && !(await agrees())) throw new BadSetting("Nothing was started.");
  await client.call(changeLibraryGame, { body: { game, command: given } });
  return given;
}

async function play(game: string, words: readonly string[], flags: PlayFlags): Promise<void> {
  const config = configOf(flags);
  const { client } = await connect(config);
  const [program, ...rest] = words;
  let given: GameCommand;
  if (program === undefined) given = await commandOf(client, game, flags);
  else {
    given = { program: programAt(program, config), arguments: rest, folder: resolve(flags.folder ?? ".") };
    await client.call(changeLibraryGame, { body: { game, command: given } });
  }
  if (!flags.start) {
    return flags.json
      ? printJson({ game, command: given })
      : print(`${visible(game)} is started with:\n  ${shown(given)}`);
  }
  const { pid } = await client.call(playGame, { params: { game } });
  if (flags.json) return printJson({ game, command: given, pid });
  print(`${visible(game)} runs, watched over by process ${pid}:\n  ${shown(given)}`);
  print(`What happens in it: kit sessions --game ${visible(game)}`);
}

export const gamesPlayCommand = (): Command =>
  command("play", "Start a game, or say how it is started: kit games play my_game -- ./my_game --windowed")
    .argument("<game>", "its prefix")
    .argument("[command...]", "how it is started from now on, behind --")
    .option("--folder <dir>", "the folder it runs in (default: this one)")
    .option("--no-start", "only remember how it is started")
    .option("--yes", "start without asking what Kit only saw sending its events")
    .addHelpText("after", help)
    .action(play);
