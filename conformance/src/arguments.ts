// The command line of `npm run conform`.
import { parseArgs } from "node:util";

export const usage = `Usage: npm run conform -- [options] [binding or folder …]

Plays the conformance cases in every engine of the bindings named: names of folders in bindings/, or paths of folders
that hold a conformance.json. Without a name: all of this repository.

  --case <start>       only cases whose id begins so, e.g. launcher/
  --engine <text>      only engines whose name holds this text
  --list               list the cases, and play none
  --help               this text

Exit code: 0 when every case passed in every engine, 1 when not, 2 when the words above were not understood.
`;

/** Thrown for an invalid command line. */
export class Misunderstood extends Error {
  override name = "Misunderstood";
}

const options = {
  case: { type: "string", default: "" },
  engine: { type: "string", default: "" },
  list: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

/** Parses the command line. Throws Misunderstood. */
export function readArguments(words: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({ args: [...words], allowPositionals: true, options });
    return { ...values, names: positionals };
  } catch (error) {
    throw new Misunderstood((error as Error).message, { cause: error });
  }
}
export type Arguments = ReturnType<typeof readArguments>;
