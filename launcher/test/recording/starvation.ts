// Support: reads from the kernel how long a capture waited for a processor, to tell a slow machine from lost frames.
import { readdirSync, readFileSync } from "node:fs";
import type { Span } from "./judge.ts";

export type Starvation = {
  /** The milliseconds for which the capture waited in that time. */
  starvedMs(span: Span): number;
  [Symbol.dispose](): void;
};

type Sample = { readonly fromMs: number; readonly toMs: number; readonly waitedMs: number };

const sampleEveryMs = 50;
/** Any program waits this long between two frames. */
const ordinaryMs = 5;

/** `pids` is called once a second. */
export function watchStarvation(pids: () => readonly number[]): Starvation {
  const samples: Sample[] = [];
  let watched: readonly number[] = [];
  let before = new Map<string, number>();
  let beforeMs = Date.now();
  let count = 0;
  const sample = () => {
    if (count % (1_000 / sampleEveryMs) === 0) watched = pids();
    count += 1;
    const now = new Map(watched.flatMap(waitsOf));
    const nowMs = Date.now();
    const waits = [...now].map(([thread, waitedMs]) => waitedMs - (before.get(thread) ?? waitedMs));
    const waitedMs = Math.max(0, ...waits);
    if (waitedMs > ordinaryMs) samples.push({ fromMs: beforeMs, toMs: nowMs, waitedMs });
    [before, beforeMs] = [now, nowMs];
  };
  const timer = setInterval(sample, sampleEveryMs);
  return {
    starvedMs: ({ fromMs, toMs }) =>
      samples.reduce((sum, each) => (each.toMs >= fromMs && each.fromMs <= toMs ? sum + each.waitedMs : sum), 0),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** How long each thread of the process was ready without running, since its start. */
function waitsOf(pid: number): [string, number][] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => {
      const [, waitedNs] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
      return [`${pid}/${thread}`, Number(waitedNs) / 1e6];
    });
  } catch {
    return []; // The process has ended.
  }
}
