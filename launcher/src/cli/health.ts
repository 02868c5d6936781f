// `kit health`: prints the status of the running launcher.
import type { Command } from "commander";
import { connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson } from "./output.ts";

export function healthCommand(): Command {
  return command("health", "Show the status of the running launcher")
    .helpGroup(helpGroups.about)
    .action(async (flags: CommonFlags) => {
      const { health, baseUrl } = await connect(configFromFlags(flags));
      const { proof: _, ...shown } = health;
      if (flags.json) return printJson(shown);
      print(`Kit ${escapeInvisible(shown.version)} on ${baseUrl}`);
      print(
        `storage: ${shown.storage.state}${shown.storage.detail === undefined ? "" : `: ${escapeInvisible(shown.storage.detail)}`}`,
      );
      for (const notice of shown.storage.notices) print(`notice: ${escapeInvisible(notice)}`);
      print(`capabilities: ${shown.capabilities.map(escapeInvisible).join(", ")}`);
      print(
        `dropped: ${shown.dropped.evicted} connections evicted, ${shown.dropped.refusals} refusals no longer shown, ${shown.dropped.events} oldest events removed`,
      );
    });
}
