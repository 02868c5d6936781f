// Gives a thread's memory back when a burst is over: V8 keeps what it once needed, and the memory is the player's.
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const idleMs = 10_000;

type Collect = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

/** Collects the thread's garbage and hands the emptied pages back. Blocks the thread for some tens of milliseconds. */
function release(): void {
  // The collector is only reachable under a flag, which may be set at any time; it is not left in the global scope.
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as Collect;
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}

/** Returns what to call at every activity. Ten idle seconds after the last, a heap above `bytesMax` is released. */
export function releaseWhenIdle(bytesMax: number): () => void {
  const timer = setTimeout(() => {
    if (getHeapStatistics().total_heap_size > bytesMax) release();
  }, idleMs).unref();
  return () => timer.refresh();
}
