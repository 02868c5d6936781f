// `kit recorder` shows the recorder's state, changes its settings and rules, and makes a test recording. `kit ffmpeg` shows which ffmpeg
// it uses, and installs one with the package manager of the system.

import { spawn } from "node:child_process";
import {
  changeRecorder,
  changeRecordingRule,
  getRecorder,
  KitError,
  listRecorderSources,
  listRecordingRules,
  type RecorderReport,
  type RecordingRule,
  recordingActions,
  resetRecordingRule,
  testRecorder,
} from "@kit/contract";
import { InvalidSetting, kitCommandInWords } from "../../config.ts";
import { findFfmpeg } from "../../recording/ffmpeg/find.ts";
import { findInstaller, judgeInstall, offerMessage } from "../../recording/ffmpeg/install.ts";
import {
  answer,
  choiceFlag,
  command,
  confirmedFlag,
  parameter,
  parseByteSize,
  textFlag,
  toggleFlag,
} from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { createFieldPrinter, escapeInvisible, formatBytes, print, printTable, say, withStyle } from "../output.ts";
import { askConfirmation, readInput } from "../prompt.ts";
import { setExitCode } from "../terminal.ts";

function printReport({ state, settings, obsPasswordSet, ffmpeg, trouble }: RecorderReport): void {
  const line = createFieldPrinter(14);
  line("state", state.state);
  line("", say(state.detail));
  if (state.source !== null) line("captures", `${state.source} with ${state.encoder ?? state.backend}`);
  if (state.width > 0)
    line("picture", `${state.width} × ${state.height}, ${state.frameRate.toFixed(1)} frames a second`);
  line("buffer", `${state.heldSeconds.toFixed(0)} s in ${formatBytes(state.heldBytes)} of memory`);
  line("degraded", state.degraded);
  if (state.restarts > 0) line("restarts", `${state.restarts}, ${state.lostSeconds.toFixed(1)} s without footage`);
  line("ffmpeg", ffmpeg === null ? "not found" : `${ffmpeg.version} (${ffmpeg.path})`);
  print("");
  const rows = Object.entries({ ...settings, obsPassword: obsPasswordSet ? "saved" : "none" });
  for (const [name, value] of rows) line(name, String(value ?? "none"));
  for (const reason of Object.values(trouble)) if (reason !== null) print(escapeInvisible(say(reason)));
}

/** Converts the text to the type of the setting. Does not check it, because the launcher refuses invalid values. */
function parseSetting(name: string, given: string): string | number | boolean | null {
  if ((name === "microphone" || name === "trayIcon") && /^(on|off|true|false)$/i.test(given))
    return /^(on|true)$/i.test(given);
  if (name === "quotaBytes") return parseByteSize(given);
  if ((name === "window" || name === "monitor") && /^(none|null)$/i.test(given)) return null;
  if (name.endsWith("Hotkey") && /^(none|null|off)$/i.test(given)) return null;
  return /^\d{1,15}$/.test(given) && name !== "window" ? Number(given) : given;
}

const set = command("set", "Change one setting, e.g. `kit recorder set frameRate 60`", {
  parameters: [parameter("<name>"), parameter("<value>")],
  async run({ client }, name, given) {
    if (name === "obsPassword")
      throw new InvalidSetting("Other users can read command lines. Use `kit recorder password` instead.");
    const { settings } = await client.call(getRecorder);
    if (!(name in settings))
      throw new InvalidSetting(`There is no setting ${name}. The settings are ${Object.keys(settings).join(", ")}.`);
    return answer(await client.call(changeRecorder, { body: { [name]: parseSetting(name, given) } }), printReport);
  },
});

const password = command("password", "Save OBS's WebSocket password, read from standard input", {
  async run({ client }) {
    const prompt = "Type OBS's WebSocket password and press Enter. An empty line removes the saved password.";
    const [given = ""] = await readInput(prompt, (input) => input.includes("\n"));
    await client.call(changeRecorder, { body: { obsPassword: given === "" ? null : given } });
    print(
      given === "" ? "The saved password was removed." : "The password was saved in a file that only you can read.",
    );
  },
});

const sources = command("sources", "List the monitors and windows that can be recorded", {
  async run({ client }) {
    const found = await client.call(listRecorderSources);
    return answer(found, ({ sources, why }) => {
      if (why !== null) print(escapeInvisible(say(why)));
      printTable(
        ["setting", "value", "size"],
        sources.map(({ kind, name, width, height }) => [kind, escapeInvisible(name), `${width} × ${height}`]),
      );
    });
  },
});

const test = command("test", "Record a few seconds now, and show which inputs and encoders work", {
  async run({ client, config }) {
    const result = await client.call(testRecorder);
    if (!result.ok) setExitCode(exitCodes.unwell);
    return answer(result, ({ tried, says, clip }) => {
      for (const { what, ok, why } of tried) {
        const outcome = withStyle(ok ? "green" : "dim", ok ? "works " : "fails ");
        print(`${outcome}  ${escapeInvisible(say(what))}: ${escapeInvisible(say(why))}`);
      }
      print(escapeInvisible(say(says)));
      if (clip !== null) print(kitCommandInWords(config, `clip ${clip}`));
    });
  },
});

function printRules(rules: readonly RecordingRule[]): void {
  const rows = rules.map((rule) => [
    rule.eventId,
    rule.action,
    String(rule.preSeconds),
    String(rule.postSeconds),
    String(rule.mergeGapSeconds),
    String(rule.longestSeconds),
    String(rule.cooldownSeconds),
    String(rule.priority),
    rule.changed ? "yes" : "",
  ]);
  printTable(["event id", "action", "before", "after", "gap", "longest", "cooldown", "priority", "changed"], rows);
}

const rule = command("rule", "Show the recording rules, or change the rule of one event id", {
  parameters: [parameter("[event-id]")],
  flags: {
    action: choiceFlag("--action <action>", "what to make: clip, screenshot, marker or nothing", recordingActions),
    preSeconds: textFlag("--before <seconds>", "pre-roll: footage before the moment"),
    postSeconds: textFlag("--after <seconds>", "post-roll: footage after the moment"),
    mergeGapSeconds: textFlag("--gap <seconds>", "merge gap: a moment this soon after a clip's end joins that clip"),
    longestSeconds: textFlag("--longest <seconds>", "maximum length of a clip"),
    cooldownSeconds: textFlag("--cooldown <seconds>", "minimum time between two clips of the same event id"),
    priority: textFlag("--priority <n>", "0 to 1000: clips with a high priority are kept longest"),
    reset: toggleFlag("--reset", "return to the defaults"),
  },
  async run({ client, flags: { action, reset, ...numbers } }, eventId) {
    if (eventId === undefined) return answer((await client.call(listRecordingRules)).rules, printRules);
    if (reset) {
      await client.call(resetRecordingRule, { query: { eventId } });
      return answer({ reset: eventId }, `${escapeInvisible(eventId)} now uses the defaults.`);
    }
    const body = {
      eventId,
      ...(action && { action }),
      ...Object.fromEntries(Object.entries(numbers).map(([name, given]) => [name, Number(given)])),
    };
    const changed = await client.call(changeRecordingRule, { body });
    return answer(changed, () => printRules([changed]));
  },
});

export const recorderCommand = command(
  "recorder",
  "Show the recorder's state; change its settings and rules, or test it",
  {
    group: "players",
    subcommands: [set, sources, password, test, rule],
    run: async ({ client }) => answer(await client.call(getRecorder), printReport),
  },
);

/** Runs the package manager in this terminal, where it shows its progress and asks. With `--json`, it prints to stderr. */
function runInTerminal([program = "", ...words]: readonly string[], json: boolean): Promise<number | null> {
  // The package manager may ask something in this window.
  const child = spawn(program, words, { stdio: ["inherit", json ? 2 : "inherit", "inherit"], windowsHide: false });
  return new Promise((resolve) => {
    child.once("error", () => resolve(null));
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

const install = command("install", "Install ffmpeg with the package manager of this system, and test it", {
  flags: { yes: confirmedFlag() },
  async run({ config, flags, json }) {
    const find = () => findFfmpeg({ chosen: config.ffmpeg, searchPath: config.searchPath });
    const { ffmpeg, says } = await find();
    if (ffmpeg !== undefined && ffmpeg.origin !== "package")
      return answer({ installed: true, says: say(says) }, () => print(escapeInvisible(say(says))));
    const installer = findInstaller({ chosen: config.ffmpeg, searchPath: config.searchPath, asksIn: "terminal" });
    if ("instead" in installer) throw new KitError("not_found", installer.instead);
    await askConfirmation([say(offerMessage(installer))], flags.yes);
    const code = await runInTerminal(installer.command, json);
    const result = await judgeInstall(installer.command.join(" "), code, find);
    if (!result.ok) setExitCode(exitCodes.failed);
    return answer({ installed: result.ok, says: say(result.says) }, (found) => print(escapeInvisible(found.says)));
  },
});

export const ffmpegCommand = command("ffmpeg", "Show which ffmpeg Kit uses, or install one", {
  group: "players",
  subcommands: [install],
  async run({ config }) {
    const { ffmpeg, says } = await findFfmpeg({ chosen: config.ffmpeg, searchPath: config.searchPath });
    if (ffmpeg === undefined) setExitCode(exitCodes.unwell);
    return answer({ path: ffmpeg?.path ?? null, says: say(says) }, (found) => {
      print(escapeInvisible(found.says));
      if (found.path !== null) print(escapeInvisible(found.path));
    });
  },
});
