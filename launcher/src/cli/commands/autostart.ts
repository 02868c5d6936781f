// `kit autostart`: shows or sets whether the system starts Kit when the user signs in.

import { type Autostart, getAutostart, setAutostart } from "@kit/contract";
import { answer, command, parameter } from "../command.ts";
import { escapeInvisible, print, say } from "../output.ts";

const quoteWord = (word: string) => (/\s/u.test(word) ? `"${escapeInvisible(word)}"` : escapeInvisible(word));

function printAutostart({ on, can, place, command: started, detail }: Autostart): void {
  print(`${on ? "on" : "off"}: ${escapeInvisible(say(detail))}`);
  if (!on && !can) return;
  if (place !== null) print(`${on ? "written" : "would be written"} to ${escapeInvisible(place)}`);
  print(`starts ${started.map(quoteWord).join(" ")}`);
}

export const autostartCommand = command("autostart", "Show or set whether Kit starts when you sign in", {
  group: "everyday",
  parameters: [parameter("[state]", "on or off (default: show the current state)", ["on", "off"])],
  async run({ client }, state) {
    const report =
      state === undefined
        ? await client.call(getAutostart)
        : await client.call(setAutostart, { body: { on: state === "on" } });
    return answer(report, printAutostart);
  },
});
