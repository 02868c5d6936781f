// Shared types of the corpus generators: reports, and variants of the faulty programs.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One report as the game passed it to its binding. */
export type Made = {
  readonly engine: string;
  /** Which texts of the exception the game passed on. */
  readonly form: string;
  /** Program and fault. Reports of the same group belong to one issue. */
  readonly group: string;
  /** False if the report was not produced by a run but written according to the engine's documentation. */
  readonly ran: boolean;
  /** The function that failed, if the grouping must name it. Null for code without a name. */
  readonly culprit?: string | null;
  readonly message: string;
  readonly stackTrace: string;
};

/** Differences between the runs of a program. */
export type Variant = {
  /** Start value for numbers in messages. */
  readonly seed: number;
  /** Number of lines inserted before the code, which changes all line numbers. */
  readonly shift: number;
  /** Relative folder of the program. */
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

/** Reads a program and replaces marks in comments by inserted lines and values. */
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

/** Groups of the reports. A fault that reports twice produces two groups. */
export function groupsOf(program: string, faults: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return faults.map((fault) => {
    const nth = (seen.get(fault) ?? 0) + 1;
    seen.set(fault, nth);
    return nth === 1 ? `${program}: ${fault}` : `${program}: ${fault} (${nth})`;
  });
}
