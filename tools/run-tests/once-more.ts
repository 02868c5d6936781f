// Which files that failed run once more, by themselves: a real engine or browser on a busy machine can miss its moment
// without anything being wrong. Either outcome is told, so that a test which is unsteady gets mended.

/** Beyond so many it is not the machine. */
const filesMax = 3;

/** Where something acknowledged was lost once, it is lost. */
const neverLost = /^launcher\/(src\/(inbox|storage)\/|test\/(kept-exactly|kill9|social-kill9|storage)[.-])/u;

/** All of the files or none: with one that has failed for good the others would not matter. */
export function toRunOnceMore(failed: readonly string[]): readonly string[] {
  return failed.length <= filesMax && !failed.some((path) => neverLost.test(path)) ? failed : [];
}
