// What a person can ask of `npm run bench -- pages`.
import { parseArgs } from "node:util";

/** What one launcher holds. */
export type Size = { readonly clips: number; readonly events: number; readonly sessions: number };

export type PageOptions = {
  readonly rounds: number;
  readonly few: Size;
  readonly many: Size;
  readonly quick: boolean;
  readonly json: boolean;
};

export const pagesHelp = `Measures the dashboard's pages in Chromium with little and with much to show: two launchers, visited in turn.

  npm run bench -- pages [options]

  --rounds N   rounds, each with every page of both launchers (7)
  --quick      one round with little of it all: shows that it runs, its figures mean nothing
  --json       print JSON with every single visit instead of tables
  --help       this text

One launcher holds 100 clips, 1,000 events and 10 sessions, the other one a hundred times as much of each. Let nothing else
run meanwhile: the figures are of the whole machine.`;

const sized = (of: number): Size => ({ clips: 100 * of, events: 1_000 * of, sessions: 10 * of });

/** Reads the arguments; undefined when help is wanted. Throws with a sentence for a person. */
export function readPageOptions(words: readonly string[]): PageOptions | undefined {
  const { values } = parseArgs({
    args: [...words],
    options: {
      rounds: { type: "string", default: "7" },
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const { quick, json } = values;
  if (!/^[1-9]\d{0,2}$/.test(values.rounds)) {
    throw new Error(`--rounds is ${JSON.stringify(values.rounds)}; give a whole number from 1 to 999.`);
  }
  return { rounds: quick ? 1 : Number(values.rounds), few: sized(1), many: sized(quick ? 3 : 100), quick, json };
}
