// The options every command takes.
import { Command, Option } from "commander";
import { type Config, readConfig } from "../config.ts";

export type CommonFlags = { dataDir?: string; port?: string; json?: boolean };
type Placed = CommonFlags & { clipsDir?: string };

/** A command with `--data-dir`, `--port`, `--json` and `--help`. */
export function command(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(
      new Option("--data-dir <dir>", "where Kit keeps its files (default: the platform's place for user data)"),
    )
    .addOption(new Option("--port <n>", "port of the launcher (default: the running one's, else 9876)"))
    .addOption(new Option("--json", "print JSON"));
}

export const configOf = (flags: Placed): Config =>
  readConfig({
    ...(flags.port === undefined ? {} : { port: flags.port }),
    ...(flags.dataDir === undefined ? {} : { dataDir: flags.dataDir }),
    ...(flags.clipsDir === undefined ? {} : { clipsDir: flags.clipsDir }),
  });

export const kindOption = () =>
  new Option("--kind <kind>", "only this kind of event").choices(["recording", "monitor", "social"]);
