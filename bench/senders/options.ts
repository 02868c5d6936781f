// What a person can ask of `npm run bench -- senders`.
import { parseArgs } from "node:util";

export type SenderOptions = {
  readonly runs: number;
  readonly rounds: number;
  readonly events: number;
  readonly quick: boolean;
  readonly json: boolean;
};

export const sendersHelp = `Measures whether Kit knows which program sent an event, and what knowing it costs.

  npm run bench -- senders [options]

  --runs N     runs of three games that send at once (100)
  --rounds N   rounds, each with and without looking for the sender (5)
  --events N   events of each kind in a round (1000)
  --quick      a few of each: shows that it runs, its figures mean nothing
  --json       print JSON with every single run instead of tables
  --help       this text

Linux only: elsewhere nobody is looked for. Let nothing else run meanwhile.`;

/** Reads the arguments; undefined when help is wanted. Throws with a sentence for a person. */
export function readSenderOptions(words: readonly string[]): SenderOptions | undefined {
  const { values } = parseArgs({
    args: [...words],
    options: {
      runs: { type: "string", default: "100" },
      rounds: { type: "string", default: "5" },
      events: { type: "string", default: "1000" },
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const { runs, rounds, events } = values.quick ? { runs: "3", rounds: "1", events: "100" } : values;
  return {
    runs: wholeNumber("--runs", runs),
    rounds: wholeNumber("--rounds", rounds),
    events: wholeNumber("--events", events),
    quick: values.quick,
    json: values.json,
  };
}

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new Error(`${name} is ${JSON.stringify(text)}; give a whole number from 1.`);
}
