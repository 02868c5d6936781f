// `kit switch on|off`: a whole service, a game, or one event id.
import { changeRule, type EventKind, registerGame, switchServices } from "@kit/contract";
import { Argument, type Command } from "commander";
import { BadSetting } from "../config.ts";
import { connect } from "./connection.ts";
import { type CommonFlags, command, configOf, kindOption } from "./options.ts";
import { print, printJson } from "./output.ts";
import { visible } from "./visible.ts";

type SwitchFlags = CommonFlags & { kind?: EventKind; game?: string; event?: string };

export function switchCommand(): Command {
  return command("switch", "Switch a service, a game or an event id on or off; what is off is kept but ignored")
    .addArgument(new Argument("<state>").choices(["on", "off"]))
    .addOption(kindOption())
    .option("--game <game>", "this game's events (all kinds, or the one of --kind)")
    .option("--event <id>", "this event id (with --kind)")
    .action(turn);
}

async function turn(state: "on" | "off", flags: SwitchFlags): Promise<void> {
  const { kind, game, event } = flags;
  const on = state === "on";
  const { client } = await connect(configOf(flags));
  if (event !== undefined) {
    if (kind === undefined) throw new BadSetting("--event needs --kind recording or --kind social.");
    const rule = await client.call(changeRule, { body: { kind, eventId: event, enabled: on } });
    return report(flags, rule, `${visible(event)} is ${state}.`);
  }
  const switches = kind === undefined ? { recording: on, monitor: on, social: on } : { [kind]: on };
  if (game !== undefined) {
    const changed = await client.call(registerGame, { body: { game, switches } });
    return report(flags, changed, `${visible(game)}: ${kind ?? "everything"} is ${state}.`);
  }
  if (kind === undefined)
    throw new BadSetting("Say what: --kind for a service, --game for a game, --event for an event id.");
  const services = await client.call(switchServices, { body: switches });
  report(flags, services, `${kind} is ${state} for every game.`);
}

function report(flags: SwitchFlags, value: object, sentence: string): void {
  if (flags.json) printJson(value);
  else print(sentence);
}
