// What a person can ask of `npm run bench -- fit`.
import { parseArgs } from "node:util";

export type FitOptions = {
  readonly rounds: number;
  /** Length of the clip. */
  readonly seconds: number;
  readonly quick: boolean;
  readonly json: boolean;
};

export const fitHelp = `Measures what it takes to make a clip fit where it is posted: a minute of 1080p into 10 MiB, beside plain ffmpeg in two
passes with the same preset, picture and bits; and whether what comes out plays in a browser.

  npm run bench -- fit [options]

  --rounds N     rounds, each with both in turn (3)
  --seconds S    length of the clip (60); the limit is a sixth of a MiB for each second
  --quick        one round with a few seconds: shows that it runs, its figures mean nothing
  --json         print JSON with every single run instead of tables
  --help         this text

Let nothing else run meanwhile: the figures are of the whole machine.`;

const quickValues = { rounds: "1", seconds: "4" };

/** Reads the arguments; undefined when help is wanted. Throws with a sentence for a person. */
export function readFitOptions(words: readonly string[]): FitOptions | undefined {
  const { values } = parseArgs({
    args: [...words],
    options: {
      rounds: { type: "string", default: "3" },
      seconds: { type: "string", default: "60" },
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const { rounds, seconds } = values.quick ? { ...values, ...quickValues } : values;
  return {
    rounds: wholeNumber("--rounds", rounds, 1),
    seconds: wholeNumber("--seconds", seconds, 3),
    quick: values.quick,
    json: values.json,
  };
}

function wholeNumber(name: string, text: string, least: number): number {
  if (/^\d{1,3}$/.test(text) && Number(text) >= least) return Number(text);
  throw new Error(`${name} is ${JSON.stringify(text)}; give a whole number from ${least}.`);
}
