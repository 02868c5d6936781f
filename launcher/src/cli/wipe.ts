// `kit wipe`: deletes all data of a game, or resets Kit.
import { listAside, listBackups, type StoredAmounts, undoWipe, type Wipe, wipeAll, wipeGame } from "@kit/contract";
import type { Command } from "commander";
import { InvalidSetting } from "../config.ts";
import { confirm } from "./confirm.ts";
import { type Connection, connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson } from "./output.ts";
import { reportReopened } from "./restore.ts";
import { formatBytes } from "./units.ts";

const countText = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** Describes a game's stored data in words. */
function amountsText(holdings: StoredAmounts): string {
  const { events, clips, clipBytes, pinned, issues, posts, sessions } = holdings;
  const clipText = pinned === 0 ? formatBytes(clipBytes) : `${formatBytes(clipBytes)}, ${pinned} of them pinned`;
  return [
    countText(events, "event"),
    `${countText(clips, "clip")} (${clipText})`,
    countText(issues, "issue"),
    countText(posts, "post"),
    countText(sessions, "session"),
  ].join(", ");
}

type WipeFlags = CommonFlags & { dryRun?: true; all?: true; yes?: boolean };

/** Warns about backups and previous data, which a wipe does not change. */
async function remainingCopiesText({ client }: Connection): Promise<string[]> {
  const [{ backups }, { aside }] = await Promise.all([client.call(listBackups), client.call(listAside)]);
  const own = backups.filter(({ by }) => by === "person").length;
  return own + aside.length === 0
    ? []
    : [
        `${countText(own, "backup")} you made and ${countText(aside.length, "set")} of previous data may still contain it. \`kit backup\` lists them.`,
      ];
}

async function wipeOne(game: string, { dryRun, yes = false, ...flags }: WipeFlags): Promise<void> {
  const connection = await connect(configFromFlags(flags));
  const { client } = connection;
  const preview = await client.call(wipeGame, { body: { game, dryRun: true } });
  if (dryRun) {
    if (flags.json) return printJson(preview);
    print(`${escapeInvisible(game)} has ${amountsText(preview.holdings)}.`);
    return print("Nothing was changed.");
  }
  await confirm(
    [
      `This permanently deletes all data of ${escapeInvisible(game)}: ${amountsText(preview.holdings)}, and its rules. Kit also replaces its automatic backups with a new one.`,
      ...(await remainingCopiesText(connection)),
    ],
    yes,
  );
  printPlanned(await client.call(wipeGame, { body: { game } }), flags.json === true);
}

function printPlanned(wipe: Wipe, json: boolean): void {
  if (json) return printJson(wipe);
  const seconds = Math.max(0, Math.round((Date.parse(wipe.dueAt) - Date.now()) / 1_000));
  print(
    `The wipe starts in ${seconds} s and restarts the launcher. Cancel until then: kit wipe undo ${escapeInvisible(wipe.game)}`,
  );
}

async function wipeEverything({ yes = false, ...flags }: WipeFlags): Promise<void> {
  const config = configFromFlags(flags);
  const { client } = await connect(config);
  await confirm(
    [
      "This resets everything except credentials and sign-ins: events, clips, issues, posts, rules, settings and backups.",
      "The current data is kept as previous data, which `kit restore` can restore. The launcher restarts.",
    ],
    yes,
  );
  const previous = await client.call(wipeAll, { body: { confirm: "wipe all" } });
  await reportReopened(config, previous, flags.json === true, "Kit was reset.");
}

async function wipe(game: string | undefined, flags: WipeFlags): Promise<void> {
  if ((game === undefined) === (flags.all === undefined)) throw new InvalidSetting("Name a game, or use --all.");
  if (game === undefined) {
    if (flags.dryRun) throw new InvalidSetting("--dry-run works only for one game. `kit storage` shows all data.");
    return wipeEverything(flags);
  }
  return wipeOne(game, flags);
}

async function undo(game: string, flags: CommonFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  await client.call(undoWipe, { query: { game } });
  if (flags.json) printJson({ undone: game });
  else print(`${escapeInvisible(game)} will not be wiped.`);
}

export function wipeCommand(): Command {
  return command("wipe", "Delete all data of a game, or reset Kit")
    .helpGroup(helpGroups.storage)
    .argument("[game]", "the game; `unsorted` for data without a game")
    .option("--dry-run", "show what would be deleted, without deleting it")
    .option("--all", "reset Kit; the current data is kept as previous data")
    .option("--yes", "do not ask for confirmation")
    .action(wipe)
    .addCommand(command("undo", "Cancel the wipe of a game").argument("<game>", "the game").action(undo));
}
