// `kit autostart` and `kit desktop`: show or set whether the system starts Kit when the user signs in, and has it in its menu.

import {
  type Autostart,
  type DesktopEntry,
  getAutostart,
  getDesktopEntry,
  setAutostart,
  setDesktopEntry,
} from "@kit/contract";
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

function printEntry({ on, can, place, detail }: DesktopEntry): void {
  print(`${on ? "on" : "off"}: ${escapeInvisible(say(detail))}`);
  if ((on || can) && place !== null) print(`${on ? "written" : "would be written"} to ${escapeInvisible(place)}`);
}

export const desktopCommand = command("desktop", "Show or set whether Kit is in the menu of your desktop", {
  group: "everyday",
  parameters: [parameter("[state]", "on or off (default: show the current state)", ["on", "off"])],
  async run({ client }, state) {
    const report =
      state === undefined
        ? await client.call(getDesktopEntry)
        : await client.call(setDesktopEntry, { body: { on: state === "on" } });
    return answer(report, printEntry);
  },
});
