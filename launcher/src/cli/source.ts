// `kit games source`: where the source of a game lies, so that the frames of its errors can be opened in an editor.
import { resolve } from "node:path";
import { type Editor, editors, forgetSource, type GameSource, listSources, setSource } from "@kit/contract";
import { type Command, Option } from "commander";
import { BadSetting } from "../config.ts";
import { connect } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson, printTable } from "./output.ts";
import { visible } from "./visible.ts";

type SourceFlags = CommonFlags & { root?: string; editor?: Editor; forget?: true };

function printSources(sources: readonly GameSource[]): void {
  if (sources.length === 0)
    return print("No source is known. Name one: kit games source GAME --root DIR --editor vscode");
  printTable(
    ["game", "editor", "source", ""],
    sources.map(({ game, editor, root, problem }) => [game, editor, root, problem ?? ""]),
  );
}

async function act(game: string | undefined, flags: SourceFlags): Promise<void> {
  const { root, editor, forget } = flags;
  const { client } = await connect(configOf(flags));
  if (game === undefined) {
    if (root !== undefined || editor !== undefined || forget) throw new BadSetting("Say of which game.");
    const { sources } = await client.call(listSources);
    return flags.json ? printJson(sources) : printSources(sources);
  }
  if (forget) {
    await client.call(forgetSource, { query: { game } });
    return flags.json ? printJson({ removed: game }) : print(`The source of ${visible(game)} is forgotten.`);
  }
  const known = (await client.call(listSources)).sources.filter((source) => source.game === game);
  const folder = root === undefined ? known[0]?.root : resolve(root);
  if (root === undefined && editor === undefined) return flags.json ? printJson(known) : printSources(known);
  if (folder === undefined) throw new BadSetting("Say where its source lies: --root DIR.");
  const source = await client.call(setSource, { body: { game, root: folder, ...(editor && { editor }) } });
  if (flags.json) return printJson(source);
  print(`The source of ${visible(game)} is ${visible(source.root)}, opened with ${source.editor}.`);
}

export const sourceCommand = (): Command =>
  command("source", "Where the source of a game lies, and which editor opens it")
    .argument("[game]", "a game; all of them without one")
    .option("--root <dir>", "the folder of its project")
    .addOption(new Option("--editor <editor>", "what opens its files").choices(editors))
    .option("--forget", "forget where it lies")
    .action(act);
