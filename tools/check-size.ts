// Reports files and functions that are too long, because they usually contain more than one idea.
import { report, repositoryRoot } from "./check/findings.ts";
import { type Source, sourcesIn } from "./check/sources.ts";
import { functionsIn } from "./check-size/functions.ts";

const fileLinesMax = 400;
const functionLinesMax = 120;

export type Exception = {
  readonly path: string;
  /** A function of the file; the whole file if omitted. */
  readonly function?: string;
  readonly linesMax: number;
  readonly reason: string;
};

const closureReason = "A closure with state that is still to become a class with named methods.";

/** Allowed exceptions with reasons. Unused exceptions are reported. */
const exceptions: readonly Exception[] = [
  {
    path: "bindings/rpgmaker/KitSDK.js",
    linesMax: 475,
    reason:
      "A plugin of RPG Maker is one file: a quarter is the header the editor reads, twice over; it has two ways to send.",
  },
  {
    path: "dashboard/test/sample-game.ts",
    function: "paintForever",
    linesMax: 185,
    reason: "It is sent to the browser as one function, so all it uses has to be inside.",
  },
  {
    path: "launcher/test/social/outbox-folder.ts",
    function: "openOutboxFolder",
    linesMax: 146,
    reason: closureReason,
  },
];

function tooLongIn(source: Source, allowed: readonly Exception[]): { finding?: string; used?: Exception }[] {
  const { path, text } = source;
  const measure = (name: string | undefined, lines: number, linesMax: number, finding: string) => {
    if (lines <= linesMax) return {};
    const exception = allowed.find((entry) => entry.path === path && entry.function === name);
    const isAllowed = exception !== undefined && lines <= exception.linesMax;
    return { ...(exception && { used: exception }), ...(isAllowed ? {} : { finding }) };
  };
  const fileLines = text.replace(/\n$/, "").split("\n").length;
  const advice = "split it, or list it with a reason in tools/check-size.ts";
  return [
    measure(undefined, fileLines, fileLinesMax, `${path}: ${fileLines} lines (at most ${fileLinesMax}); ${advice}`),
    ...functionsIn(source).map(({ name, line, lines }) =>
      measure(name, lines, functionLinesMax, `${path}:${line}: ${name} is ${lines} lines long; ${advice}`),
    ),
  ];
}

/** All files and functions below `root` that are too long, one per line. */
export function tooLongBelow(root: string, allowed: readonly Exception[] = exceptions): string[] {
  const results = sourcesIn(root).flatMap((source) => tooLongIn(source, allowed));
  const used = new Set(results.map((result) => result.used));
  const findings = results.flatMap((result) => (result.finding ? [result.finding] : []));
  const unused = allowed.filter((exception) => !used.has(exception));
  return [
    ...findings,
    ...unused.map(
      (entry) => `tools/check-size.ts: ${entry.path} ${entry.function ?? ""} is no longer too long; unlist it`,
    ),
  ];
}

if (import.meta.main) report(tooLongBelow(repositoryRoot));
