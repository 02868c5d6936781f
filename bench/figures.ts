// What a suite measures, and the ratios that its targets ask for.

/** One measured value: of what, of whom, and in which round. */
export type Figure = {
  readonly measure: string;
  readonly subject: string;
  readonly round: number;
  readonly value: number;
};

/** A row of the table of targets in README.md: the ratio of two subjects in the same round. */
export type Target = {
  readonly suite: string;
  readonly measure: string;
  readonly subject: string;
  readonly beside: string;
  readonly sign: "≤" | "≥";
  readonly limit: number;
};

/** Reads the table of targets, so that it is written once. */
export function readTargets(markdown: string): Target[] {
  const rows = markdown.matchAll(/^\| (\w+) \| (.+?) \| (.+?) \| (.+?) \| ([≤≥]) ([\d.]+) × \|$/gmu);
  return [...rows].map(([, suite = "", measure = "", subject = "", beside = "", sign, limit]) => ({
    ...{ suite, measure, subject, beside },
    sign: sign as Target["sign"],
    limit: Number(limit),
  }));
}

/** The `q` quantile of the values, or NaN without values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
}

/** The middle value, or the mean of the two in the middle. */
export const median = (values: readonly number[]): number => (quantile(values, 0.5) + quantile(values, 0.5 + 1e-9)) / 2;

const valuesOf = (figures: readonly Figure[], measure: string, subject: string) =>
  figures.filter((figure) => figure.measure === measure && figure.subject === subject);

/** The ratios of all rounds that have both subjects: a disturbance of a round affects both. */
function ratiosOf(figures: readonly Figure[], { measure, subject, beside }: Target): number[] {
  const others = valuesOf(figures, measure, beside);
  return valuesOf(figures, measure, subject).flatMap(({ round, value }) => {
    const other = others.find((figure) => figure.round === round);
    return other === undefined ? [] : [value / other.value];
  });
}

export type Verdict = Target & {
  /** The median of the rounds' ratios. NaN, which reaches no target, if nothing was measured. */
  readonly ratio: number;
  readonly reached: boolean;
};

export function judge(target: Target, figures: readonly Figure[]): Verdict {
  const ratio = median(ratiosOf(figures, target));
  return { ...target, ratio, reached: target.sign === "≤" ? ratio <= target.limit : ratio >= target.limit };
}

const shown = (value: number): string => value.toFixed(value < 10 ? 2 : value < 1_000 ? 1 : 0);

/** Aligns columns; all but the first `texts` columns are numbers. */
function aligned(rows: readonly (readonly string[])[], texts: number): string {
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows
    .map((row) =>
      row.map((cell, column) => (column < texts ? cell.padEnd(widthOf(column)) : cell.padStart(widthOf(column)))),
    )
    .map((cells) => `  ${cells.join("  ").trimEnd()}`)
    .join("\n");
}

/** A table for each measure: the median of each subject, and the range if there were several rounds. */
export function figuresTable(figures: readonly Figure[]): string {
  const measures = [...new Set(figures.map(({ measure }) => measure))];
  const tables = measures.map((measure) => {
    const subjects = [...new Set(figures.filter((figure) => figure.measure === measure).map(({ subject }) => subject))];
    const rows = subjects.map((subject) => {
      const values = valuesOf(figures, measure, subject).map(({ value }) => value);
      const range = values.length === 1 ? "" : `(${shown(Math.min(...values))}–${shown(Math.max(...values))})`;
      return [subject, shown(median(values)), range];
    });
    return `${measure}\n${aligned(rows, 1)}`;
  });
  return tables.join("\n\n");
}

export function verdictsTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ reached, measure, subject, beside, sign, limit, ratio }) => [
    ...[reached ? "reached" : "MISSED", measure, `${subject} ÷ ${beside}`],
    ...[`${sign} ${limit}`, ratio.toFixed(2)],
  ]);
  return `Targets\n${aligned(rows, 3)}`;
}
