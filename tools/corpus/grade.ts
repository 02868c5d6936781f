// Prints the quality of the grouping: pairwise precision, recall and F1 for both parts of the corpus.
import {
  type CorpusPart,
  corpusParts,
  fingerprintKey,
  gradeGrouping,
  readCorpus,
} from "../../launcher/src/monitor/fixtures/corpus.ts";

const share = (value: number) => value.toFixed(4);

function print(part: CorpusPart): void {
  const reports = readCorpus(part);
  const ran = reports.filter((report) => report.ran);
  for (const [name, of] of [
    ["all", reports],
    ["from real runs", ran],
  ] as const) {
    const { reports: count, groups, precision, recall, f1 } = gradeGrouping(of);
    const figures = `precision ${share(precision)}  recall ${share(recall)}  F1 ${share(f1)}`;
    console.log(`${part.padEnd(9)} ${name.padEnd(15)} ${count} reports, ${groups} groups  ${figures}`);
  }
}

/** Prints mistakes in the training part only, so that the other part stays unseen. */
function printMistakes(): void {
  const reports = readCorpus("training");
  for (const [group, own] of Object.entries(Object.groupBy(reports, ({ group }) => group))) {
    const keys = Object.groupBy(own ?? [], fingerprintKey);
    if (Object.keys(keys).length > 1) console.log(`split: ${group}`);
    if (Object.keys(keys).length > 1)
      for (const same of Object.values(keys)) console.log(`  ${same?.map(({ engine }) => engine)}`);
  }
  for (const same of Object.values(Object.groupBy(reports, fingerprintKey))) {
    const groups = new Set(same?.map(({ group }) => group));
    if (groups.size > 1) console.log(`mixed: ${[...groups].join(" + ")}`);
  }
}

for (const part of corpusParts) if (part === "training" || !process.argv.includes("--training")) print(part);
if (process.argv.includes("--mistakes")) printMistakes();
