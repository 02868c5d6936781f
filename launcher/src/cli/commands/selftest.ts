// `kit selftest`: tries everything that Kit needs from this computer, and reports it without personal names.
import { writeFileSync } from "node:fs";
import { release } from "node:os";
import { resolve } from "node:path";
import { answer, command, confirmedFlag, hiddenFlag, parsedFlag, textFlag, withDefault } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { createProgressLine, escapeInvisible, print, printError, withStyle } from "../output.ts";
import { askConfirmation } from "../prompt.ts";

const says = [
  "Kit tests itself on this computer for at most three minutes. Meanwhile it shows a bar across the top of the screen and records",
  "the screen, plays a quiet tone, shows a notification, takes the hotkey Ctrl+Shift+F11, and switches autostart on and off again.",
  "It keeps only pictures of the bar. It uses a launcher and a data folder of its own: your games, clips and settings stay as they are.",
];

const statusStyles = { passed: "green", failed: "red", "not possible here": "dim" } as const;

export const selftestCommand = command(
  "selftest",
  "Try everything that Kit needs from this computer, for an issue report",
  {
    group: "about",
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
      const [{ runSelftest }, { figuresInWords, reportPage }] = await Promise.all([
        import("../../selftest/run.ts"),
        import("../../selftest/report-page.ts"),
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
          print(`${withStyle(statusStyles[status], status.padEnd(17))}  ${id.padEnd(20)}  ${escapeInvisible(details)}`);
        },
      });
      progress.end();
      if (results.some(({ status }) => status === "failed") || cancel.signal.aborted)
        process.exitCode = exitCodes.unwell;
      const about = `Kit ${config.version}, ${process.platform} ${release()} ${process.arch}, Node.js ${process.versions.node}`;
      const page = resolve(flags.page);
      writeFileSync(page, reportPage(results, about));
      if (json) printError(`The page with pictures is ${page}`);
      return answer({ about, checks: results.map(({ picture: _, ...rest }) => rest) }, ({ checks }) => {
        const count = (status: string) => checks.filter((each) => each.status === status).length;
        print("");
        print(
          `${about}: ${count("passed")} passed, ${count("failed")} failed, ${count("not possible here")} not possible here`,
        );
        print(`The page with pictures, to attach to an issue: ${page}`);
      });
    },
  },
);
