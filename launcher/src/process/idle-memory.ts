// Returns memory to the system after a burst of work, because V8 and the C library keep what they once allocated.
import { flushCompileCache } from "node:module";
import { getBuiltinModule } from "node:process";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

const idleMs = 10_000;
const growthWorthIt = 1.25;
/** Time that every thread gets to collect its own garbage, before empty pages are returned to the system. */
const trimAfterMs = 5_000;

type Collect = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

/** Returns malloc_trim(3), which affects all threads, or undefined if Node or the C library does not support it. */
function findTrim(): (() => void) | undefined {
  if (process.platform !== "linux" || !isMainThread) return undefined;
  try {
    const trim = getBuiltinModule("node:ffi")?.dlopen(null, { malloc_trim: { arguments: ["u64"], return: "i32" } });
    return trim && (() => void trim.functions.malloc_trim(0n));
  } catch {
    return undefined;
  }
}

/** Collects the thread's garbage and returns empty pages to the system. Blocks the thread for tens of milliseconds. */
function collectAll(): void {
  // The collector needs a flag, which can be set at run time. A separate context keeps `gc` out of the global scope.
  setFlagsFromString("--expose-gc");
  // Drops compiled code that did not run since the collection before. Set here, because it would slow down the start.
  setFlagsFromString("--bytecode-old-age=1");
  setFlagsFromString("--flush-baseline-code");
  const collect = runInNewContext("gc") as Collect;
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}

/** Releases memory above `bytesMax` after `afterMs` without activity. Returns a function to call at every activity. */
export function releaseMemoryWhenIdle(bytesMax: number, afterMs = idleMs): () => void {
  const trim = findTrim();
  let worthItBytes = bytesMax;
  const timer = setTimeout(() => {
    // Node holds the compiled code that it read or made for the next start until the code is on disk: 2 MB.
    flushCompileCache();
    if (getHeapStatistics().total_heap_size > worthItBytes) {
      collectAll();
      // Memory that is still in use must not trigger another collection each time.
      worthItBytes = Math.max(bytesMax, getHeapStatistics().total_heap_size * growthWorthIt);
    }
    if (trim) setTimeout(trim, trimAfterMs).unref();
  }, afterMs).unref();
  return () => timer.refresh();
}
