// `kit autostart`: whether the system starts Kit when a person signs in, on and off.
import { type Autostart, getAutostart, setAutostart } from "@kit/contract";
import { Argument, type Command } from "commander";
import { connect } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson } from "./output.ts";
import { visible } from "./visible.ts";

function show({ on, can, place, command: started, detail }: Autostart): void {
  print(`${on ? "on" : "off"}: ${visible(detail)}`);
  if (place !== null && (on || can)) print(`${on ? "written" : "would be written"} to ${visible(place)}`);
  if (on || can)
    print(`starts ${started.map((word) => (/\s/u.test(word) ? `"${visible(word)}"` : visible(word))).join(" ")}`);
}

export function autostartCommand(): Command {
  return command("autostart", "Say whether Kit starts with the system, or switch that on or off")
    .addArgument(new Argument("[state]", "on or off; left out: say what is").choices(["on", "off"]))
    .action(async (state: "on" | "off" | undefined, flags: CommonFlags) => {
      const { client } = await connect(configOf(flags));
      const report =
        state === undefined
          ? await client.call(getAutostart)
          : await client.call(setAutostart, { body: { on: state === "on" } });
      if (flags.json) printJson(report);
      else show(report);
    });
}
