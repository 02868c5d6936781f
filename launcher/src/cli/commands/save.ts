// `kit save` and `kit mark`: save the last seconds, or set a marker, without an event. A shortcut of the system can run them.

import { type Clip, markMoment, savedSeconds, saveRecording } from "@kit/contract";
import { type Config, kitCommandInWords } from "../../config.ts";
import { answer, command, parameter } from "../command.ts";
import { escapeInvisible, formatDuration, print, say } from "../output.ts";

function printSaved({ id, kind, state, reason, title, duration, path }: Clip, config: Config): void {
  if (state === "saved") print(`Saved ${formatDuration(duration)}: ${escapeInvisible(path ?? title)}`);
  else if (kind === "marker") print(`Set a marker: ${escapeInvisible(title)}`);
  else print(`Not saved yet: ${escapeInvisible(title)}`);
  if (reason !== undefined) print(escapeInvisible(say(reason)));
  print(kitCommandInWords(config, `clip ${id}`));
}

export const saveCommand = command("save", "Save the last seconds of the running game as a clip", {
  group: "players",
  parameters: [parameter("[seconds]", `how many seconds (default: ${savedSeconds.default})`)],
  async run({ client, config }, given) {
    const body = given === undefined ? {} : { seconds: Number(given) };
    return answer(await client.call(saveRecording, { body }), (clip) => printSaved(clip, config));
  },
});

export const markCommand = command("mark", "Set a marker at this moment of the running game", {
  group: "players",
  run: async ({ client, config }) => answer(await client.call(markMoment), (clip) => printSaved(clip, config)),
});
