// `kit posts settings`: what holds for all posts.
import { changePostSettings, getPostSettings, type PostSettings } from "@kit/contract";
import type { Command } from "commander";
import { readWhole } from "./arguments.ts";
import { connect } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson } from "./output.ts";

type SettingFlags = CommonFlags & { undo?: number; expire?: number; hourly?: number };

function printSettings({ undoSeconds, expireHours, hourlyMax }: PostSettings): void {
  print(`An approval can be taken back for ${undoSeconds} s.`);
  print(`A draft nobody decides on expires after ${expireHours} h.`);
  print(`In an hour ${hourlyMax} posts are made at most.`);
}

async function act({ undo, expire, hourly, ...flags }: SettingFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const body = {
    ...(undo !== undefined && { undoSeconds: undo }),
    ...(expire !== undefined && { expireHours: expire }),
    ...(hourly !== undefined && { hourlyMax: hourly }),
  };
  const isChange = Object.keys(body).length > 0;
  const settings = isChange ? await client.call(changePostSettings, { body }) : await client.call(getPostSettings);
  if (flags.json) printJson(settings);
  else printSettings(settings);
}

export function postSettingsCommand(): Command {
  return command("settings", "Show or set what holds for all posts")
    .option("--undo <seconds>", "between approving and sending", readWhole(0, 600))
    .option("--expire <hours>", "after which nobody is asked any more", readWhole(1, 720))
    .option("--hourly <n>", "posts made in an hour at most", readWhole(1, 60))
    .action(act);
}
