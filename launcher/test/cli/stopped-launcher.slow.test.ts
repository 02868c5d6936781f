// Tests of commands while the process of the launcher stands still.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished, test } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import { placeOf } from "../support/kit-command.ts";
import { kitCommand } from "../support/launcher-process.ts";
import { launcherProcessOfFile } from "../support/own-launcher.ts";

const launcher = await launcherProcessOfFile();

/** Runs `kit` as a process of its own. `printedMs` is when a text appeared, `endedMs` when the process ended. */
async function runTimed(text: RegExp, ...words: readonly string[]) {
  const [program = "", ...rest] = kitCommand(...words);
  const child = spawn(program, rest, { env: { ...process.env, CI: "1" }, stdio: ["ignore", "pipe", "pipe"] });
  const begunMs = performance.now();
  let printed = "";
  let printedMs = Number.POSITIVE_INFINITY;
  for (const output of [child.stdout, child.stderr])
    output.on("data", (chunk) => {
      printed += chunk;
      if (text.test(printed)) printedMs = Math.min(printedMs, performance.now() - begunMs);
    });
  const [code] = await once(child, "close");
  return { code, printed, printedMs, endedMs: performance.now() - begunMs };
}

test.skipIf(cannot.sendSignals)(
  "kit run ends within 5 s of its game, and kit doctor names the process within 5 s, although the launcher stands still",
  async () => {
    const { pid } = launcher.process();
    process.kill(pid, "SIGSTOP");
    onTestFinished(() => void process.kill(pid, "SIGCONT"));
    const game = [process.execPath, "-e", "console.log('game over'); process.exitCode = 7"];
    const run = await runTimed(/game over/, "run", ...placeOf(launcher), "--", ...game);
    assert.equal(run.code, 7, run.printed);
    assert.ok(run.endedMs - run.printedMs < 5_000, `it ended ${run.endedMs - run.printedMs} ms after its game`);
    assert.match(
      run.printed,
      new RegExp(`this run was not recorded: Kit runs \\(process ${pid}\\) but does not respond`),
    );

    const sentence = new RegExp(`Kit runs \\(process ${pid}\\) but does not respond on port ${launcher.port}`);
    const doctor = await runTimed(sentence, "doctor", ...placeOf(launcher));
    assert.equal(doctor.code, 5, doctor.printed);
    assert.ok(doctor.printedMs < 5_000, doctor.printed);
    for (const words of [["api", "getHealth"], ["stop"]]) {
      const { code, printed } = await runTimed(sentence, ...words, ...placeOf(launcher));
      assert.equal(code, 3, printed);
      assert.match(printed, sentence);
    }
  },
);
