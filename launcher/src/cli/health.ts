// `kit health`: what the launcher says of itself.
import type { Command } from "commander";
import { connect } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson } from "./output.ts";
import { visible } from "./visible.ts";

export function healthCommand(): Command {
  return command("health", "Ask the running launcher how it is").action(async (flags: CommonFlags) => {
    const { health, baseUrl } = await connect(configOf(flags));
    const { proof: _, ...shown } = health;
    if (flags.json) return printJson(shown);
    print(`Kit ${visible(shown.version)} on ${baseUrl}`);
    print(
      `storage: ${shown.storage.state}${shown.storage.detail === undefined ? "" : `: ${visible(shown.storage.detail)}`}`,
    );
    for (const notice of shown.storage.notices) print(`notice: ${visible(notice)}`);
    print(`can: ${shown.capabilities.map(visible).join(", ")}`);
    print(
      `dropped: ${shown.dropped.evicted} connections evicted, ${shown.dropped.refusals} refusals no longer shown, ${shown.dropped.events} oldest events removed`,
    );
  });
}
