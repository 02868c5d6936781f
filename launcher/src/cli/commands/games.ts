// `kit games`: lists the known games and event ids, and registers, names or starts a game.

import { resolve } from "node:path";
import {
  changeLibraryGame,
  editors,
  forgetGame,
  forgetSourceFolder,
  listGames,
  listSourceFolders,
  registerGame,
  type SourceFolder,
  setSourceFolder,
} from "@kit/contract";
import { InvalidSetting } from "../../config.ts";
import { answer, choiceFlag, command, parameter, textFlag, toggleFlag } from "../command.ts";
import { escapeInvisible } from "../escape.ts";
import { print, printTable } from "../output.ts";
import { say } from "../say.ts";
import { gamesPlayCommand } from "./games-play.ts";

function printSources(sources: readonly SourceFolder[]): void {
  if (sources.length === 0)
    return print("No source folder is set. Set one: kit games source GAME --root DIR --editor vscode");
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
    return answer({ removed: prefix }, `${shown} is no longer registered. Undo: kit games add ${shown}`);
  },
});

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
