// `kit save` and `kit mark`: save the last seconds, or set a marker, without an event. A shortcut of the OS can run them.

import { type Clip, markMoment, savedSeconds, saveRecording } from "@kit/contract";
import { InvalidSetting } from "../../config.ts";
import { answer, command, parameter } from "../command.ts";
import { escapeInvisible, formatDuration, print, say } from "../output.ts";

function printSaved({ kind, state, reason, title, duration, path }: Clip): void {
  if (state === "saved") print(`Saved ${formatDuration(duration)}: ${escapeInvisible(path ?? title)}`);
  else if (kind === "marker") print(`Set a marker: ${escapeInvisible(title)}`);
  else print(`Not saved yet: ${escapeInvisible(title)}`);
  if (reason !== undefined) print(escapeInvisible(say(reason)));
}

export const saveCommand = command("save", "Save the last seconds of the running game as a clip", {
  parameters: [parameter("[seconds]", `how many seconds (default: ${savedSeconds.default})`)],
  async run({ client }, given) {
    if (given !== undefined && !/^\d+$/.test(given))
      throw new InvalidSetting(`${given} is no number of seconds. Write for example: kit save 30`);
    const body = given === undefined ? {} : { seconds: Number(given) };
    return answer(await client.call(saveRecording, { body }), printSaved);
  },
});

export const markCommand = command("mark", "Set a marker at this moment of the running game", {
  run: async ({ client }) => answer(await client.call(markMoment), printSaved),
});
