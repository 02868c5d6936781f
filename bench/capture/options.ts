// What a person can ask of `npm run bench -- capture`.
import { parseArgs } from "node:util";

export type CaptureOptions = {
  readonly rounds: number;
  readonly seconds: number;
  /** What the replay buffer holds at most. */
  readonly heldSeconds: number;
  /** What it holds before anything is measured. */
  readonly fillSeconds: number;
  readonly clips: number;
  readonly quick: boolean;
  readonly json: boolean;
};

export const captureHelp = `Measures what recording costs: the launcher recording a game at 720p30 beside the same ffmpeg alone, the game with
and without, and how soon a clip of 17 s is ready, beside a plain copy of it.

  npm run bench -- capture [options]

  --rounds N      rounds, each with every subject in turn (5)
  --seconds S     length of each measurement (20)
  --held S        seconds of footage the replay buffer holds, and is filled with before (30)
  --clips N       clips that are timed (9)
  --quick         one short round: shows that it runs, its figures mean nothing
  --json          print JSON with every single run instead of tables
  --help          this text

Let nothing else run meanwhile: the figures are of the whole machine.`;

const quickValues = { rounds: "1", seconds: "3", held: "20", clips: "1" };

/** Reads the arguments; undefined when help is wanted. Throws with a sentence for a person. */
export function readCaptureOptions(words: readonly string[]): CaptureOptions | undefined {
  const { values } = parseArgs({
    args: [...words],
    options: {
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "20" },
      held: { type: "string", default: "30" },
      clips: { type: "string", default: "9" },
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const { rounds, seconds, held, clips } = values.quick ? { ...values, ...quickValues } : values;
  const bufferSeconds = wholeNumber("--held", held, 20);
  return {
    rounds: wholeNumber("--rounds", rounds, 1),
    seconds: wholeNumber("--seconds", seconds, 1),
    heldSeconds: bufferSeconds,
    fillSeconds: values.quick ? 2 : bufferSeconds - 2,
    clips: wholeNumber("--clips", clips, 1),
    quick: values.quick,
    json: values.json,
  };
}

function wholeNumber(name: string, text: string, least: number): number {
  if (/^\d{1,4}$/.test(text) && Number(text) >= least) return Number(text);
  throw new Error(`${name} is ${JSON.stringify(text)}; give a whole number from ${least}.`);
}
