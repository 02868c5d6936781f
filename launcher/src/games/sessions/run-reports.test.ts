// Tests of exit verdicts: which exit codes and signals count as a crash.
import assert from "node:assert/strict";
import { test } from "vitest";
import { classifyExit } from "./run-reports.ts";

const ends: readonly (readonly [
  title: string,
  exitCode: number | null,
  signal: string | null,
  ending: string,
  description?: string,
])[] = [
  ["0 is an ordinary exit", 0, null, "exited"],
  ["3 is an ordinary exit", 3, null, "exited"],
  ["SIGSEGV is a crash", null, "SIGSEGV", "crashed", "SIGSEGV, invalid memory access"],
  ["a signal without a description is a crash", null, "SIGXFSZ", "crashed", "SIGXFSZ"],
  ["SIGINT counts as ended by a person", null, "SIGINT", "killed"],
  ["SIGKILL counts as ended by a person or the system", null, "SIGKILL", "killed"],
  [
    "139 is a crash, because a shell reports SIGSEGV with it",
    139,
    null,
    "crashed",
    "exit code 139, with which a shell reports SIGSEGV",
  ],
  ["130 is an ordinary exit, because a shell reports Ctrl-C with it", 130, null, "exited"],
  [
    "the Windows status of an access violation is a crash",
    0xc000_0005,
    null,
    "crashed",
    "0xC0000005, access violation",
  ],
  ["the same status as a negative number is a crash", -1_073_741_819, null, "crashed", "0xC0000005, access violation"],
  ["a Windows status without a name is a crash", 0xc000_0006, null, "crashed", "0xC0000006"],
  ["the Windows status of Ctrl-C counts as ended by a person", 0xc000_013a, null, "killed"],
  ["-1 is an ordinary exit", -1, null, "exited"],
];
for (const [title, exitCode, signal, ending, description] of ends) {
  test(title, () => {
    const verdict = classifyExit({ exitCode, signal });
    assert.deepEqual(
      [verdict.ending, "description" in verdict ? verdict.description : undefined],
      [ending, description],
    );
  });
}
