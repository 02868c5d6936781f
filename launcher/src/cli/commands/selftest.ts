// `kit selftest`: tries everything that Kit needs from this computer, and reports it without personal names.
import { closeSync, openSync, writeFileSync } from "node:fs";
import { release } from "node:os";
import { resolve } from "node:path";
import { InvalidSetting } from "../../config.ts";
import { answer, command, confirmedFlag, hiddenFlag, parsedFlag, textFlag, withDefault } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { createProgressLine, escapeInvisible, print, printError, say, withStyle } from "../output.ts";
import { askConfirmation } from "../prompt.ts";
import { setExitCode } from "../terminal.ts";

const says = [
  "Kit tests itself on this computer for at most three minutes. Meanwhile it shows a bar across the top of the screen, records the",
  "screen and what the computer plays, plays quiet tones, shows a notification, takes and presses the hotkey Ctrl+Shift+F11, and",
  "switches autostart on and off again.",
  ...(process.platform === "win32"
    ? ["It also copies a file, and then puts the text back that was on the clipboard."]
    : []),
  "It keeps only pictures of the bar. It uses a launcher and a data folder of its own: your games, clips and settings stay as they are.",
];

const statusStyles = { passed: "green", failed: "red", "not possible here": "dim" } as const;

/** Checks it before the minutes of the self-test, which would be lost with its page. */
function assertWritable(page: string): void {
  try {
    closeSync(openSync(page, "a"));
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw new InvalidSetting(`Kit cannot write ${page} (${code}). Name another file with --page.`);
  }
}

export const selftestCommand = command("selftest", "Try what Kit needs from this computer, for an issue report", {
  flags: {
    yes: confirmedFlag(),
    page: withDefault(textFlag("--page <file>", "where to write the page with pictures"), "kit-selftest.html"),
    asGame: hiddenFlag(parsedFlag("--as-game <port>", "send an event like a game, for the self-test", Number)),
  },
  async run({ config, flags, json }) {
    if (flags.asGame !== undefined) {
      const { sendAsGame } = await import("../../selftest/sender.ts");
      await sendAsGame(flags.asGame, print);
      return undefined;
    }
    await askConfirmation(says, flags.yes);
    const page = resolve(flags.page);
    assertWritable(page);
    const [{ runSelftest }, { countInWords, figuresInWords, reportPage }] = await Promise.all([
      import("../../selftest/run.ts"),
      import("../../selftest/report.ts"),
    ]);
    const cancel = new AbortController();
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => cancel.abort());
    const progress = createProgressLine();
    const results = await runSelftest({
      config,
      signal: cancel.signal,
      onBegin: (what) => progress.update(`Testing ${what} …`),
      onResult({ id, status, figures, advice }) {
        if (json) return;
        progress.end();
        const details = [advice, figuresInWords(figures)].filter(Boolean).join(" ");
        print(
          `${withStyle(statusStyles[status], status.padEnd(17))}  ${id.padEnd(20)}  ${escapeInvisible(say(details))}`,
        );
      },
    });
    progress.end();
    if (results.some(({ status }) => status === "failed") || cancel.signal.aborted) setExitCode(exitCodes.unwell);
    const about = `Kit ${config.version}, ${process.platform} ${release()} ${process.arch}, Node.js ${process.versions.node}`;
    writeFileSync(page, reportPage(results, about));
    if (json) printError(`The page with pictures is ${page}`);
    return answer({ about, checks: results.map(({ picture: _, ...rest }) => rest) }, () => {
      print("");
      print(`${about}: ${countInWords(results)}`);
      print(`The page with pictures, to attach to an issue: ${page}`);
    });
  },
});
