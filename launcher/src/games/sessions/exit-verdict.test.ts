// What counts as a crash: what the system ended a game with, not what a person sent, and no ordinary exit code.
import assert from "node:assert/strict";
import { test } from "node:test";
import { classifyExit } from "./exit-verdict.ts";

const ends: readonly (readonly [
  says: string,
  exitCode: number | null,
  signal: string | null,
  ending: string,
  words?: string,
])[] = [
  ["0 is an end like any other", 0, null, "exited"],
  ["3 is no crash", 3, null, "exited"],
  ["SIGSEGV is a crash", null, "SIGSEGV", "crashed", "SIGSEGV, invalid memory access"],
  ["a signal without words of its own is a crash too", null, "SIGXFSZ", "crashed", "SIGXFSZ"],
  ["Ctrl-C is a person's", null, "SIGINT", "killed"],
  ["SIGKILL is a person's or the system's", null, "SIGKILL", "killed"],
  ["139 is what a shell makes of SIGSEGV", 139, null, "crashed", "exit code 139, with which a shell reports SIGSEGV"],
  ["130 is what a shell makes of Ctrl-C, and no crash", 130, null, "exited"],
  ["Windows says an access violation as a status", 0xc000_0005, null, "crashed", "0xC0000005, access violation"],
  ["or as a negative number", -1_073_741_819, null, "crashed", "0xC0000005, access violation"],
  ["a status without a name is a crash too", 0xc000_0006, null, "crashed", "0xC0000006"],
  ["Ctrl-C on Windows is a person's", 0xc000_013a, null, "killed"],
  ["-1 is what programs say that failed", -1, null, "exited"],
];
for (const [says, exitCode, signal, ending, words] of ends) {
  test(says, () => {
    const verdict = classifyExit({ exitCode, signal });
    assert.deepEqual([verdict.ending, "description" in verdict ? verdict.description : undefined], [ending, words]);
  });
}
