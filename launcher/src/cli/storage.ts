// `kit storage`: shows disk usage by category and by game.
import { getUsage } from "@kit/contract";
import type { Command } from "commander";
import { connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson, printTable, styled } from "./output.ts";
import { formatBytes } from "./units.ts";

async function show(flags: CommonFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const usage = await client.call(getUsage);
  if (flags.json) return printJson(usage);
  const { bytes, disk, quotaBytes } = usage;
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
  if (usage.lowDisk)
    print(styled("yellow", "The disk is almost full, so no clips are saved. Free up space, or lower the clip quota."));
  print("");
  const headings = ["GAME", "EVENTS", "CLIPS", "SIZE", "ISSUES", "POSTS", "SESSIONS"];
  const rows = usage.games.map(({ game, events, clips, clipBytes, issues, posts, sessions }) => [
    game ?? "unsorted",
    ...[events, clips].map(String),
    formatBytes(clipBytes),
    ...[issues, posts, sessions].map(String),
  ]);
  if (rows.length === 0) print("No data of any game yet.");
  else printTable(headings, rows);
  print(styled("dim", `Data: ${escapeInvisible(usage.dataDir)}   Clips: ${escapeInvisible(usage.clipsDir)}`));
}

export const storageCommand = (): Command =>
  command("storage", "Show disk usage by category and by game").helpGroup(helpGroups.storage).action(show);
