// What the makers of the corpus share: how a program is varied, and what one report of a run is.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One report as a game handed it to its binding, which sends both texts as they are. */
export type Made = {
  readonly engine: string;
  /** How the game made its texts: which of an exception's texts it passed on. */
  readonly form: string;
  /** The faulty program and the fault in it: reports of the same group belong together. */
  readonly group: string;
  /** False: not the output of a run; written in the form the engine's documentation shows. */
  readonly ran: boolean;
  readonly message: string;
  readonly stackTrace: string;
};

/** How one run of a program differs from the others. */
export type Variant = {
  /** Values in messages are counted from here. */
  readonly seed: number;
  /** Lines put in before the code, so that every line number moves. */
  readonly shift: number;
  /** Folder the program lies or is built in, relative. */
  readonly folder: string;
};

export const variants: readonly Variant[] = [
  { seed: 7, shift: 0, folder: "game" },
  { seed: 120, shift: 3, folder: "home/kim/My Game (beta)" },
  { seed: 3051, shift: 1, folder: "Users/Zoë/build/1.2.0" },
  { seed: 44, shift: 11, folder: "ci/agent-7/_work/42/s" },
  { seed: 90210, shift: 6, folder: "tmp/a81f0c2e" },
];

export type Filling = { readonly shift: number; readonly values?: Readonly<Record<string, string | number>> };

/** A program's text: marks in comments are replaced by lines that move the rest, and by values. */
export function programText(path: string, { shift, values = {} }: Filling): string {
  let text = readFileSync(join(import.meta.dirname, path), "utf8");
  text = text.replaceAll(/\n(\/\*@shift@\*\/|#@shift@|[ ]+\/\*@shift@\*\/)(?=\n)/g, "\n".repeat(shift + 1));
  for (const [name, value] of Object.entries(values)) {
    const word = JSON.stringify(value);
    text = text.replaceAll(new RegExp(`/\\*@${name}@\\*/ (""|0)`, "g"), () => word);
    text = text.replaceAll(new RegExp(`= 0 #@${name}@`, "g"), () => `= ${word}`);
    text = text.replaceAll(new RegExp(`/\\*@${name}@\\*/`, "g"), () => String(value));
  }
  return text;
}

/** A fault that reports twice has made two errors; each is a group of its own. */
export function groupsOf(program: string, faults: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return faults.map((fault) => {
    const nth = (seen.get(fault) ?? 0) + 1;
    seen.set(fault, nth);
    return nth === 1 ? `${program}: ${fault}` : `${program}: ${fault} (${nth})`;
  });
}
