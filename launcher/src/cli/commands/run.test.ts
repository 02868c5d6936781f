// Tests of the output tail, which keeps whole characters and never exceeds its maximum, of the command line of batch files, and of
// what `kit run` says of a program that does not start.
import assert from "node:assert/strict";
import { test } from "vitest";
import { batchCommandLine, createOutputTail, GameNotStarted } from "./run.ts";

const after = (...chunks: readonly (string | Buffer)[]) => {
  const last = createOutputTail();
  for (const chunk of chunks) last.add(Buffer.from(chunk as string));
  return last.text();
};

test("short output is kept unchanged, even if chunks split characters", () => {
  const whole = Buffer.from("the door ↯\nis stuck\n");
  assert.equal(after(whole.subarray(0, 10), whole.subarray(10)), "the door ↯\nis stuck");
});

test("only the last 200 lines are kept", () => {
  const lines = Array.from({ length: 500 }, (_, index) => `line ${index}`);
  assert.deepEqual(after(lines.join("\n")).split("\n"), lines.slice(-200));
});

test("an endless line is cut to the last 32 KiB, at a whole character", () => {
  const text = after(...Array.from({ length: 100 }, () => "é".repeat(1_001)));
  assert.ok(text.length <= 32 * 1024 && text.length > 16_000, `${text.length}`);
  assert.match(text, /^é+$/);
});

test("each word for a batch file is in quotes, and words that Windows would change are refused", () => {
  const program = "C:\\Tom & Co\\saga.bat";
  assert.equal(batchCommandLine(program, ["two words", ""]), '""C:\\Tom & Co\\saga.bat" "two words" """');
  for (const word of ['a"b', "%PATH%", "a&calc", "a|b", "a>b", "a^b", "a\nb", "a\rb"])
    assert.throws(() => batchCommandLine(program, [word]), /UNSAFE_WORDS/);
  assert.throws(() => batchCommandLine("C:\\100%\\saga.bat", []), /UNSAFE_WORDS/);
});

test("of a program that Windows starts only as administrator, kit run says so and what to do", () => {
  const refusal = (platform: NodeJS.Platform) =>
    new GameNotStarted("C:\\saga.exe", Object.assign(new Error("spawn EACCES"), { code: "EACCES" }), platform);
  assert.equal(
    refusal("win32").message,
    "Windows starts C:\\saga.exe only as administrator. Start it yourself, for example from the Start menu.",
  );
  assert.equal(refusal("win32").exitCode, 126);
  // Elsewhere, the file is not executable.
  assert.equal(refusal("linux").message, "C:\\saga.exe: the program cannot be run (EACCES).");
});
