// `kit rules`: lists event ids with their rules, and exports or imports a game's kit.events.json.
import { open, readFile, rm, stat } from "node:fs/promises";
import { basename } from "node:path";
import {
  bodyBytesMax,
  type EventsFile,
  type EventsFileChange,
  eventsFileSchema,
  exportEventsFile,
  importEventsFile,
  KitError,
  listGames,
  listRecordingRules,
  type RecordingRule,
  type ReplyOf,
} from "@kit/contract";
import type { Command } from "commander";
import { InvalidSetting } from "../config.ts";
import { connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { exitCodes } from "./exit-codes.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { localTime, print, printError, printJson, printTable } from "./output.ts";
import { writeSharedFile } from "./shared-file.ts";

type ListFlags = CommonFlags & { game?: string };
type ExportFlags = CommonFlags & { out?: string };
type Imported = ReplyOf<typeof importEventsFile>;
type ImportFlags = CommonFlags & { dryRun?: boolean; replace?: boolean; undo?: string };

function actionText(rule: RecordingRule | undefined): string {
  if (rule === undefined) return "post, if a post rule matches";
  const { action, preSeconds, postSeconds } = rule;
  return action === "clip" ? `clip of ${preSeconds} + ${postSeconds} s` : action;
}

async function list(flags: ListFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const [{ rules }, recording] = await Promise.all([client.call(listGames), client.call(listRecordingRules)]);
  const ruleOf = new Map(recording.rules.map((rule) => [rule.eventId, rule]));
  const all = rules
    .filter(({ game }) => flags.game === undefined || game === flags.game)
    .map((rule) => ({ ...rule, recording: rule.kind === "recording" ? (ruleOf.get(rule.eventId) ?? null) : null }));
  if (flags.json) return printJson({ rules: all });
  if (all.length === 0) return print("No event id is known yet. Ids appear once a game has sent them.");
  printTable(
    ["event id", "kind", "game", "action", "count", "last", "label", "did you mean"],
    all.map(({ eventId, kind, game, enabled, recording: rule, count, lastSeenAt, label, similarTo }) => [
      eventId,
      kind,
      game ?? "unsorted",
      enabled ? actionText(rule ?? undefined) : "none (switched off)",
      count.toLocaleString("en"),
      lastSeenAt === null ? "never" : localTime(lastSeenAt),
      label ?? "",
      similarTo ?? "",
    ]),
  );
}

const explainExistingFile = (path: string) => (error: NodeJS.ErrnoException) => {
  throw error.code === "EEXIST" ? new Error(`${path} already exists. Move it, or name another file.`) : error;
};
const formatEventsFile = (file: EventsFile) => `${JSON.stringify(file, undefined, 2)}\n`;

async function writeSchema({ out, ...flags }: ExportFlags): Promise<void> {
  const text = `${JSON.stringify(eventsFileSchema(), undefined, 2)}\n`;
  if (out === undefined) return print(text.trimEnd());
  await writeSharedFile(out, text, configFromFlags(flags).umask).catch(explainExistingFile(out));
  print(
    `${escapeInvisible(out)} was written. Refer to it in a kit.events.json: "$schema": "./${escapeInvisible(basename(out))}"`,
  );
}

async function exportFile(game: string, { out, ...flags }: ExportFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const file = await client.call(exportEventsFile, { query: { game } });
  if (out === undefined) return printJson(file);
  await writeSharedFile(out, formatEventsFile(file), configFromFlags(flags).umask).catch(explainExistingFile(out));
  const count = Object.keys(file.events).length;
  if (flags.json) printJson({ file: out, events: count });
  else print(`${escapeInvisible(out)} was written with ${count} event ids of ${escapeInvisible(game)}.`);
}

async function readEventsFile(path: string): Promise<EventsFile> {
  const { size } = await stat(path);
  if (size > bodyBytesMax) throw new InvalidSetting(`${path} has ${size} bytes. The maximum is ${bodyBytesMax}.`);
  const text = await readFile(path, "utf8");
  try {
    return JSON.parse(text.replace(/^\ufeff/, "")) as EventsFile;
  } catch (error) {
    throw new InvalidSetting(`${path} is not JSON: ${(error as Error).message}`);
  }
}

function printChanges(changes: readonly EventsFileChange[]): void {
  printTable(
    ["event id", "what", "now", "in the file"],
    changes.map(({ eventId, what, from, to }) => [eventId ?? "(the game)", what, from || "-", to || "-"]),
  );
}

/** Prints each invalid place in the file on its own line. Rethrows other errors. */
function printRefusal(path: string, error: unknown): never | undefined {
  if (!(error instanceof KitError) || error.errors.length === 0) throw error;
  printError(`${escapeInvisible(path)} was not imported, and nothing was changed:`);
  for (const problem of error.errors)
    printError(`  ${escapeInvisible(problem.path || "(the file)")} ${escapeInvisible(problem.message)}`);
  process.exitCode = exitCodes.refused;
}

/** Saves the current rules to a new file before the import. Imports nothing if that file cannot be created. */
async function importWithUndo(undo: string, run: () => Promise<Imported | undefined>) {
  const undoFile = await open(undo, "wx").catch(explainExistingFile(undo));
  let isNeeded = false;
  try {
    const result = await run();
    isNeeded = result !== undefined && result.changes.length > 0;
    if (result !== undefined && isNeeded) await undoFile.writeFile(formatEventsFile(result.before));
    return result;
  } finally {
    await undoFile.close();
    if (!isNeeded) await rm(undo);
  }
}

async function importFile(
  path: string,
  { dryRun = false, replace = false, undo, ...flags }: ImportFlags,
): Promise<void> {
  const body = await readEventsFile(path);
  const { client } = await connect(configFromFlags(flags));
  const run = () =>
    client.call(importEventsFile, { query: { dryRun, replace }, body }).catch((error) => printRefusal(path, error));
  const done = undo === undefined || dryRun ? await run() : await importWithUndo(undo, run);
  if (done === undefined) return;
  const { changes } = done;
  if (flags.json) return printJson({ dryRun, ...done });
  if (changes.length === 0) return print("Nothing to change: all rules in the file are already set.");
  printChanges(changes);
  print("");
  const count = changes.length === 1 ? "1 change" : `${changes.length} changes`;
  if (dryRun) return print(`Nothing was changed. Without --dry-run: ${count}.`);
  print(`Done: ${count}.`);
  if (undo !== undefined) print(`Undo: kit rules import ${escapeInvisible(undo)} --replace`);
}

export function rulesCommand(): Command {
  const exporting = command("export", "Export a game's rules as the kit.events.json that developers ship")
    .argument("<game>", "the prefix of its event ids")
    .option("--out <file>", "the file to write (default: print to standard output)")
    .action(exportFile);
  const importing = command("import", "Import a game's kit.events.json, completely or not at all")
    .argument("<file>")
    .option("--dry-run", "show the changes without making them")
    .option("--replace", "reset settings that the file omits for its event ids to the defaults")
    .option("--undo <file>", "save the current rules to this file; importing it with --replace undoes the import")
    .action(importFile);
  const schema = command("schema", "Print the JSON Schema of kit.events.json, for validation and completion in editors")
    .option("--out <file>", "the file to write (default: print to standard output)")
    .action(writeSchema);
  return command("rules", "List the known event ids with their rules and labels; export or import a game's rules")
    .helpGroup(helpGroups.developers)
    .option("--game <game>", "only event ids of this game")
    .action(list)
    .addCommand(exporting)
    .addCommand(importing)
    .addCommand(schema);
}
