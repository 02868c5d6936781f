// `kit games play`: saves the command that starts a game, and starts the game.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
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
import { type Config, InvalidSetting } from "../../config.ts";
import { answer, command, negatedFlag, parameter, textFlag, toggleFlag } from "../command.ts";
import { escapeInvisible } from "../escape.ts";
import { print } from "../output.ts";
import { askYesNo } from "../prompt.ts";

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

/** Finds a program on the PATH of this shell, because the launcher, which starts the game, may have another PATH. */
function resolveProgram(name: string, { searchPath }: Config): string {
  if (/[/\\]/.test(name)) return resolve(name);
  const found = searchPath.split(delimiter).map((folder) => join(folder, name));
  return found.find(isProgram) ?? resolve(name);
}

const commandText = (given: GameCommand) =>
  `${escapeInvisible(formatCommand(given))}\n  in ${escapeInvisible(given.folder)}`;

async function isConfirmed(): Promise<boolean> {
  if (process.stdin.isTTY) return askYesNo("Start the game with this command?", process.stderr);
  throw new InvalidSetting(
    "Kit detected this command, and nobody has confirmed it. Confirm it with --yes, or give another command after --.",
  );
}

async function findGame(client: Client, game: string): Promise<LibraryGame> {
  const { games } = await client.call(listLibrary);
  const found = games.find((one) => one.game === game);
  if (found === undefined) throw new KitError("not_found", `There is no game ${game}. \`kit games\` lists all games.`);
  return found;
}

/** Returns the command that starts the game, if a person entered it or confirms it now. Otherwise throws InvalidSetting. */
async function confirmedCommand(client: Client, game: string, yes: boolean, json: boolean): Promise<GameCommand> {
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
  if (!json) print(`${from} ${escapeInvisible(game)}:\n  ${commandText(given)}`);
  if (!yes && !(await isConfirmed())) throw new InvalidSetting("Nothing was started.");
  await client.call(changeLibraryGame, { body: { game, command: given } });
  return given;
}

export const gamesPlayCommand = command(
  "play",
  "Start a game, or set its command: kit games play my_game -- ./my_game --windowed",
  {
    parameters: [parameter("<game>", "the game's prefix"), parameter("[command...]", "the new command, after --")],
    flags: {
      folder: textFlag("--folder <dir>", "the folder to run it in (default: this folder)"),
      start: negatedFlag("--no-start", "only save the command"),
      yes: toggleFlag("--yes", "confirm a command that Kit detected"),
    },
    help,
    async run({ client, config, flags, json }, game, [program, ...rest]) {
      let given: GameCommand;
      if (program === undefined) given = await confirmedCommand(client, game, flags.yes === true, json);
      else {
        given = { program: resolveProgram(program, config), arguments: rest, folder: resolve(flags.folder ?? ".") };
        await client.call(changeLibraryGame, { body: { game, command: given } });
      }
      const name = escapeInvisible(game);
      if (!flags.start)
        return answer({ game, command: given }, `${name} will be started with:\n  ${commandText(given)}`);
      const { pid } = await client.call(playGame, { params: { game } });
      return answer({ game, command: given, pid }, () => {
        print(`${name} is running, supervised by process ${pid}:\n  ${commandText(given)}`);
        print(`Its sessions: kit sessions --game ${name}`);
      });
    },
  },
);
