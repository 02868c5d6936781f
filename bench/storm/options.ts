// What a person can ask of `npm run bench -- storm`.
import { parseArgs } from "node:util";

export type StormOptions = {
  readonly seconds: number;
  readonly connections: number;
  /** Reports of a kind of their own each, sent afterwards. */
  readonly unique: number;
  readonly quick: boolean;
  readonly json: boolean;
};

export const stormHelp = `Measures a launcher under a storm of error reports, beside a few rare ones that must not be lost, and then under a flood
of reports of which no two are of one kind.

  npm run bench -- storm [options]

  --seconds S       length of the storm (120)
  --connections N   connections of the storm and of the flood (64)
  --unique N        reports of the flood (100000)
  --quick           a few seconds: shows that it runs, its figures mean nothing
  --json            print JSON instead of tables
  --help            this text

Let nothing else run meanwhile. Ends with 1 when a report was miscounted, lost or refused.`;

const quickValues = { seconds: "3", connections: "16", unique: "1500" };

/** Reads the arguments; undefined when help is wanted. Throws with a sentence for a person. */
export function readStormOptions(words: readonly string[]): StormOptions | undefined {
  const { values } = parseArgs({
    args: [...words],
    options: {
      seconds: { type: "string", default: "120" },
      connections: { type: "string", default: "64" },
      unique: { type: "string", default: "100000" },
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const { seconds, connections, unique } = values.quick ? { ...values, ...quickValues } : values;
  return {
    seconds: wholeNumber("--seconds", seconds, 3_600),
    connections: wholeNumber("--connections", connections, 256),
    unique: wholeNumber("--unique", unique, 400_000),
    quick: values.quick,
    json: values.json,
  };
}

function wholeNumber(name: string, text: string, most: number): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= most) return number;
  throw new Error(`${name} is ${JSON.stringify(text)}; give a whole number from 1 to ${most}.`);
}
