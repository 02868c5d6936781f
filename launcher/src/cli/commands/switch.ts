// `kit switch on|off`: switches a service, a game or an event id on or off.
import { changeEventIdRule, registerGame, switchServices } from "@kit/contract";
import { InvalidSetting } from "../../config.ts";
import { answer, command, kindFlag, parameter, textFlag } from "../command.ts";
import { escapeInvisible } from "../output.ts";

export const switchCommand = command(
  "switch",
  "Switch a service, a game or an event id on or off; events of what is off are stored but ignored",
  {
    group: "permissions",
    parameters: [parameter("<state>", "", ["on", "off"])],
    flags: {
      kind: kindFlag(),
      game: textFlag("--game <game>", "events of this game (of all kinds, unless --kind is given)"),
      event: textFlag("--event <id>", "this event id (needs --kind)"),
    },
    async run({ client, flags: { kind, game, event } }, state) {
      const on = state === "on";
      if (event !== undefined) {
        if (kind === undefined) throw new InvalidSetting("--event needs --kind recording or --kind social.");
        const rule = await client.call(changeEventIdRule, { body: { kind, eventId: event, enabled: on } });
        return answer(rule, `${escapeInvisible(event)} is ${state}.`);
      }
      const switches = kind === undefined ? { recording: on, monitor: on, social: on } : { [kind]: on };
      if (game !== undefined) {
        const changed = await client.call(registerGame, { body: { game, switches } });
        return answer(changed, `${escapeInvisible(game)}: ${kind ?? "everything"} is ${state}.`);
      }
      if (kind === undefined)
        throw new InvalidSetting(
          "Name what to switch: --kind for a service, --game for a game, --event for an event id.",
        );
      return answer(await client.call(switchServices, { body: switches }), `${kind} is ${state} for every game.`);
    },
  },
);
