// `kit games`: lists the known games and event ids, and registers, names or starts a game.

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import {
  type Client,
  changeLibraryGame,
  editors,
  forgetGame,
  forgetSourceFolder,
  formatCommand,
  type GameCommand,
  KitError,
  type LibraryGame,
  listGames,
  listLibrary,
  listSourceFolders,
  playGame,
  registerGame,
  type SourceFolder,
  setSourceFolder,
} from "@kit/contract";
import { type Config, InvalidSetting } from "../../config.ts";
import { answer, choiceFlag, command, negatedFlag, parameter, textFlag, toggleFlag } from "../command.ts";
import { escapeInvisible, kit, print, printTable, say } from "../output.ts";
import { askYesNo } from "../prompt.ts";
import { terminal } from "../terminal.ts";

function printSources(sources: readonly SourceFolder[]): void {
  if (sources.length === 0)
    return print(`No source folder is set. Set one: ${kit("games source GAME --root DIR --editor vscode")}`);
  const rows = sources.map(({ game, editor, root, problem }) => [game, editor, root, say(problem ?? "")]);
  printTable(["game", "editor", "source", ""], rows);
}

const source = command("source", "Show or set the source folder of a game, and the editor for it", {
  parameters: [parameter("[game]", "a game (default: list all)")],
  flags: {
    root: textFlag("--root <dir>", "the game's project folder"),
    editor: choiceFlag("--editor <editor>", "the editor that opens its files", editors),
    forget: toggleFlag("--forget", "remove the setting"),
  },
  async run({ client, flags: { root, editor, forget } }, game) {
    const isChange = root !== undefined || editor !== undefined;
    if (game === undefined && (isChange || forget)) throw new InvalidSetting("Name the game.");
    if (game !== undefined && forget) {
      await client.call(forgetSourceFolder, { query: { game } });
      return answer({ removed: game }, `The source folder of ${escapeInvisible(game)} is no longer set.`);
    }
    const { sources } = await client.call(listSourceFolders);
    const known = game === undefined ? sources : sources.filter((each) => each.game === game);
    if (game === undefined || !isChange) return answer(known, printSources);
    const folder = root === undefined ? known[0]?.root : resolve(root);
    if (folder === undefined) throw new InvalidSetting("Set its source folder first: --root DIR.");
    const set = await client.call(setSourceFolder, { body: { game, root: folder, ...(editor && { editor }) } });
    const where = `${escapeInvisible(set.root)}, opened with ${set.editor}`;
    return answer(set, `The source of ${escapeInvisible(game)} is ${where}.`);
  },
});

const name = command("name", 'Set the display name of a game: kit games name my_game "My Game"', {
  parameters: [
    parameter("<game>", "the game's prefix"),
    parameter("[name]", "the name (default: derived from the prefix)"),
  ],
  async run({ client }, game, given) {
    const changed = await client.call(changeLibraryGame, { body: { game, name: given ?? null } });
    return answer(changed, `${escapeInvisible(game)} is now called ${escapeInvisible(changed.name)}.`);
  },
});

const add = command("add", "Register a game by the prefix of its event ids; also applies to past events", {
  parameters: [parameter("<prefix>", "e.g. my_game for my_game_boss_defeated")],
  async run({ client }, prefix) {
    const game = await client.call(registerGame, { body: { game: prefix } });
    return answer(game, `${escapeInvisible(game.game)} is registered.`);
  },
});

const remove = command("remove", "Unregister a prefix", {
  parameters: [parameter("<prefix>")],
  async run({ client }, prefix) {
    await client.call(forgetGame, { query: { game: prefix } });
    const shown = escapeInvisible(prefix);
    return answer({ removed: prefix }, `${shown} is no longer registered. Undo: ${kit(`games add ${shown}`)}`);
  },
});

// `kit games play`: saves the command that starts a game, and starts the game.

const playHelp = `
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
  const { stdin, stderr } = terminal();
  if (stdin.isTTY) return askYesNo("Start the game with this command?", stderr);
  throw new InvalidSetting(
    "Kit detected this command, and nobody has confirmed it. Confirm it with --yes, or give another command after --.",
  );
}

async function findGame(client: Client, game: string): Promise<LibraryGame> {
  const { games } = await client.call(listLibrary);
  const found = games.find((one) => one.game === game);
  if (found === undefined)
    throw new KitError("not_found", `There is no game ${game}. \`${kit("games")}\` lists all games.`);
  return found;
}

/** Returns the command that starts the game, if a person entered it or confirms it now. Otherwise throws InvalidSetting. */
async function confirmedCommand(client: Client, game: string, yes: boolean, json: boolean): Promise<GameCommand> {
  const { command: given, commandFrom } = await findGame(client, game);
  if (given === null)
    throw new InvalidSetting(
      `Kit does not know how to start the game. Add the command: ${kit(`games play ${escapeInvisible(game)} -- ./the_game`)}`,
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

const gamesPlayCommand = command(
  "play",
  "Start a game, or set its command: kit games play my_game -- ./my_game --windowed",
  {
    parameters: [parameter("<game>", "the game's prefix"), parameter("[command...]", "the new command, after --")],
    flags: {
      folder: textFlag("--folder <dir>", "the folder to run it in (default: this folder)"),
      start: negatedFlag("--no-start", "only save the command"),
      yes: toggleFlag("--yes", "confirm a command that Kit detected"),
    },
    help: playHelp,
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
        print(`Its sessions: ${kit(`sessions --game ${name}`)}`);
      });
    },
  },
);

const onOff = (on: boolean) => (on ? "on" : "off");

export const gamesCommand = command("games", "List the known games and event ids; register, name or start a game", {
  group: "permissions",
  subcommands: [add, remove, gamesPlayCommand, name, source],
  run: async ({ client }) => {
    const { services, games, rules } = await client.call(listGames);
    return answer({ services, games, rules }, () => {
      const rows = [
        { game: "(every game)", knownBy: "", switches: services },
        ...games.map((each) => ({ ...each, knownBy: each.registered ? "registered" : "guessed" })),
      ].map(({ game, knownBy, switches: { recording, monitor, social } }) => [
        game,
        knownBy,
        ...[recording, monitor, social].map(onOff),
      ]);
      printTable(["game", "known by", "recording", "monitor", "social"], rows);
      print("");
      printTable(
        ["event id", "kind", "game", "switch"],
        rules.map(({ eventId, kind, game, enabled }) => [eventId, kind, game ?? "unsorted", onOff(enabled)]),
      );
    });
  },
});
