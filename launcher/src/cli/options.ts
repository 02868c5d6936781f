// The options that all commands share.
import { Command, Option } from "commander";
import { type Config, readConfig } from "../config.ts";

export type CommonFlags = { dataDir?: string; port?: string; json?: boolean };
type ConfigFlags = CommonFlags & { clipsDir?: string };

/** Headings of `kit --help`, in this order. */
export const helpGroups = {
  everyday: "Every day:",
  players: "For players and streamers:",
  developers: "For game developers:",
  teams: "For teams:",
  permissions: "Games, switches and permissions:",
  storage: "Data and backups:",
  about: "About Kit:",
} as const;

/** Creates a command with `--data-dir`, `--port`, `--json` and `--help`. */
export function command(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(
      new Option("--data-dir <dir>", "Kit's data directory (default: the system's folder for application data)"),
    )
    .addOption(new Option("--port <n>", "port of the launcher (default: that of the running launcher, otherwise 9876)"))
    .addOption(new Option("--json", "print JSON"));
}

export const configFromFlags = (flags: ConfigFlags): Config =>
  readConfig({
    ...(flags.port === undefined ? {} : { port: flags.port }),
    ...(flags.dataDir === undefined ? {} : { dataDir: flags.dataDir }),
    ...(flags.clipsDir === undefined ? {} : { clipsDir: flags.clipsDir }),
  });

export const kindOption = () =>
  new Option("--kind <kind>", "only this kind of event").choices(["recording", "monitor", "social"]);
