// `kit games`: lists the known games and event ids, and registers, names or starts a game.

import { resolve } from "node:path";
import {
  changeLibraryGame,
  type Editor,
  editors,
  forgetGame,
  forgetSource,
  type GameSource,
  listGames,
  listSources,
  registerGame,
  setSource,
} from "@kit/contract";
import { type Command, Option } from "commander";
import { InvalidSetting } from "../config.ts";
import { connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { gamesPlayCommand } from "./games-play.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson, printTable } from "./output.ts";

type SourceFlags = CommonFlags & { root?: string; editor?: Editor; forget?: true };

function printSources(sources: readonly GameSource[]): void {
  if (sources.length === 0)
    return print("No source folder is set. Set one: kit games source GAME --root DIR --editor vscode");
  printTable(
    ["game", "editor", "source", ""],
    sources.map(({ game, editor, root, problem }) => [game, editor, root, problem ?? ""]),
  );
}

async function act(game: string | undefined, flags: SourceFlags): Promise<void> {
  const { root, editor, forget } = flags;
  const { client } = await connect(configFromFlags(flags));
  if (game === undefined) {
    if (root !== undefined || editor !== undefined || forget) throw new InvalidSetting("Name the game.");
    const { sources } = await client.call(listSources);
    return flags.json ? printJson(sources) : printSources(sources);
  }
  if (forget) {
    await client.call(forgetSource, { query: { game } });
    return flags.json
      ? printJson({ removed: game })
      : print(`The source folder of ${escapeInvisible(game)} is no longer set.`);
  }
  const known = (await client.call(listSources)).sources.filter((source) => source.game === game);
  const folder = root === undefined ? known[0]?.root : resolve(root);
  if (root === undefined && editor === undefined) return flags.json ? printJson(known) : printSources(known);
  if (folder === undefined) throw new InvalidSetting("Set its source folder first: --root DIR.");
  const source = await client.call(setSource, { body: { game, root: folder, ...(editor && { editor }) } });
  if (flags.json) return printJson(source);
  print(`The source of ${escapeInvisible(game)} is ${escapeInvisible(source.root)}, opened with ${source.editor}.`);
}

const sourceCommand = (): Command =>
  command("source", "Show or set the source folder of a game, and the editor for it")
    .argument("[game]", "a game (default: list all)")
    .option("--root <dir>", "the game's project folder")
    .addOption(new Option("--editor <editor>", "the editor that opens its files").choices(editors))
    .option("--forget", "remove the setting")
    .action(act);

async function rename(game: string, name: string | undefined, flags: CommonFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const changed = await client.call(changeLibraryGame, { body: { game, name: name ?? null } });
  if (flags.json) printJson(changed);
  else print(`${escapeInvisible(game)} is now called ${escapeInvisible(changed.name)}.`);
}

/** `kit games name`: sets the display name of a game. */
const gamesNameCommand = (): Command =>
  command("name", 'Set the display name of a game: kit games name my_game "My Game"')
    .argument("<game>", "the game's prefix")
    .argument("[name]", "the name (default: derived from the prefix)")
    .action(rename);

const onOff = (on: boolean) => (on ? "on" : "off");

async function list(flags: CommonFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const { services, games, rules } = await client.call(listGames);
  if (flags.json) return printJson({ services, games, rules });
  const rows = games.map(({ game, registered, switches }) => [
    game,
    registered ? "registered" : "guessed",
    onOff(switches.recording),
    onOff(switches.monitor),
    onOff(switches.social),
  ]);
  const all = ["(every game)", "", onOff(services.recording), onOff(services.monitor), onOff(services.social)];
  printTable(["game", "known by", "recording", "monitor", "social"], [all, ...rows]);
  print("");
  printTable(
    ["event id", "kind", "game", "switch"],
    rules.map(({ eventId, kind, game, enabled }) => [eventId, kind, game ?? "unsorted", onOff(enabled)]),
  );
}

export function gamesCommand(): Command {
  const add = command("add", "Register a game by the prefix of its event ids; also applies to past events")
    .argument("<prefix>", "e.g. my_game for my_game_boss_defeated")
    .action(async (prefix: string, flags: CommonFlags) => {
      const { client } = await connect(configFromFlags(flags));
      const game = await client.call(registerGame, { body: { game: prefix } });
      if (flags.json) printJson(game);
      else print(`${escapeInvisible(game.game)} is registered.`);
    });
  const remove = command("remove", "Unregister a prefix")
    .argument("<prefix>")
    .action(async (prefix: string, flags: CommonFlags) => {
      const { client } = await connect(configFromFlags(flags));
      await client.call(forgetGame, { query: { game: prefix } });
      if (flags.json) printJson({ removed: prefix });
      else print(`${escapeInvisible(prefix)} is no longer registered. Undo: kit games add ${escapeInvisible(prefix)}`);
    });
  return command("games", "List the known games and event ids; register, name or start a game")
    .helpGroup(helpGroups.permissions)
    .action(list)
    .addCommand(add)
    .addCommand(remove)
    .addCommand(gamesPlayCommand())
    .addCommand(gamesNameCommand())
    .addCommand(sourceCommand());
}
