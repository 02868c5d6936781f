// Gives memory back when a burst is over: V8 and the C library keep what they once needed, and the memory is the player's.
import { getBuiltinModule } from "node:process";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

const idleMs = 10_000;
const growthWorthIt = 1.25;
/** Until every thread has collected its own garbage. */
const trimAfterMs = 5_000;

type Collect = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

/** malloc_trim(3), of all threads' memory; undefined where this Node or this C library has none. */
function findTrim(): (() => void) | undefined {
  if (process.platform !== "linux" || !isMainThread) return undefined;
  try {
    const trim = getBuiltinModule("node:ffi")?.dlopen(null, { malloc_trim: { arguments: ["u64"], return: "i32" } });
    return trim && (() => void trim.functions.malloc_trim(0n));
  } catch {
    return undefined;
  }
}

/** Collects the thread's garbage and hands the emptied pages back. Blocks the thread for some tens of milliseconds. */
function collectAll(): void {
  // The collector is only reachable under a flag, which may be set at any time; it is not left in the global scope.
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as Collect;
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}

/** Returns what to call at every activity. So long after the last, a heap above `bytesMax` is released. */
export function releaseWhenIdle(bytesMax: number, afterMs = idleMs): () => void {
  const trim = findTrim();
  let worthItBytes = bytesMax;
  const timer = setTimeout(() => {
    if (getHeapStatistics().total_heap_size > worthItBytes) {
      collectAll();
      // What it needs now would be collected in vain each time.
      worthItBytes = Math.max(bytesMax, getHeapStatistics().total_heap_size * growthWorthIt);
    }
    if (trim) setTimeout(trim, trimAfterMs).unref();
  }, afterMs).unref();
  return () => timer.refresh();
}
