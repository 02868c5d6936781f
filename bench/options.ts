// What a person can ask of the bench.
import { parseArgs } from "node:util";
import { type SubjectName, subjectNames, subjects } from "./subjects.ts";

export const measures = ["ingest", "start", "idle"] as const;
export type Measure = (typeof measures)[number];

export type Options = {
  readonly rounds: number;
  readonly seconds: number;
  readonly idleSeconds: number;
  readonly measures: readonly Measure[];
  readonly subjects: readonly SubjectName[];
  readonly json: boolean;
};

export const help = `Measures Kit beside its limit, its floor and its peers, all in one run on this machine.

  npm run bench -- [options]
  npm run bench -- bindings [options]   what a call of each binding costs the game; see bindings --help
  npm run bench -- capture [options]    what recording costs, and how soon a clip is there; see capture --help
  npm run bench -- soak [--minutes N]   records for an hour, then reads every clip
  npm run bench -- fit [options]        what it takes to make a clip small enough to be posted; see fit --help
  npm run bench -- issues [options]     lists and pages with 100,000 issues; see issues --help
  npm run bench -- pages [options]      the dashboard's pages with little and with much to show; see pages --help
  npm run bench -- senders [options]    whether Kit knows who sent an event, and what that costs; see senders --help
  npm run bench -- storm [options]      a game that throws in every frame; see storm --help

  --rounds N        rounds, each with every subject in turn (5)
  --seconds S       length of each load (4)
  --idle-seconds S  length of the idle measurement (60)
  --only A,B        only these measures and subjects
  --json            print JSON with every single run instead of tables
  --help            this text

Measures: ${measures.join(", ")}
Subjects:
${subjectNames.map((name) => `  ${name.padEnd(16)}${subjects[name].says}`).join("\n")}

Let nothing else run meanwhile: the figures are of the whole machine.`;

/** Reads the arguments; undefined when help is wanted. Throws with a sentence for a person. */
export function readOptions(words: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...words],
    options: {
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "4" },
      "idle-seconds": { type: "string", default: "60" },
      only: { type: "string", default: "" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const only = values.only.split(",").filter((name) => name !== "");
  const unknown = only.find((name) => ![...measures, ...subjectNames].includes(name as Measure));
  if (unknown !== undefined) throw new Error(`--only does not know ${unknown}; see --help.`);
  const chosen = <T extends string>(names: readonly T[]) => {
    const wanted = names.filter((name) => only.includes(name));
    return wanted.length > 0 ? wanted : names;
  };
  return {
    rounds: wholeNumber("--rounds", values.rounds),
    seconds: wholeNumber("--seconds", values.seconds),
    idleSeconds: wholeNumber("--idle-seconds", values["idle-seconds"]),
    measures: chosen(measures),
    subjects: chosen(subjectNames),
    json: values.json,
  };
}

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new Error(`${name} is ${JSON.stringify(text)}; give a whole number from 1.`);
}
