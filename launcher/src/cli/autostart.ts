// `kit autostart`: shows or sets whether the system starts Kit when the user signs in.
import { type Autostart, getAutostart, setAutostart } from "@kit/contract";
import { Argument, type Command } from "commander";
import { connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson } from "./output.ts";

function show({ on, can, place, command: started, detail }: Autostart): void {
  print(`${on ? "on" : "off"}: ${escapeInvisible(detail)}`);
  if (place !== null && (on || can)) print(`${on ? "written" : "would be written"} to ${escapeInvisible(place)}`);
  if (on || can)
    print(
      `starts ${started.map((word) => (/\s/u.test(word) ? `"${escapeInvisible(word)}"` : escapeInvisible(word))).join(" ")}`,
    );
}

export function autostartCommand(): Command {
  return command("autostart", "Show or set whether Kit starts when you sign in")
    .helpGroup(helpGroups.everyday)
    .addArgument(new Argument("[state]", "on or off (default: show the current state)").choices(["on", "off"]))
    .action(async (state: "on" | "off" | undefined, flags: CommonFlags) => {
      const { client } = await connect(configFromFlags(flags));
      const report =
        state === undefined
          ? await client.call(getAutostart)
          : await client.call(setAutostart, { body: { on: state === "on" } });
      if (flags.json) printJson(report);
      else show(report);
    });
}
