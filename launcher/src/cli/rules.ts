// `kit rules`: each event id with what becomes of it, and a game's kit.events.json out and in.
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
import { BadSetting } from "../config.ts";
import { connect } from "./connection.ts";
import { exitCodes } from "./exit-codes.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { localTime, print, printError, printJson, printTable } from "./output.ts";
import { writePassedOn } from "./passed-on.ts";
import { visible } from "./visible.ts";

type ListFlags = CommonFlags & { game?: string };
type ExportFlags = CommonFlags & { out?: string };
type Imported = ReplyOf<typeof importEventsFile>;
type ImportFlags = CommonFlags & { dryRun?: boolean; replace?: boolean; undo?: string };

function makesOf(rule: RecordingRule | undefined): string {
  if (rule === undefined) return "a post, where a rule says so";
  const { action, preSeconds, postSeconds } = rule;
  return action === "clip" ? `clip of ${preSeconds} + ${postSeconds} s` : action;
}

async function list(flags: ListFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const [{ rules }, recording] = await Promise.all([client.call(listGames), client.call(listRecordingRules)]);
  const ruleOf = new Map(recording.rules.map((rule) => [rule.eventId, rule]));
  const all = rules
    .filter(({ game }) => flags.game === undefined || game === flags.game)
    .map((rule) => ({ ...rule, recording: rule.kind === "recording" ? (ruleOf.get(rule.eventId) ?? null) : null }));
  if (flags.json) return printJson({ rules: all });
  if (all.length === 0) return print("No event id is known yet. An id is there once a game sent it.");
  printTable(
    ["event id", "kind", "game", "makes", "came", "last", "label", "did you mean"],
    all.map(({ eventId, kind, game, enabled, recording: rule, count, lastSeenAt, label, similarTo }) => [
      eventId,
      kind,
      game ?? "unsorted",
      enabled ? makesOf(rule ?? undefined) : "nothing: switched off",
      count.toLocaleString("en"),
      lastSeenAt === null ? "never" : localTime(lastSeenAt),
      label ?? "",
      similarTo ?? "",
    ]),
  );
}

const isThere = (path: string) => (error: NodeJS.ErrnoException) => {
  throw error.code === "EEXIST" ? new Error(`${path} is there already. Move it away, or name another file.`) : error;
};
const textOf = (file: EventsFile) => `${JSON.stringify(file, undefined, 2)}\n`;

async function writeSchema({ out, ...flags }: ExportFlags): Promise<void> {
  const text = `${JSON.stringify(eventsFileSchema(), undefined, 2)}\n`;
  if (out === undefined) return print(text.trimEnd());
  await writePassedOn(out, text, configOf(flags).umask).catch(isThere(out));
  print(`${visible(out)} is written. Name it in a kit.events.json: "$schema": "./${visible(basename(out))}"`);
}

async function exportFile(game: string, { out, ...flags }: ExportFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const file = await client.call(exportEventsFile, { query: { game } });
  if (out === undefined) return printJson(file);
  await writePassedOn(out, textOf(file), configOf(flags).umask).catch(isThere(out));
  const count = Object.keys(file.events).length;
  if (flags.json) printJson({ file: out, events: count });
  else print(`${visible(out)} is written: ${count} event ids of ${visible(game)}.`);
}

async function readEventsFile(path: string): Promise<EventsFile> {
  const { size } = await stat(path);
  if (size > bodyBytesMax) throw new BadSetting(`${path} has ${size} bytes; at most ${bodyBytesMax} are taken.`);
  const text = await readFile(path, "utf8");
  try {
    return JSON.parse(text.replace(/^\ufeff/, "")) as EventsFile;
  } catch (error) {
    throw new BadSetting(`${path} is not JSON: ${(error as Error).message}`);
  }
}

function printChanges(changes: readonly EventsFileChange[]): void {
  printTable(
    ["event id", "what", "now", "in the file"],
    changes.map(({ eventId, what, from, to }) => [eventId ?? "(the game)", what, from || "-", to || "-"]),
  );
}

/** Each place on a line of its own. */
function printRefusal(path: string, error: unknown): never | undefined {
  if (!(error instanceof KitError) || error.errors.length === 0) throw error;
  printError(`${visible(path)} was not taken over, and nothing was changed:`);
  for (const problem of error.errors)
    printError(`  ${visible(problem.path || "(the file)")} ${visible(problem.message)}`);
  process.exitCode = exitCodes.refused;
}

/** What was there is kept in a new file; without a place for that nothing is imported. */
async function importWithUndo(undo: string, run: () => Promise<Imported | undefined>) {
  const kept = await open(undo, "wx").catch(isThere(undo));
  let isNeeded = false;
  try {
    const done = await run();
    isNeeded = done !== undefined && done.changes.length > 0;
    if (done !== undefined && isNeeded) await kept.writeFile(textOf(done.before));
    return done;
  } finally {
    await kept.close();
    if (!isNeeded) await rm(undo);
  }
}

async function importFile(
  path: string,
  { dryRun = false, replace = false, undo, ...flags }: ImportFlags,
): Promise<void> {
  const body = await readEventsFile(path);
  const { client } = await connect(configOf(flags));
  const run = () =>
    client.call(importEventsFile, { query: { dryRun, replace }, body }).catch((error) => printRefusal(path, error));
  const done = undo === undefined || dryRun ? await run() : await importWithUndo(undo, run);
  if (done === undefined) return;
  const { changes } = done;
  if (flags.json) return printJson({ dryRun, ...done });
  if (changes.length === 0) return print("Nothing to change: all of it is set so already.");
  printChanges(changes);
  print("");
  const count = changes.length === 1 ? "1 change" : `${changes.length} changes`;
  if (dryRun) return print(`Nothing was changed. Without --dry-run: ${count}.`);
  print(`Done: ${count}.`);
  if (undo !== undefined) print(`Undo: kit rules import ${visible(undo)} --replace`);
}

export function rulesCommand(): Command {
  const exporting = command("export", "What is set for a game's event ids, as the kit.events.json a developer ships")
    .argument("<game>", "prefix of its event ids")
    .option("--out <file>", "the file to write (default: print it)")
    .action(exportFile);
  const importing = command("import", "Take a game's kit.events.json over, all of it or nothing; it sends nothing")
    .argument("<file>")
    .option("--dry-run", "say what would change, and change nothing")
    .option("--replace", "what the file leaves out of an event id it names is set to the default")
    .option("--undo <file>", "write what was there to this file; importing it with --replace undoes the import")
    .action(importFile);
  const schema = command("schema", "The JSON Schema of a kit.events.json, for editors that complete and check it")
    .option("--out <file>", "the file to write (default: print it)")
    .action(writeSchema);
  return command("rules", "List the known event ids: what each makes, what it is called, and which look mistyped")
    .option("--game <game>", "only this game's")
    .action(list)
    .addCommand(exporting)
    .addCommand(importing)
    .addCommand(schema);
}
