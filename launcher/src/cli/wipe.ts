// `kit wipe`: wipes all that is kept of a game, or begins anew with all.
import { listAside, listBackups, type StoredAmounts, undoWipe, type Wipe, wipeAll, wipeGame } from "@kit/contract";
import type { Command } from "commander";
import { BadSetting } from "../config.ts";
import { confirm } from "./confirm.ts";
import { type Connection, connect } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson } from "./output.ts";
import { sayReopened } from "./restore.ts";
import { bytesText } from "./sizes.ts";
import { visible } from "./visible.ts";

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** What is kept of a game, in words. */
function holdingsText(holdings: StoredAmounts): string {
  const { events, clips, clipBytes, pinned, issues, posts, sessions } = holdings;
  const held = pinned === 0 ? bytesText(clipBytes) : `${bytesText(clipBytes)}, ${pinned} of them pinned`;
  return [
    counted(events, "event"),
    `${counted(clips, "clip")} (${held})`,
    counted(issues, "issue"),
    counted(posts, "post"),
    counted(sessions, "session"),
  ].join(", ");
}

type WipeFlags = CommonFlags & { dryRun?: true; all?: true; yes?: boolean };

/** What a wipe does not reach. */
async function staysText({ client }: Connection): Promise<string[]> {
  const [{ backups }, { aside }] = await Promise.all([client.call(listBackups), client.call(listAside)]);
  const own = backups.filter(({ by }) => by === "person").length;
  return own + aside.length === 0
    ? []
    : [`It may still be in ${own} backups you made and ${aside.length} things set aside: \`kit backup\` lists them.`];
}

async function wipeOne(game: string, { dryRun, yes = false, ...flags }: WipeFlags): Promise<void> {
  const connection = await connect(configOf(flags));
  const { client } = connection;
  const would = await client.call(wipeGame, { body: { game, dryRun: true } });
  if (dryRun) {
    if (flags.json) return printJson(would);
    print(`Of ${visible(game)} there are: ${holdingsText(would.holdings)}.`);
    return print("Nothing was changed.");
  }
  await confirm(
    [
      `Of ${visible(game)} all is wiped for good: ${holdingsText(would.holdings)}; its rules, and Kit's own backups, of which a new one is made.`,
      ...(await staysText(connection)),
    ],
    yes,
  );
  sayPlanned(await client.call(wipeGame, { body: { game } }), flags.json === true);
}

function sayPlanned(wipe: Wipe, json: boolean): void {
  if (json) return printJson(wipe);
  const seconds = Math.max(0, Math.round((Date.parse(wipe.dueAt) - Date.now()) / 1_000));
  print(
    `It begins in ${seconds} s; the launcher opens anew for it. Undo until then: kit wipe undo ${visible(wipe.game)}`,
  );
}

async function wipeEverything({ yes = false, ...flags }: WipeFlags): Promise<void> {
  const config = configOf(flags);
  const { client } = await connect(config);
  await confirm(
    [
      "Everything but entrusted secrets and who may get in is set aside: events, clips, issues, posts, rules, settings, backups.",
      "It can be brought back with `kit restore` until it is deleted. The launcher opens anew.",
    ],
    yes,
  );
  const began = await client.call(wipeAll, { body: { confirm: "wipe all" } });
  await sayReopened(config, began, flags.json === true, "Kit begins anew.");
}

async function wipe(game: string | undefined, flags: WipeFlags): Promise<void> {
  if ((game === undefined) === (flags.all === undefined)) throw new BadSetting("Name a game to wipe, or give --all.");
  if (game === undefined) {
    if (flags.dryRun) throw new BadSetting("--dry-run is for one game; `kit storage` shows all there is.");
    return wipeEverything(flags);
  }
  return wipeOne(game, flags);
}

async function undo(game: string, flags: CommonFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  await client.call(undoWipe, { query: { game } });
  if (flags.json) printJson({ undone: game });
  else print(`${visible(game)} stays as it is.`);
}

export function wipeCommand(): Command {
  return command("wipe", "Wipe all that is kept of a game, or begin anew with all")
    .argument("[game]", "the game; `unsorted` for what belongs to none")
    .option("--dry-run", "say what would go, and let it stay")
    .option("--all", "set everything aside and begin anew")
    .option("--yes", "do not ask")
    .action(wipe)
    .addCommand(command("undo", "Leave a game as it is").argument("<game>", "the game").action(undo));
}
