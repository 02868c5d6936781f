// `kit switch on|off`: switches a service, a game or an event id on or off.
import { changeRule, type EventKind, registerGame, switchServices } from "@kit/contract";
import { Argument, type Command } from "commander";
import { InvalidSetting } from "../config.ts";
import { connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { type CommonFlags, command, configFromFlags, helpGroups, kindOption } from "./options.ts";
import { print, printJson } from "./output.ts";

type SwitchFlags = CommonFlags & { kind?: EventKind; game?: string; event?: string };

export function switchCommand(): Command {
  return command(
    "switch",
    "Switch a service, a game or an event id on or off; events of what is off are stored but ignored",
  )
    .helpGroup(helpGroups.permissions)
    .addArgument(new Argument("<state>").choices(["on", "off"]))
    .addOption(kindOption())
    .option("--game <game>", "events of this game (of all kinds, unless --kind is given)")
    .option("--event <id>", "this event id (needs --kind)")
    .action(switchState);
}

async function switchState(state: "on" | "off", flags: SwitchFlags): Promise<void> {
  const { kind, game, event } = flags;
  const on = state === "on";
  const { client } = await connect(configFromFlags(flags));
  if (event !== undefined) {
    if (kind === undefined) throw new InvalidSetting("--event needs --kind recording or --kind social.");
    const rule = await client.call(changeRule, { body: { kind, eventId: event, enabled: on } });
    return report(flags, rule, `${escapeInvisible(event)} is ${state}.`);
  }
  const switches = kind === undefined ? { recording: on, monitor: on, social: on } : { [kind]: on };
  if (game !== undefined) {
    const changed = await client.call(registerGame, { body: { game, switches } });
    return report(flags, changed, `${escapeInvisible(game)}: ${kind ?? "everything"} is ${state}.`);
  }
  if (kind === undefined)
    throw new InvalidSetting("Name what to switch: --kind for a service, --game for a game, --event for an event id.");
  const services = await client.call(switchServices, { body: switches });
  report(flags, services, `${kind} is ${state} for every game.`);
}

function report(flags: SwitchFlags, value: object, sentence: string): void {
  if (flags.json) printJson(value);
  else print(sentence);
}
