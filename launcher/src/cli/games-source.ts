// `kit games source`: sets the source folder of a game, so that stack frames can be opened in an editor.
import { resolve } from "node:path";
import { type Editor, editors, forgetSource, type GameSource, listSources, setSource } from "@kit/contract";
import { type Command, Option } from "commander";
import { InvalidSetting } from "../config.ts";
import { connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { type CommonFlags, command, configFromFlags } from "./options.ts";
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

export const sourceCommand = (): Command =>
  command("source", "Show or set the source folder of a game, and the editor for it")
    .argument("[game]", "a game (default: list all)")
    .option("--root <dir>", "the game's project folder")
    .addOption(new Option("--editor <editor>", "the editor that opens its files").choices(editors))
    .option("--forget", "remove the setting")
    .action(act);
