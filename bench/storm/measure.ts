// Measures one launcher: a storm of equal reports with rare reports in between, then a flood of different ones. Linux only,
// because it reads /proc.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Issue } from "@kit/contract";
import { countsByTitle, issuesOnceCounted, sumOf } from "../../launcher/test/storm/count.ts";
import { type Generated, generate } from "../../launcher/test/storm/generate.ts";
import { fateOf, type RareAccount, startRare } from "../../launcher/test/storm/rare.ts";
import { rareTitle } from "../../launcher/test/storm/reports.ts";
import { type LauncherProcess, startLauncherProcess } from "../../launcher/test/support/own-launcher.ts";
import type { Say } from "../bench.ts";
import { sum, waitsOf } from "../figures.ts";
import { watchProcessor } from "../machine.ts";

type Usage = {
  /** Peak resident memory according to the kernel. */
  readonly residentBytesMax: number;
  /** Peak size of the database with its WAL, sampled four times a second. */
  readonly databaseBytesMax: number;
  /** Percent of one core, for all threads. */
  readonly cpuPercent: number;
};

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

type StormPlan = {
  readonly seconds: number;
  readonly connections: number;
  /** Number of unique reports, sent afterwards. */
  readonly unique: number;
};

const lookEveryMs = 250;

function databaseBytesIn(dataDir: string): number {
  const sizes = ["kit.db", "kit.db-wal", "kit.db-shm"].map(
    (name) => statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sum(sizes);
}

function residentPeakOf(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1_024;
}

/** Starts measuring. The returned function stops and returns the usage. */
function watch(pid: number, dataDir: string): () => Usage {
  // Resets the kernel's peak value.
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  const cpuPercent = watchProcessor([pid]);
  let databaseBytesMax = 0;
  const look = () => {
    databaseBytesMax = Math.max(databaseBytesMax, databaseBytesIn(dataDir));
  };
  const timer = setInterval(look, lookEveryMs).unref();
  return () => {
    clearInterval(timer);
    look();
    return { residentBytesMax: residentPeakOf(pid), databaseBytesMax, cpuPercent: cpuPercent() };
  };
}

/** Waits until `expected` reports are counted, up to half a minute. */
async function count(launcher: LauncherProcess, expected: number): Promise<{ issues: Issue[]; afterMs: number }> {
  const beganMs = performance.now();
  const issues = await issuesOnceCounted(launcher, expected);
  return { issues, afterMs: performance.now() - beganMs };
}

async function rareFiguresOf(
  launcher: LauncherProcess,
  rare: RareAccount,
  issues: readonly Issue[],
): Promise<RareFigures> {
  const counts = countsByTitle(issues);
  const kinds = [...rare.reports].map(([kind, ids]) => ({ wanted: ids.length, is: counts.get(rareTitle(kind)) ?? 0 }));
  const { handled, faults } = await fateOf(launcher, rare);
  return {
    reports: sum(kinds.map(({ wanted }) => wanted)),
    moments: rare.moments.length,
    handedOn: handled,
    counted: sum(kinds.map(({ is }) => is)),
    kinds: kinds.length,
    kindsExact: kinds.filter(({ wanted, is }) => wanted === is).length,
    ...waitsOf(rare.waitsMs),
    faults: [...rare.failures, ...faults],
  };
}

async function withReceipt(launcher: LauncherProcess, ids: readonly string[]): Promise<number> {
  const looked = await Promise.allSettled(ids.map((id) => launcher.receipt(id)));
  return looked.filter(({ status }) => status === "fulfilled").length;
}

export async function measureStorm(options: StormPlan, say: Say): Promise<StormFigures> {
  // Without a display, so that nothing is captured.
  await using launcher = await startLauncherProcess({ env: { DISPLAY: "", WAYLAND_DISPLAY: "" } });
  try {
    return await measureOn(launcher, options, say);
  } catch (error) {
    if (launcher.process().isRunning()) throw error;
    throw new Error(`the launcher ended:\n${launcher.process().output()}`, { cause: error });
  }
}

async function measureOn(launcher: LauncherProcess, options: StormPlan, say: Say): Promise<StormFigures> {
  say(`a storm of ${options.seconds} s`);
  const { storm, rare, ids, issues } = await measureBoth(launcher, options);
  const idsWithReceipt = await withReceipt(launcher, ids);
  say(`a flood of ${options.unique} kinds`);
  const flood = await measureFlood(launcher, options, issues);
  return { storm, rare, flood, ids: ids.length, idsWithReceipt };
}

async function measureBoth(launcher: LauncherProcess, { connections, seconds }: StormPlan) {
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
  launcher: LauncherProcess,
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
