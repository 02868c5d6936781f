// What a binding may cost, and whether this run kept to it.
import type { CallFigures } from "./calls.ts";
import { engines } from "./engines.ts";
import type { EngineResults } from "./results.ts";
import type { StormFigures, StormHalf } from "./storm.ts";

/** A tenth of a frame at 60 a second. */
const p99UsMax = 1_667;
const stormFrameMsMax = 4;
/** 64 requests take a fraction of this; a hundred thousand that are kept, however small, take more. */
const stormHeapMbMax = 6;
/** Connections, threads and code that runs for the first time are in it too. */
const stormResidentMbMax = 32;

export type Judgement = {
  readonly says: string;
  readonly limit: number;
  readonly measured: number;
  readonly unit: "µs" | "ms" | "MB";
  readonly kept: boolean;
  /** How the figure compares to others of the same run. */
  readonly beside: string;
};

/** One judgement for each limit this engine has figures for. */
export function judge({ name, calls, storm }: EngineResults): readonly Judgement[] {
  const { medianUsMax } = engines[name];
  const kit = calls.filter(({ subject }) => subject === "kit");
  return [
    ...kit.flatMap((figures) => [
      atMost(
        `${figures.launcher}: a call, median`,
        figures.medianUs,
        medianUsMax,
        "µs",
        ratios(name, calls, figures, "medianUs"),
      ),
      atMost(`${figures.launcher}: a call, p99`, figures.p99Us, p99UsMax, "µs", ratios(name, calls, figures, "p99Us")),
    ]),
    ...(storm ? stormJudgements(storm) : []),
  ];
}

function stormJudgements({ kit, empty }: StormFigures): Judgement[] {
  const ms = (us: number) => us / 1_000;
  const caused = (us: number) => ms(us - empty.frames.medianUs);
  const resident = ({ memory }: StormHalf) => (memory.peakBytes - memory.beforeBytes) / 1e6;
  const heap = ({ heapBytes: [before, after] }: StormHalf) => (after - before) / 1e6;
  const beside = (of: (half: StormHalf) => number) => `empty calls ${of(empty).toFixed(1)} MB`;
  const p999 = `p99.9 ${caused(kit.frames.p999Us).toFixed(2)} ms; worst of empty calls ${caused(empty.frames.worstUs).toFixed(2)} ms`;
  return [
    atMost("storm: worst frame's work beyond empty calls", caused(kit.frames.worstUs), stormFrameMsMax, "ms", p999),
    atMost("storm: the engine's heap beyond before", heap(kit), stormHeapMbMax, "MB", beside(heap)),
    atMost("storm: resident memory at its peak", resident(kit), stormResidentMbMax, "MB", beside(resident)),
  ];
}

function atMost(says: string, measured: number, limit: number, unit: Judgement["unit"], beside: string): Judgement {
  return { says, limit, measured, unit, kept: measured <= limit, beside };
}

/** Kit's figure as a multiple of what one would write or install instead, under the same launcher. */
function ratios(
  name: EngineResults["name"],
  calls: readonly CallFigures[],
  kit: CallFigures,
  figure: "medianUs" | "p99Us",
): string {
  return (["bare", "peer"] as const)
    .flatMap((subject) => {
      const other = calls.find((each) => each.launcher === kit.launcher && each.subject === subject);
      return other ? [`${(kit[figure] / other[figure]).toFixed(2)} × ${labelOf(name, subject)}`] : [];
    })
    .join(", ");
}

export function labelOf(name: EngineResults["name"], subject: CallFigures["subject"]): string {
  const { bare, ...engine } = engines[name];
  const peer = "peer" in engine ? engine.peer : "peer";
  return { empty: "empty call", kit: "Kit", bare, peer }[subject];
}
