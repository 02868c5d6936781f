// `kit desktop`: shows or sets whether Kit is in the menu of the desktop.

import { type DesktopEntry, getDesktopEntry, setDesktopEntry } from "@kit/contract";
import { answer, command, parameter } from "../command.ts";
import { escapeInvisible, print, say } from "../output.ts";

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
