// Checks that the sound of one program is recorded without that of another, with the parts that the recorder uses.
import { PassThrough } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { hasCode, textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { SoundFeed } from "../../recording/capture/sound/feed.ts";
import { sampleRate } from "../../recording/capture/sound/mixer.ts";
import { SoundChooser } from "../../recording/capture/sound/sound-chooser.ts";
import { followSystemSound, trackNames } from "../../recording/capture/sound/tracks.ts";
import {
  type Bench,
  failed,
  impossible,
  lacksFfi,
  needsNewerNode,
  type Outcome,
  passed,
  reportIt,
  rounded,
} from "../check.ts";
import { analysedRate, connectOutput, playTone, secondsWithTone, toneHertz, unmute } from "../tone.ts";

/** The tone of the other program. */
const otherHertz = 1_800;
/** Longer than the search and the recording take. */
const playedSeconds = 16;
const foundWithinMs = 6_000;
const recordedMs = { least: 2_500, most: 8_000 };
const pollMs = 100;
const ownSecondsMin = 1;
/** One piece of the analysis. */
const otherSecondsMax = 0.05;
/** A tone that is a twentieth of the power is heard. */
const heardShare = 0.05;

/** Returns one channel at the rate of the analysis, from two channels of 16 bits. */
function forAnalysis(recorded: Buffer): Float32Array {
  const step = sampleRate / analysedRate;
  const count = Math.floor(recorded.length / 4 / step);
  return Float32Array.from({ length: count }, (_, piece) => {
    let sum = 0;
    for (let at = 0; at < step; at += 1) sum += recorded.readInt16LE((piece * step + at) * 4);
    return sum / step / 32_768;
  });
}

/** Records the chosen tracks, mixed as for a capture, until the tone is found, or for some seconds. */
async function recordTracks(chooser: SoundChooser, feed: SoundFeed, signal: AbortSignal): Promise<Float32Array> {
  feed.want(chooser.tracks());
  const session = feed.open();
  const parts: Buffer[] = [];
  const pipes = trackNames.map(() => new PassThrough());
  for (const [index, pipe] of pipes.entries())
    pipe.on("data", (part: Buffer) => index === trackNames.indexOf("sound") && parts.push(part));
  session.connect(pipes);
  const beganMs = performance.now();
  const recorded = () => forAnalysis(Buffer.concat(parts));
  const isOver = (elapsedMs: number) =>
    signal.aborted ||
    elapsedMs > recordedMs.most ||
    (elapsedMs > recordedMs.least && secondsWithTone(recorded()) >= ownSecondsMin);
  while (!isOver(performance.now() - beganMs)) await pause(pollMs);
  session.close();
  return recorded();
}

const clock = {
  wallMs: Date.now,
  monoMs: () => performance.now(),
  after(ms: number, callback: () => void) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

const noSingleProgram = impossible(
  process.platform === "win32"
    ? textOf(message("sound.no_own_program"))
    : "Kit cannot record the sound of a single program on macOS.",
);

export async function checkOwnSound({ folder, signal, processesOf }: Bench): Promise<Outcome> {
  const follow = followSystemSound();
  if (follow === undefined) return noSingleProgram;
  if (lacksFfi) return needsNewerNode;
  const own = playTone({ seconds: playedSeconds, folder });
  const other = playTone({ seconds: playedSeconds, folder, hertz: otherHertz });
  const feed = new SoundFeed({ clock });
  const chooser: SoundChooser = new SoundChooser({
    settings: () => ({ sound: "game", microphone: false }),
    game: () => own.pid,
    processesOf,
    follow,
    onChanged: () => feed.want(chooser.tracks()),
  });
  const isOfOne = () => chooser.tracks().sound.some((stream) => stream.startsWith("stream:"));
  const isOfAll = () => chooser.tracks().sound.length > 0 && !isOfOne();
  try {
    let unplayed: string | undefined;
    void Promise.any([own.ended, other.ended]).then((why) => {
      unplayed = why;
    });
    chooser.start();
    const deadlineMs = performance.now() + foundWithinMs;
    const isOver = () => isOfOne() || isOfAll() || unplayed !== undefined || signal.aborted;
    while (!isOver() && performance.now() < deadlineMs) await pause(pollMs);
    if (unplayed !== undefined) return impossible(`The tone could not be played: ${unplayed}`);
    const says = chooser.says();
    if (!isOfOne() && says.some((each) => hasCode(each, "sound.game_silent")))
      return failed("The system did not say which program plays the tone.", reportIt);
    if (!isOfOne())
      return impossible(says.map(textOf).join(" ") || `There is no output for sound here. ${connectOutput}`);
    const recorded = await recordTracks(chooser, feed, signal);
    const ownSeconds = secondsWithTone(recorded);
    const otherSeconds = secondsWithTone(recorded, { hertz: otherHertz, shareMin: heardShare });
    const figures = {
      ownHertz: toneHertz,
      secondsWithOwnTone: rounded(ownSeconds),
      secondsWithOther: rounded(otherSeconds),
    };
    if (ownSeconds < ownSecondsMin)
      return failed("The tone of the program is not in what was recorded of it.", unmute, figures);
    if (otherSeconds > otherSecondsMax)
      return failed("The sound of another program was recorded, too.", reportIt, figures);
    return passed(figures);
  } finally {
    chooser.stop();
    own.stop();
    other.stop();
  }
}
