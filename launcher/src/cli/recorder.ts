// `kit recorder`: shows the recorder's state, changes its settings and rules, and makes a test recording.
import {
  changeRecorder,
  changeRecordingRule,
  getRecorder,
  listRecordingRules,
  type RecorderReport,
  type RecordingAction,
  type RecordingRule,
  recordingActions,
  resetRecordingRule,
  testRecorder,
} from "@kit/contract";
import { type Command, Option } from "commander";
import { InvalidSetting } from "../config.ts";
import { connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { exitCodes } from "./exit-codes.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson, printTable, styled } from "./output.ts";
import { formatBytes, parseBytes } from "./units.ts";

const line = (name: string, value: string) => print(`${styled("bold", name.padEnd(14))} ${escapeInvisible(value)}`);

function printReport({ state, settings, obsPasswordSet, ffmpeg }: RecorderReport): void {
  line("state", state.state);
  line("", state.detail);
  if (state.source !== null) line("captures", `${state.source} with ${state.encoder ?? state.backend}`);
  if (state.width > 0)
    line("picture", `${state.width} × ${state.height}, ${state.frameRate.toFixed(1)} frames a second`);
  line("buffer", `${state.heldSeconds.toFixed(0)} s in ${formatBytes(state.heldBytes)} of memory`);
  if (state.degraded !== null) line("degraded", state.degraded);
  if (state.restarts > 0) line("restarts", `${state.restarts}, ${state.lostSeconds.toFixed(1)} s without footage`);
  line("ffmpeg", ffmpeg === null ? "not found" : `${ffmpeg.version} (${ffmpeg.path})`);
  print("");
  const rows = Object.entries({ ...settings, obsPassword: obsPasswordSet ? "saved" : "none" });
  for (const [name, value] of rows) line(name, String(value ?? "the whole screen"));
}

async function show(flags: CommonFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const report = await client.call(getRecorder);
  if (flags.json) printJson(report);
  else printReport(report);
}

/** Converts the text to the setting's type. The launcher rejects invalid values. */
function parseSetting(name: string, text: string): string | number | null {
  if (name === "quotaBytes") return parseBytes(text);
  if (name === "window" && /^(none|null|screen)$/i.test(text)) return null;
  return /^\d{1,15}$/.test(text) && name !== "window" ? Number(text) : text;
}

async function set(name: string, text: string, flags: CommonFlags): Promise<void> {
  if (name === "obsPassword")
    throw new InvalidSetting("Other users can read command lines. Use `kit recorder password` instead.");
  const { client } = await connect(configFromFlags(flags));
  const { settings } = await client.call(getRecorder);
  if (!(name in settings))
    throw new InvalidSetting(`There is no setting ${name}. The settings are ${Object.keys(settings).join(", ")}.`);
  const report = await client.call(changeRecorder, { body: { [name]: parseSetting(name, text) } });
  if (flags.json) printJson(report);
  else printReport(report);
}

/** Reads the password from standard input, because other users can read command lines. */
async function setPassword(flags: CommonFlags): Promise<void> {
  let text = "";
  if (process.stdin.isTTY)
    print("Type OBS's WebSocket password and press Enter. An empty line removes the saved password.");
  for await (const chunk of process.stdin) {
    text += chunk;
    if (text.includes("\n")) break;
  }
  const password = text.split(/\r?\n/, 1)[0] ?? "";
  const { client } = await connect(configFromFlags(flags));
  await client.call(changeRecorder, { body: { obsPassword: password === "" ? null : password } });
  print(
    password === "" ? "The saved password was removed." : "The password was saved in a file that only you can read.",
  );
}

async function testOne(flags: CommonFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const result = await client.call(testRecorder);
  if (!result.ok) process.exitCode = exitCodes.unwell;
  if (flags.json) return printJson(result);
  for (const { what, ok, why } of result.tried) {
    print(
      `${styled(ok ? "green" : "dim", ok ? "works " : "fails ")}  ${escapeInvisible(what)}: ${escapeInvisible(why)}`,
    );
  }
  print(escapeInvisible(result.says));
  if (result.clip !== null) print(`kit clip ${result.clip}`);
}

type RuleFlags = CommonFlags & {
  action?: RecordingAction;
  before?: string;
  after?: string;
  gap?: string;
  longest?: string;
  cooldown?: string;
  priority?: string;
  reset?: true;
};

const ruleRow = (rule: RecordingRule) => [
  rule.eventId,
  rule.action,
  String(rule.preSeconds),
  String(rule.postSeconds),
  String(rule.mergeGapSeconds),
  String(rule.longestSeconds),
  String(rule.cooldownSeconds),
  String(rule.priority),
  rule.changed ? "yes" : "",
];

const printRules = (rules: readonly RecordingRule[]) =>
  printTable(
    ["event id", "action", "before", "after", "gap", "longest", "cooldown", "priority", "changed"],
    rules.map(ruleRow),
  );

async function changeRule(eventId: string | undefined, flags: RuleFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  if (eventId === undefined) {
    const { rules } = await client.call(listRecordingRules);
    return flags.json ? printJson(rules) : printRules(rules);
  }
  if (flags.reset) {
    await client.call(resetRecordingRule, { query: { eventId } });
    return flags.json ? printJson({ reset: eventId }) : print(`${escapeInvisible(eventId)} now uses the defaults.`);
  }
  const numbers = {
    preSeconds: flags.before,
    postSeconds: flags.after,
    mergeGapSeconds: flags.gap,
    longestSeconds: flags.longest,
    cooldownSeconds: flags.cooldown,
    priority: flags.priority,
  };
  const given = Object.entries(numbers).filter(([, text]) => text !== undefined);
  const body = {
    eventId,
    ...(flags.action && { action: flags.action }),
    ...Object.fromEntries(given.map(([name, text]) => [name, Number(text)])),
  };
  const rule = await client.call(changeRecordingRule, { body });
  if (flags.json) printJson(rule);
  else printRules([rule]);
}

export function recorderCommand(): Command {
  const setOne = command("set", "Change one setting, e.g. `kit recorder set frameRate 60`")
    .argument("<name>")
    .argument("<value>")
    .action(set);
  const password = command("password", "Save OBS's WebSocket password, read from standard input").action(setPassword);
  const test = command("test", "Record a few seconds now, and show which inputs and encoders work").action(testOne);
  const rule = command("rule", "Show the recording rules, or change the rule of one event id")
    .argument("[event-id]")
    .addOption(
      new Option("--action <action>", "what to make: clip, screenshot, marker or nothing").choices(recordingActions),
    )
    .option("--before <seconds>", "pre-roll: footage before the moment")
    .option("--after <seconds>", "post-roll: footage after the moment")
    .option("--gap <seconds>", "merge gap: a moment this soon after a clip's end joins that clip")
    .option("--longest <seconds>", "maximum length of a clip")
    .option("--cooldown <seconds>", "minimum time between two clips of the same event id")
    .option("--priority <n>", "0 to 1000: clips with a high priority are kept longest")
    .option("--reset", "return to the defaults")
    .action(changeRule);
  const recorder = command(
    "recorder",
    "Show the recorder's state; change its settings and rules, or test it",
  ).helpGroup(helpGroups.players);
  recorder.action(show);
  for (const each of [setOne, password, test, rule]) recorder.addCommand(each);
  return recorder;
}
