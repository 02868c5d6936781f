// `kit clips reel ID…`: makes one video of several clips, or of the best clips of a day.

import { setTimeout as pause } from "node:timers/promises";
import { type Client, type Clip, cancelReel, getClip, makeReel, reelPartsMax } from "@kit/contract";
import { InvalidArgumentError } from "commander";
import { InvalidSetting } from "../../config.ts";
import {
  answer,
  type CommandContext,
  command,
  gameFlag,
  integerParser,
  parameter,
  parsedFlag,
  textFlag,
  toggleFlag,
} from "../command.ts";
import { createProgressLine, escapeInvisible, formatBytes, formatDuration, print, printError, say } from "../output.ts";
import { terminal } from "../terminal.ts";

const pollMs = 250;

/** Parses a day in local time, such as `2026-11-25`, `today` or `yesterday`. */
function parseDay(given: string): { from: string; to: string } {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(given) ?? [];
  const now = new Date();
  const back = { today: 0, yesterday: 1 }[given];
  const start =
    back === undefined
      ? new Date(Number(year), Number(month) - 1, Number(day))
      : new Date(now.getFullYear(), now.getMonth(), now.getDate() - back);
  if (Number.isNaN(start.getTime()))
    throw new InvalidArgumentError("Give a day such as 2026-11-25, today or yesterday.");
  const end = new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1);
  return { from: start.toISOString(), to: end.toISOString() };
}

function parseAround(given: string): number {
  const seconds = Number(given);
  if (seconds >= 1 && seconds <= 600) return seconds;
  throw new InvalidArgumentError("Give from 1 to 600 seconds.");
}

const reelFlags = {
  title: textFlag("--title <text>", "the title of the reel"),
  around: parsedFlag("--around <seconds>", "keep only these many seconds of each clip, around its moment", parseAround),
  day: parsedFlag("--day <day>", "the best clips of this day: 2026-11-25, today or yesterday", parseDay),
  best: parsedFlag("--best <n>", "with --day: how many clips (default: 10)", integerParser(1, reelPartsMax)),
  game: gameFlag("clips"),
  fade: toggleFlag("--fade", "fade each part in and out; all parts are encoded again, which takes longer"),
};
type ReelFlags = CommandContext<typeof reelFlags>["flags"];

function requestOf(ids: readonly string[], { title, around, day, best: count, game, fade }: ReelFlags) {
  if ((ids.length === 0) === (day === undefined)) throw new InvalidSetting("Give the ids of clips, or --day.");
  if (day === undefined && (count !== undefined || game !== undefined)) {
    throw new InvalidSetting("--best and --game need --day.");
  }
  return {
    ...(title !== undefined && { title }),
    ...(around !== undefined && { aroundSeconds: around }),
    ...(fade && { fade }),
    ...(day === undefined
      ? { parts: ids.map((clip) => ({ clip })) }
      : { best: { ...day, ...(count !== undefined && { count }), ...(game !== undefined && { game }) } }),
  };
}

/** Waits until the reel is saved. Ctrl-C cancels it. Throws the reason if it fails. */
async function waitForReel(client: Client, requested: Clip, isShown: boolean): Promise<Clip> {
  const params = { id: requested.id };
  const cancel = () => {
    const exit = () => process.exit(130);
    client.call(cancelReel, { params }).then(exit, exit);
  };
  const line = createProgressLine(isShown);
  process.once("SIGINT", cancel);
  try {
    for (let reel = requested; ; reel = await client.call(getClip, { params })) {
      if (reel.state === "failed") throw new Error(say(reel.reason ?? "The reel could not be made."));
      if (reel.state !== "pending") return reel;
      const { share = 0, secondsLeft = null } = reel.progress ?? {};
      const left = secondsLeft === null ? "" : `, ${formatDuration(secondsLeft)} left`;
      line.update(reel.stage === "waiting" ? "waiting for another reel…" : `${Math.round(share * 100)} %${left}`);
      await pause(pollMs);
    }
  } finally {
    process.removeListener("SIGINT", cancel);
    line.end();
  }
}

export const reelCommand = command("reel", "Make one video of several clips, with a chapter for each", {
  parameters: [parameter("[id...]", "the ids of the clips in order, from `kit clips`")],
  flags: reelFlags,
  async run({ client, flags, json }, ids) {
    const requested = await client.call(makeReel, { body: requestOf(ids ?? [], flags) });
    const reel = await waitForReel(client, requested, terminal().stderr.isTTY === true && !json);
    return answer(reel, ({ id, path, bytes, duration, parts = [], notes }) => {
      print(`${id}  ${formatDuration(duration)}  ${formatBytes(bytes)}  ${escapeInvisible(path ?? "")}`);
      for (const { offset, title } of parts) print(`${formatDuration(offset).padStart(6)}  ${escapeInvisible(title)}`);
      for (const note of notes) printError(escapeInvisible(say(note)));
    });
  },
});
