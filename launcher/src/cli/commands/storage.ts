// `kit storage`: shows disk usage by category and by game.
import { type DiskUsage, getDiskUsage } from "@kit/contract";
import { answer, command } from "../command.ts";
import { escapeInvisible, formatBytes, print, printTable, withStyle } from "../output.ts";

function printUsage({ bytes, disk, quotaBytes, lowDisk, games, dataDir, clipsDir }: DiskUsage): void {
  printTable(
    ["CATEGORY", "SIZE"],
    [
      ["clips", `${formatBytes(bytes.clips)} of a quota of ${formatBytes(quotaBytes)}`],
      ["trash", formatBytes(bytes.bin)],
      ["copies", `${formatBytes(bytes.copies)} (recreated when needed)`],
      ["database", formatBytes(bytes.database)],
      ["backups", formatBytes(bytes.backups)],
      ["previous data", formatBytes(bytes.aside)],
      ["disk", `${formatBytes(disk.freeBytes)} of ${formatBytes(disk.totalBytes)} free`],
    ],
  );
  if (lowDisk)
    print(
      withStyle("yellow", "The disk is almost full, so no clips are saved. Free up space, or lower the clip quota."),
    );
  print("");
  const rows = games.map(({ game, events, clips, clipBytes, issues, posts, sessions }) => [
    game ?? "unsorted",
    ...[events, clips].map(String),
    formatBytes(clipBytes),
    ...[issues, posts, sessions].map(String),
  ]);
  if (rows.length === 0) print("No data of any game yet.");
  else printTable(["GAME", "EVENTS", "CLIPS", "SIZE", "ISSUES", "POSTS", "SESSIONS"], rows);
  print(withStyle("dim", `Data: ${escapeInvisible(dataDir)}   Clips: ${escapeInvisible(clipsDir)}`));
}

export const storageCommand = command("storage", "Show disk usage by category and by game", {
  group: "storage",
  run: async ({ client }) => answer(await client.call(getDiskUsage), printUsage),
});
