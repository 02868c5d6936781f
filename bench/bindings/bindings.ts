// `npm run bench -- bindings`: measures the cost of a call in each binding. See ../README.md.
import { absentOf } from "../../tools/engines/locate.ts";
import { defineBench, type Say } from "../bench.ts";
import { atMost, type Target, table } from "../figures.ts";
import { type CallFigures, measureCalls, measureStorm, type StormFigures, type StormHalf } from "./costs.ts";
import { type EngineName, engineNames, engines, type MeasuredEngine } from "./engines.ts";
import { fullSizes, launcherStates, quickSizes } from "./plan.ts";

type EngineResults = {
  readonly name: EngineName;
  /** Name and version as reported by the engine. */
  readonly engine: string;
  readonly calls: readonly CallFigures[];
  readonly storm: StormFigures;
};
type Results = {
  readonly engines: readonly EngineResults[];
  /** Engines that were not measured, with reasons. */
  readonly absent: readonly string[];
  readonly faults: readonly string[];
};

/** Minimum share of calls that must arrive. Dropped calls are cheap, so many of them would distort the figures. */
const arrivedShareMin = 0.99;
/** A tenth of a frame at 60 frames a second. */
const p99UsMax = 1_667;
const stormFrameMsMax = 4;
/** 64 pending requests need a fraction of this; unlimited pending requests would need more. */
const stormHeapMbMax = 6;
/** Includes connections, threads and code that is loaded on first use. */
const stormResidentMbMax = 32;

async function measureEngine(name: EngineName, isQuick: boolean, say: Say): Promise<EngineResults> {
  const sizes = isQuick ? quickSizes : fullSizes;
  const { title, start, callsPerFrame, peer }: MeasuredEngine = engines[name];
  const withPeer = peer !== undefined && !isQuick;
  const calls: CallFigures[] = [];
  for (const state of launcherStates) {
    say(`${title}: launcher ${state}`);
    calls.push(...(await measureCalls(start(withPeer), state, { sizes, callsPerFrame, withPeer })));
  }
  say(`${title}: storm`);
  const storm = await measureStorm(start(withPeer), sizes);
  return { name, engine: storm.engine, calls, storm };
}

function faultsOf({ name, calls }: EngineResults): string[] {
  return calls.flatMap(({ subject, launcher, made, arrived }) => {
    const isFault = subject === "kit" && arrived !== undefined && arrived < arrivedShareMin * made;
    return isFault ? [`${name}, launcher ${launcher}: only ${arrived} of ${made} calls arrived`] : [];
  });
}

function labelOf(name: EngineName, subject: CallFigures["subject"]): string {
  const { bare, peer = "peer" }: MeasuredEngine = engines[name];
  return { empty: "empty call", kit: "Kit", bare, peer }[subject];
}

/** Formats a figure with fewer digits if it is large. */
const short = (value: number): string => (Number.isFinite(value) ? value.toFixed(value < 9.95 ? 2 : 0) : "–");

function callTable({ name, engine, calls }: EngineResults): string {
  const rows = calls.map((figures) => [
    figures.launcher,
    labelOf(name, figures.subject),
    figures.calls,
    short(figures.medianUs),
    short(figures.p99Us),
    short(figures.worstUs),
    figures.subject === "empty" ? "–" : short(figures.frameUs),
    figures.arrived === undefined ? "–" : `${figures.arrived}/${figures.made}`,
  ]);
  const head = ["launcher", "", "calls", "median", "p99", "worst", "frames", "arrived"];
  const title = `${engines[name].title} (${engine}): µs a call on the game's thread`;
  return table(title, head, rows);
}

function stormTable({ name, storm }: EngineResults): string {
  const rows = (["empty", "kit"] as const).map((half) => {
    const { calls, frames, memory, heapBytes } = storm[half];
    return [
      labelOf(name, half),
      calls,
      half === "kit" ? storm.connections : 0,
      ...[frames.medianUs, frames.p999Us, frames.worstUs].map((us) => (us / 1_000).toFixed(3)),
      ...[memory.beforeBytes, memory.peakBytes, memory.afterBytes, ...heapBytes].map((each) => (each / 1e6).toFixed(1)),
    ];
  });
  const head = ["", "calls", "connections", "median ms", "p99.9 ms", "worst ms"];
  const memory = ["MB before", "peak", "after", "heap before", "heap after"];
  const title = "Storm under a hung launcher: work in a frame, resident memory, the engine's own heap";
  return table(title, [...head, ...memory], rows);
}

/** Kit's figure relative to the alternatives, with the same launcher. */
function ratios({ name, calls }: EngineResults, kit: CallFigures, figure: "medianUs" | "p99Us"): string {
  return (["bare", "peer"] as const)
    .flatMap((subject) => {
      const other = calls.find((each) => each.launcher === kit.launcher && each.subject === subject);
      return other ? [`${(kit[figure] / other[figure]).toFixed(2)} × ${labelOf(name, subject)}`] : [];
    })
    .join(", ");
}

const beside = (note: string, targets: readonly Target[]): Target[] =>
  targets.map((target) => ({ ...target, beside: note }));

function callTargets(results: EngineResults): Target[] {
  const { title, medianUsMax } = engines[results.name];
  return results.calls
    .filter(({ subject }) => subject === "kit")
    .flatMap((figures) => {
      const call = `${title}, ${figures.launcher}: a call`;
      return [
        ...beside(ratios(results, figures, "medianUs"), atMost(`${call}, median`, medianUsMax, "µs", figures.medianUs)),
        ...beside(ratios(results, figures, "p99Us"), atMost(`${call}, p99`, p99UsMax, "µs", figures.p99Us)),
      ];
    });
}

function stormTargets({ name, storm: { kit, empty } }: EngineResults): Target[] {
  const caused = (us: number) => (us - empty.frames.medianUs) / 1_000;
  const resident = ({ memory }: StormHalf) => (memory.peakBytes - memory.beforeBytes) / 1e6;
  const heap = ({ heapBytes: [before, after] }: StormHalf) => (after - before) / 1e6;
  const emptyCalls = (of: (half: StormHalf) => number) => `empty calls ${of(empty).toFixed(1)} MB`;
  const frames = `p99.9 ${caused(kit.frames.p999Us).toFixed(2)} ms; worst of empty calls ${caused(empty.frames.worstUs).toFixed(2)} ms`;
  const storm = `${engines[name].title}, storm:`;
  const worst = caused(kit.frames.worstUs);
  return [
    ...beside(frames, atMost(`${storm} worst frame's work beyond empty calls`, stormFrameMsMax, "ms", worst)),
    ...beside(emptyCalls(heap), atMost(`${storm} the engine's heap beyond before`, stormHeapMbMax, "MB", heap(kit))),
    ...beside(
      emptyCalls(resident),
      atMost(`${storm} resident memory at its peak`, stormResidentMbMax, "MB", resident(kit)),
    ),
  ];
}

const notMeasured = `C GameMaker is not measured: no runner can be fetched, and the times of its code translated to JavaScript say nothing of it.
Sentry's SDK for .NET cannot be had from the package source here; ApplicationInsights is the peer that can.`;

export const bindings = defineBench({
  summary: "what a call of each binding costs the game",
  about: `Measures what a call of each binding costs the game, next to an empty call and to what one would write or install instead
(not with --quick), with the launcher present, absent and hung; then a storm of calls under a hung launcher.`,
  flags: {},
  parts: Object.fromEntries(engineNames.map((name) => [name, engines[name].title])),
  usesLauncher: true,
  async measure({ only, isQuick }, say): Promise<Results> {
    const measured: EngineResults[] = [];
    const absent: string[] = [];
    const faults: string[] = [];
    for (const name of engineNames.filter((each) => only.includes(each))) {
      const missing = absentOf([...engines[name].needs]);
      if (missing.length > 0) {
        absent.push(`${name}: ${missing.join(" and ")} absent on this machine`);
        continue;
      }
      try {
        const results = await measureEngine(name, isQuick, say);
        measured.push(results);
        faults.push(...faultsOf(results));
      } catch (error) {
        faults.push(`${name}: ${(error as Error).message}`);
      }
    }
    return { engines: measured, absent, faults };
  },
  tables: ({ engines: measured, absent }) => [
    ...measured.flatMap((engine) => [callTable(engine), stormTable(engine)]),
    notMeasured,
    absent.map((line) => `NOT MEASURED: ${line}`).join("\n"),
  ],
  targets: ({ engines: measured }) => measured.flatMap((engine) => [...callTargets(engine), ...stormTargets(engine)]),
  faults: ({ faults }) => faults,
});
