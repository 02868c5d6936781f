// `kit games name`: what a person calls a game.
import { changeLibraryGame } from "@kit/contract";
import type { Command } from "commander";
import { connect } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson } from "./output.ts";
import { visible } from "./visible.ts";

async function rename(game: string, name: string | undefined, flags: CommonFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const changed = await client.call(changeLibraryGame, { body: { game, name: name ?? null } });
  if (flags.json) printJson(changed);
  else print(`${visible(game)} is called ${visible(changed.name)}.`);
}

export const gamesNameCommand = (): Command =>
  command("name", 'Say what a game is called: kit games name my_game "My Game"')
    .argument("<game>", "its prefix")
    .argument("[name]", "its prefix in words without one")
    .action(rename);
