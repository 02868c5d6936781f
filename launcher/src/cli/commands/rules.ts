// `kit rules`: lists event ids with their rules, and exports or imports a game's kit.events.json.
import { open, readFile, rm, stat } from "node:fs/promises";
import { basename } from "node:path";
import {
  bodyBytesMax,
  type EventsFile,
  type EventsFileChange,
  eventsFileSchema,
  exportEventsFile,
  formatCount,
  importEventsFile,
  KitError,
  listGames,
  listRecordingRules,
  type RecordingRule,
  type ReplyOf,
} from "@kit/contract";
import { InvalidSetting } from "../../config.ts";
import { answer, command, parameter, textFlag, toggleFlag } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { explainExistingFile, writeNewFile } from "../new-file.ts";
import {
  countWithNoun,
  escapeInvisible,
  formatLocalTime,
  kit,
  print,
  printError,
  printJson,
  printTable,
} from "../output.ts";
import { setExitCode } from "../terminal.ts";

type Imported = ReplyOf<typeof importEventsFile>;

function actionText(rule: RecordingRule | null): string {
  if (rule === null) return "post, if a post rule matches";
  const { action, preSeconds, postSeconds } = rule;
  return action === "clip" ? `clip of ${preSeconds} + ${postSeconds} s` : action;
}

const otherName = "name another file";
const formatFile = (file: object) => `${JSON.stringify(file, undefined, 2)}\n`;
const outFlag = textFlag("--out <file>", "the file to write (default: print to standard output)");

const schema = command("schema", "Print the JSON Schema of kit.events.json, for validation and completion in editors", {
  flags: { out: outFlag },
  async run({ config, flags: { out } }) {
    const content = formatFile(eventsFileSchema());
    if (out === undefined) print(content.trimEnd());
    else {
      await writeNewFile(out, content, { advice: otherName, umask: config.umask });
      const reference = `"$schema": "./${escapeInvisible(basename(out))}"`;
      print(`${escapeInvisible(out)} was written. Refer to it in a kit.events.json: ${reference}`);
    }
  },
});

const exporting = command("export", "Export a game's rules as the kit.events.json that developers ship", {
  parameters: [parameter("<game>", "the prefix of its event ids")],
  flags: { out: outFlag },
  async run({ client, config, flags: { out } }, game) {
    const file = await client.call(exportEventsFile, { query: { game } });
    if (out === undefined) return answer(file, printJson);
    await writeNewFile(out, formatFile(file), { advice: otherName, umask: config.umask });
    const events = Object.keys(file.events).length;
    const sentence = `${escapeInvisible(out)} was written with ${events} event ids of ${escapeInvisible(game)}.`;
    return answer({ file: out, events }, sentence);
  },
});

async function readEventsFile(path: string): Promise<EventsFile> {
  const { size } = await stat(path);
  if (size > bodyBytesMax) throw new InvalidSetting(`${path} has ${size} bytes. The maximum is ${bodyBytesMax}.`);
  const content = await readFile(path, "utf8");
  try {
    return JSON.parse(content.replace(/^\ufeff/, "")) as EventsFile;
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

/** Prints why the file was refused: each invalid place on a line. Throws other errors again. */
function printRefusal(path: string, error: unknown): undefined {
  if (!(error instanceof KitError) || error.errors.length === 0) throw error;
  printError(`${escapeInvisible(path)} was not imported, and nothing was changed:`);
  for (const problem of error.errors)
    printError(`  ${escapeInvisible(problem.path || "(the file)")} ${escapeInvisible(problem.message)}`);
  setExitCode(exitCodes.refused);
}

/** Saves the current rules to a new file, then imports the others. If that file cannot be created, imports nothing. */
async function importWithUndo(undo: string, run: () => Promise<Imported | undefined>) {
  const undoFile = await open(undo, "wx").catch(explainExistingFile(undo, otherName));
  let isNeeded = false;
  try {
    const result = await run();
    isNeeded = result !== undefined && result.changes.length > 0;
    if (result !== undefined && isNeeded) await undoFile.writeFile(formatFile(result.before));
    return result;
  } finally {
    await undoFile.close();
    if (!isNeeded) await rm(undo);
  }
}

const importing = command("import", "Import a game's kit.events.json, completely or not at all", {
  parameters: [parameter("<file>")],
  flags: {
    dryRun: toggleFlag("--dry-run", "show the changes without making them"),
    replace: toggleFlag("--replace", "reset settings that the file omits for its event ids to the defaults"),
    undo: textFlag(
      "--undo <file>",
      "save the current rules to this file; importing it with --replace undoes the import",
    ),
  },
  async run({ client, connect, flags: { dryRun = false, replace = false, undo } }, path) {
    const body = await readEventsFile(path);
    await connect();
    const run = () =>
      client.call(importEventsFile, { query: { dryRun, replace }, body }).catch((error) => printRefusal(path, error));
    const done = undo === undefined || dryRun ? await run() : await importWithUndo(undo, run);
    if (done === undefined) return undefined;
    return answer({ dryRun, ...done }, ({ changes }) => {
      if (changes.length === 0) return print("Nothing to change: all rules in the file are already set.");
      printChanges(changes);
      print("");
      const count = countWithNoun(changes.length, "change");
      if (dryRun) return print(`Nothing was changed. Without --dry-run: ${count}.`);
      print(`Done: ${count}.`);
      if (undo !== undefined) print(`Undo: ${kit(`rules import ${escapeInvisible(undo)} --replace`)}`);
    });
  },
});

export const rulesCommand = command(
  "rules",
  "List the known event ids with their rules and labels; export or import a game's rules",
  {
    group: "developers",
    subcommands: [exporting, importing, schema],
    flags: { game: textFlag("--game <game>", "only event ids of this game") },
    async run({ client, flags }) {
      const [{ rules }, recording] = await Promise.all([client.call(listGames), client.call(listRecordingRules)]);
      const ruleOf = new Map(recording.rules.map((rule) => [rule.eventId, rule]));
      const shown = rules
        .filter(({ game }) => flags.game === undefined || game === flags.game)
        .map((rule) => ({ ...rule, recording: rule.kind === "recording" ? (ruleOf.get(rule.eventId) ?? null) : null }));
      return answer({ rules: shown }, () => {
        if (shown.length === 0) return print("No event id is known yet. Ids appear once a game has sent them.");
        printTable(
          ["event id", "kind", "game", "action", "count", "last", "label", "did you mean"],
          shown.map(({ eventId, kind, game, enabled, recording: rule, count, lastSeenAt, label, similarTo }) => [
            eventId,
            kind,
            game ?? "unsorted",
            enabled ? actionText(rule) : "none (switched off)",
            formatCount(count),
            lastSeenAt === null ? "never" : formatLocalTime(lastSeenAt),
            label ?? "",
            similarTo ?? "",
          ]),
        );
      });
    },
  },
);
