// `kit storage`: what uses the disk, by kind and by game.
import { getUsage } from "@kit/contract";
import type { Command } from "commander";
import { connect } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson, printTable, styled } from "./output.ts";
import { bytesText } from "./sizes.ts";
import { visible } from "./visible.ts";

async function show(flags: CommonFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const usage = await client.call(getUsage);
  if (flags.json) return printJson(usage);
  const { bytes, disk, quotaBytes } = usage;
  printTable(
    ["WHAT", "HOLDS"],
    [
      ["clips", `${bytesText(bytes.clips)} of ${bytesText(quotaBytes)} they may hold`],
      ["bin", bytesText(bytes.bin)],
      ["copies", `${bytesText(bytes.copies)} (made again when needed)`],
      ["database", bytesText(bytes.database)],
      ["backups", bytesText(bytes.backups)],
      ["set aside", bytesText(bytes.aside)],
      ["disk", `${bytesText(disk.freeBytes)} of ${bytesText(disk.totalBytes)} are free`],
    ],
  );
  if (usage.lowDisk)
    print(styled("yellow", "So little is free that no clip is cut. Free some, or lower what clips may hold."));
  print("");
  const headings = ["GAME", "EVENTS", "CLIPS", "SIZE", "ISSUES", "POSTS", "SESSIONS"];
  const rows = usage.games.map(({ game, events, clips, clipBytes, issues, posts, sessions }) => [
    game ?? "unsorted",
    ...[events, clips].map(String),
    bytesText(clipBytes),
    ...[issues, posts, sessions].map(String),
  ]);
  if (rows.length === 0) print("Nothing of any game is kept yet.");
  else printTable(headings, rows);
  print(styled("dim", `It lies in ${visible(usage.dataDir)}, clips in ${visible(usage.clipsDir)}.`));
}

export const storageCommand = (): Command =>
  command("storage", "Show what uses the disk, by kind and by game").action(show);
