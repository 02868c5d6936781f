// `kit wipe`: deletes all data of a game, or resets Kit.
import { type Client, type StoredAmounts, undoWipe, type Wipe, wipeAll, wipeGame } from "@kit/contract";
import { InvalidSetting } from "../../config.ts";
import { answer, command, confirmedFlag, parameter, toggleFlag } from "../command.ts";
import { countWithNoun, escapeInvisible, formatBytes, kit } from "../output.ts";
import { askConfirmation } from "../prompt.ts";
import { listBackupsAndPreviousData, reportReplacedData } from "./backup.ts";

/** Says in words how much is stored of a game. */
function amountsText(holdings: StoredAmounts): string {
  const { events, clips, clipBytes, pinned, issues, posts, sessions } = holdings;
  const clipText = pinned === 0 ? formatBytes(clipBytes) : `${formatBytes(clipBytes)}, ${pinned} of them pinned`;
  return [
    countWithNoun(events, "event"),
    `${countWithNoun(clips, "clip")} (${clipText})`,
    countWithNoun(issues, "issue"),
    countWithNoun(posts, "post"),
    countWithNoun(sessions, "session"),
  ].join(", ");
}

/** Returns warnings about backups and previous data, in which the wiped data remains. */
async function remainingCopiesText(client: Client): Promise<string[]> {
  const { backups, aside } = await listBackupsAndPreviousData(client);
  const own = backups.filter(({ by }) => by === "person").length;
  if (own + aside.length === 0) return [];
  const copies = `${countWithNoun(own, "backup")} you made and ${countWithNoun(aside.length, "set")} of previous data`;
  return [`${copies} may still contain it. \`${kit("backup")}\` lists them.`];
}

function plannedText({ game, dueAt }: Wipe): string {
  const seconds = Math.max(0, Math.round((Date.parse(dueAt) - Date.now()) / 1_000));
  const undo = kit(`wipe undo ${escapeInvisible(game)}`);
  return `The wipe starts in ${seconds} s and restarts the launcher. Cancel until then: ${undo}`;
}

const undo = command("undo", "Cancel the wipe of a game", {
  parameters: [parameter("<game>", "the game")],
  async run({ client }, game) {
    await client.call(undoWipe, { query: { game } });
    return answer({ undone: game }, `${escapeInvisible(game)} will not be wiped.`);
  },
});

export const wipeCommand = command("wipe", "Delete all data of a game, or reset Kit", {
  group: "storage",
  subcommands: [undo],
  parameters: [parameter("[game]", "the game; `unsorted` for data without a game")],
  flags: {
    dryRun: toggleFlag("--dry-run", "show what would be deleted, without deleting it"),
    all: toggleFlag("--all", "reset Kit; the current data is kept as previous data"),
    yes: confirmedFlag(),
  },
  async run({ client, connect, config, flags: { dryRun, all, yes } }, game) {
    if ((game === undefined) === (all === undefined)) throw new InvalidSetting("Name a game, or use --all.");
    if (game === undefined) {
      if (dryRun) throw new InvalidSetting("--dry-run works only for one game. `kit storage` shows all data.");
      await connect();
      await askConfirmation(
        [
          "This resets everything except credentials and sign-ins: events, clips, issues, posts, rules, settings and backups.",
          "The current data is kept as previous data, which `kit restore` can restore. The launcher restarts.",
        ],
        yes,
      );
      const previous = await client.call(wipeAll, { body: { confirm: "wipe all" } });
      return reportReplacedData(config, previous, "Kit was reset.");
    }
    const preview = await client.call(wipeGame, { body: { game, dryRun: true } });
    const amounts = amountsText(preview.holdings);
    if (dryRun) return answer(preview, `${escapeInvisible(game)} has ${amounts}.\nNothing was changed.`);
    await askConfirmation(
      [
        `This permanently deletes all data of ${escapeInvisible(game)}: ${amounts}, and its rules. Kit also replaces its automatic backups with a new one.`,
        ...(await remainingCopiesText(client)),
      ],
      yes,
    );
    const planned = await client.call(wipeGame, { body: { game } });
    return answer(planned, plannedText(planned));
  },
});
