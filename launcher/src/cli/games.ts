// `kit games`: which games the launcher knows, and by which prefix.
import { changeLibraryGame, forgetGame, listGames, registerGame } from "@kit/contract";
import type { Command } from "commander";
import { connect } from "./connection.ts";
import { gamesPlayCommand } from "./games-play.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson, printTable } from "./output.ts";
import { sourceCommand } from "./source.ts";
import { visible } from "./visible.ts";

async function rename(game: string, name: string | undefined, flags: CommonFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const changed = await client.call(changeLibraryGame, { body: { game, name: name ?? null } });
  if (flags.json) printJson(changed);
  else print(`${visible(game)} is called ${visible(changed.name)}.`);
}

/** `kit games name`: what a person calls a game. */
const gamesNameCommand = (): Command =>
  command("name", 'Say what a game is called: kit games name my_game "My Game"')
    .argument("<game>", "its prefix")
    .argument("[name]", "its prefix in words without one")
    .action(rename);

const onOff = (on: boolean) => (on ? "on" : "off");

async function list(flags: CommonFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
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
  const add = command("add", "Name a game by the prefix of its event ids; files what it already sent anew")
    .argument("<prefix>", "e.g. my_game for my_game_boss_defeated")
    .action(async (prefix: string, flags: CommonFlags) => {
      const { client } = await connect(configOf(flags));
      const game = await client.call(registerGame, { body: { game: prefix } });
      if (flags.json) printJson(game);
      else print(`${visible(game.game)} is registered.`);
    });
  const remove = command("remove", "Take a prefix back")
    .argument("<prefix>")
    .action(async (prefix: string, flags: CommonFlags) => {
      const { client } = await connect(configOf(flags));
      await client.call(forgetGame, { query: { game: prefix } });
      if (flags.json) printJson({ removed: prefix });
      else print(`${visible(prefix)} is no longer registered. Undo: kit games add ${visible(prefix)}`);
    });
  return command("games", "List the known games and event ids")
    .action(list)
    .addCommand(add)
    .addCommand(remove)
    .addCommand(gamesPlayCommand())
    .addCommand(gamesNameCommand())
    .addCommand(sourceCommand());
}
