// Measures one launcher: a storm of equal reports with rare reports in between, then a flood of different ones.
import type { Issue } from "@kit/contract";
import { countsByTitle, issuesOnceCounted, sumOf } from "../../launcher/test/storm/count.ts";
import { type Generated, generate } from "../../launcher/test/storm/generate.ts";
import { fateOf, type RareAccount, startRare } from "../../launcher/test/storm/rare.ts";
import { rareTitle } from "../../launcher/test/storm/reports.ts";
import { type OwnLauncher, startOwnLauncher } from "../../launcher/test/support/own-launcher.ts";
import { quantile } from "../figures.ts";
import { type Usage, watch } from "./watch.ts";

export type Phase = {
  readonly sent: Omit<Generated, "ids">;
  /** Counted reports of this phase, without the rare ones. */
  readonly counted: number;
  /** Time from the last response until all reports are counted. */
  readonly countedAfterMs: number;
  /** New issues of this phase, without the rare ones. */
  readonly newIssues: number;
  readonly usage: Usage;
};

type RareFigures = {
  readonly reports: number;
  readonly moments: number;
  /** Rare events whose slice wrote a receipt. */
  readonly handedOn: number;
  /** Reports counted in the right issue. */
  readonly counted: number;
  readonly kinds: number;
  /** Issues whose count equals the number of acknowledged reports. */
  readonly kindsExact: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly faults: readonly string[];
};

export type StormFigures = {
  readonly storm: Phase;
  readonly rare: RareFigures;
  readonly flood: Phase;
  /** Event ids from responses of the storm, and how many of the newest have a receipt. */
  readonly ids: number;
  readonly idsWithReceipt: number;
};

const idsLookedAt = 200;

export type StormPlan = {
  readonly seconds: number;
  readonly connections: number;
  /** Number of unique reports, sent afterwards. */
  readonly unique: number;
};

/** Waits until `expected` reports are counted, up to half a minute. */
async function count(launcher: OwnLauncher, expected: number): Promise<{ issues: Issue[]; afterMs: number }> {
  const beganMs = performance.now();
  const issues = await issuesOnceCounted(launcher, expected);
  return { issues, afterMs: performance.now() - beganMs };
}

async function rareFiguresOf(launcher: OwnLauncher, rare: RareAccount, issues: readonly Issue[]): Promise<RareFigures> {
  const counts = countsByTitle(issues);
  const kinds = [...rare.reports].map(([kind, ids]) => ({ wanted: ids.length, is: counts.get(rareTitle(kind)) ?? 0 }));
  const { handled, faults } = await fateOf(launcher, rare);
  return {
    reports: kinds.reduce((sum, { wanted }) => sum + wanted, 0),
    moments: rare.moments.length,
    handedOn: handled,
    counted: kinds.reduce((sum, { is }) => sum + is, 0),
    kinds: kinds.length,
    kindsExact: kinds.filter(({ wanted, is }) => wanted === is).length,
    p50Ms: quantile(rare.waitsMs, 0.5),
    p99Ms: quantile(rare.waitsMs, 0.99),
    faults: [...rare.failures, ...faults],
  };
}

async function withReceipt(launcher: OwnLauncher, ids: readonly string[]): Promise<number> {
  const found = await Promise.all(
    ids.map((id) =>
      launcher.receipt(id).then(
        () => 1,
        () => 0,
      ),
    ),
  );
  return found.filter((one) => one === 1).length;
}

export async function measureStorm(options: StormPlan, say: (line: string) => void): Promise<StormFigures> {
  // Without a display, so that nothing is captured.
  await using launcher = await startOwnLauncher({ env: { DISPLAY: "", WAYLAND_DISPLAY: "" } });
  try {
    return await measureOn(launcher, options, say);
  } catch (error) {
    if (launcher.process().isRunning()) throw error;
    throw new Error(`the launcher ended:\n${launcher.process().output()}`, { cause: error });
  }
}

async function measureOn(
  launcher: OwnLauncher,
  options: StormPlan,
  say: (line: string) => void,
): Promise<StormFigures> {
  say(`a storm of ${options.seconds} s`);
  const { storm, rare, ids, issues } = await measureBoth(launcher, options);
  const idsWithReceipt = await withReceipt(launcher, ids);
  say(`a flood of ${options.unique} kinds`);
  const flood = await measureFlood(launcher, options, issues);
  return { storm, rare, flood, ids: ids.length, idsWithReceipt };
}

async function measureBoth(launcher: OwnLauncher, { connections, seconds }: StormPlan) {
  const { port, dataDir } = launcher;
  const usageOf = watch(launcher.process().pid, dataDir);
  const rareOnes = startRare(launcher);
  const plan = { port, connections, seconds, client: "StormEngine/1.0 (Linux)", name: "storm" } as const;
  const { ids, ...sent } = await generate(plan);
  const account = await rareOnes.stop();
  const rareReports = [...account.reports.values()].flat().length;
  const { issues, afterMs } = await count(launcher, sent.acknowledged + rareReports);
  const usage = usageOf();
  const rare = await rareFiguresOf(launcher, account, issues);
  const rareTitles = new Set([...account.reports.keys()].map(rareTitle));
  const newIssues = issues.filter(({ title }) => !rareTitles.has(title)).length;
  const storm: Phase = { sent, counted: sumOf(issues) - rare.counted, countedAfterMs: afterMs, newIssues, usage };
  return { storm, rare, ids: ids.slice(-idsLookedAt), issues };
}

async function measureFlood(
  launcher: OwnLauncher,
  { connections, unique }: StormPlan,
  before: readonly Issue[],
): Promise<Phase> {
  const { port, dataDir } = launcher;
  const usageOf = watch(launcher.process().pid, dataDir);
  const plan = { port, connections, reportsMax: unique, client: "FloodEngine/1.0 (Linux)", name: "unique" } as const;
  const { ids: _, ...sent } = await generate(plan);
  const { issues, afterMs } = await count(launcher, sumOf(before) + sent.acknowledged);
  const newIssues = issues.length - before.length;
  return { sent, counted: sumOf(issues) - sumOf(before), countedAfterMs: afterMs, newIssues, usage: usageOf() };
}
