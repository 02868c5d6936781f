// The results as tables for a person.
import { table } from "../report.ts";
import { engines } from "./engines.ts";
import { judge, labelOf } from "./limits.ts";
import type { BindingResults, EngineResults } from "./results.ts";

const notMeasured =
  "C GameMaker is not measured: no runner can be fetched, and the times of its code translated to JavaScript say nothing " +
  "of it.\nSentry's SDK for .NET cannot be had from the package source here; ApplicationInsights is the peer that can.";

export function bindingsReport(results: BindingResults): string {
  const parts = [
    `${results.machine}\n${results.at}`,
    ...results.engines.flatMap((engine) => [callTable(engine), stormTable(engine), limitTable(engine)]),
    results.quick ? "A quick run: it shows that the bench runs. Its figures mean nothing." : "",
    notMeasured,
    results.absent.map((line) => `NOT MEASURED: ${line}`).join("\n"),
    results.invalid.map((line) => `INVALID: ${line}`).join("\n"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Short where a figure is large: nobody reads the tenth of a hundred. */
const shown = (value: number): string => (Number.isFinite(value) ? value.toFixed(value < 9.95 ? 2 : 0) : "–");

function callTable({ name, engine, calls }: EngineResults): string {
  const rows = calls.map((figures) => [
    figures.launcher,
    labelOf(name, figures.subject),
    figures.calls,
    shown(figures.medianUs),
    shown(figures.p99Us),
    shown(figures.worstUs),
    shown(figures.firstUs),
    figures.subject === "empty" ? "–" : shown(figures.frameUs),
    Number.isFinite(figures.bytes) ? figures.bytes.toFixed(0) : "–",
    figures.arrived === undefined ? "–" : `${figures.arrived}/${figures.made}`,
  ]);
  const head = ["launcher", "", "calls", "median", "p99", "worst", "first", "frames", "bytes", "arrived"];
  const title = `${engines[name].title} (${engine}): µs a call on the game's thread; bytes: ${engines[name].bytes}`;
  return table(title, head, rows);
}

function stormTable({ storm }: EngineResults): string {
  if (!storm) return "";
  const rows = (["empty", "kit"] as const).map((half) => {
    const { calls, frames, memory, heapBytes } = storm[half];
    const mb = (bytes: number) => (bytes / 1e6).toFixed(1);
    return [
      half === "kit" ? "Kit" : "empty call",
      calls,
      half === "kit" ? storm.connections : 0,
      ...[frames.medianUs, frames.p999Us, frames.worstUs].map((us) => (us / 1_000).toFixed(3)),
      frames.worstGapUs === undefined ? "–" : (frames.worstGapUs / 1_000).toFixed(1),
      ...[memory.beforeBytes, memory.peakBytes, memory.afterBytes, ...heapBytes].map(mb),
    ];
  });
  const head = ["", "calls", "connections", "median ms", "p99.9 ms", "worst ms", "worst gap ms"];
  const memory = ["MB before", "peak", "after", "heap before", "heap after"];
  return table(
    "Storm under a hung launcher: work in a frame, resident memory, the engine's own heap",
    [...head, ...memory],
    rows,
  );
}

function limitTable(results: EngineResults): string {
  const rows = judge(results).map(({ says, limit, measured, unit, kept, beside }) => [
    kept ? "OK" : "MISSED",
    says,
    `≤ ${limit} ${unit}`,
    `${shown(measured)} ${unit}`,
    beside,
  ]);
  return table("Limits", ["", "", "wanted", "measured", "beside"], rows);
}
