// `kit rules`: exports or imports a game's kit.events.json.
import { readFile, stat } from "node:fs/promises";
import {
  bodyBytesMax,
  type EventsFile,
  type EventsFileChange,
  exportEventsFile,
  importEventsFile,
  KitError,
} from "@kit/contract";
import { InvalidSetting } from "../../config.ts";
import { answer, command, confirmedFlag, parameter, textFlag, toggleFlag } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { writeNewFile } from "../new-file.ts";
import { countWithNoun, escapeInvisible, printError, printJson, printTable } from "../output.ts";
import { askConfirmation } from "../prompt.ts";
import { setExitCode } from "../terminal.ts";

const formatFile = (file: object) => `${JSON.stringify(file, undefined, 2)}\n`;
const exporting = command("export", "Export a game's rules as the kit.events.json that developers ship", {
  parameters: [parameter("<game>", "the prefix of its event ids")],
  flags: { out: textFlag("--out <file>", "the file to write (default: print to standard output)") },
  async run({ client, config, flags: { out } }, game) {
    const file = await client.call(exportEventsFile, { query: { game } });
    if (out === undefined) return answer(file, printJson);
    await writeNewFile(out, formatFile(file), { advice: "name another file", umask: config.umask });
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

const importing = command("import", "Import a game's kit.events.json: shows the changes, then asks", {
  parameters: [parameter("<file>")],
  flags: {
    replace: toggleFlag("--replace", "reset settings that the file omits for its event ids to the defaults"),
    yes: confirmedFlag(),
  },
  async run({ client, connect, json, flags: { replace = false, yes } }, path) {
    const body = await readEventsFile(path);
    await connect();
    const call = (dryRun: boolean) =>
      client.call(importEventsFile, { query: { dryRun, replace }, body }).catch((error) => printRefusal(path, error));
    const planned = await call(true);
    if (planned === undefined) return undefined;
    if (planned.changes.length === 0)
      return answer(planned, "Nothing to change: all rules in the file are already set.");
    if (!json) printChanges(planned.changes);
    const count = countWithNoun(planned.changes.length, "change");
    await askConfirmation([`${count} will be made.`], yes);
    const done = await call(false);
    return done && answer(done, `Done: ${count}.`);
  },
});

export const rulesCommand = command("rules", "Export or import a game's rules as a kit.events.json", {
  subcommands: [exporting, importing],
});
