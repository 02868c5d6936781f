// What a person can ask of `npm run bench -- issues`.
import { parseArgs } from "node:util";

export type IssueOptions = {
  readonly rounds: number;
  /** Of each kind, in each round, to each launcher. */
  readonly calls: number;
  readonly few: number;
  readonly many: number;
  readonly quick: boolean;
  readonly json: boolean;
};

export const issuesHelp = `Measures the lists and pages of issues with few and with many: two launchers, asked in turn.

  npm run bench -- issues [options]

  --rounds N   rounds, each with every call to both launchers in turn (5)
  --calls N    calls of each kind in a round (200)
  --few N      issues of one launcher (1000)
  --many N     issues of the other one (100000); each has a hundred reports an issue
  --quick      small and short: shows that it runs, its figures mean nothing
  --json       print JSON with every single run instead of tables
  --help       this text

Let nothing else run meanwhile: the figures are of the whole machine.`;

const quickValues = { rounds: "1", calls: "5", few: "200", many: "2000" };

/** Reads the arguments; undefined when help is wanted. Throws with a sentence for a person. */
export function readIssueOptions(words: readonly string[]): IssueOptions | undefined {
  const { values } = parseArgs({
    args: [...words],
    options: {
      rounds: { type: "string", default: "5" },
      calls: { type: "string", default: "200" },
      few: { type: "string", default: "1000" },
      many: { type: "string", default: "100000" },
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const { rounds, calls, few, many } = values.quick ? { ...values, ...quickValues } : values;
  return {
    rounds: wholeNumber("--rounds", rounds, 1),
    calls: wholeNumber("--calls", calls, 1),
    few: wholeNumber("--few", few, 100),
    many: wholeNumber("--many", many, 100),
    quick: values.quick,
    json: values.json,
  };
}

function wholeNumber(name: string, text: string, least: number): number {
  if (/^\d{1,6}$/.test(text) && Number(text) >= least) return Number(text);
  throw new Error(`${name} is ${JSON.stringify(text)}; give a whole number from ${least}.`);
}
