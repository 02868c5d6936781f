// `kit recorder`: what it does now, how it is set, a test recording, and what each event id makes of the screen.
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
import { BadSetting } from "../config.ts";
import { connect } from "./connection.ts";
import { exitCodes } from "./exit-codes.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson, printTable, styled } from "./output.ts";
import { bytesText, readBytes } from "./sizes.ts";
import { visible } from "./visible.ts";

const line = (name: string, value: string) => print(`${styled("bold", name.padEnd(14))} ${visible(value)}`);

function printReport({ state, settings, obsPasswordSet, ffmpeg }: RecorderReport): void {
  line("state", state.state);
  line("", state.detail);
  if (state.source !== null) line("captures", `${state.source} with ${state.encoder ?? state.backend}`);
  if (state.width > 0)
    line("picture", `${state.width} × ${state.height}, ${state.frameRate.toFixed(1)} frames a second`);
  line("holds", `${state.heldSeconds.toFixed(0)} s in ${bytesText(state.heldBytes)} of memory`);
  if (state.degraded !== null) line("stepped down", state.degraded);
  if (state.restarts > 0) line("restarts", `${state.restarts}, ${state.lostSeconds.toFixed(1)} s without footage`);
  line("ffmpeg", ffmpeg === null ? "none was found" : `${ffmpeg.version} (${ffmpeg.path})`);
  print("");
  const shown = Object.entries({ ...settings, obsPassword: obsPasswordSet ? "is set" : "none" });
  for (const [name, value] of shown) line(name, String(value ?? "the whole screen"));
}

async function show(flags: CommonFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const report = await client.call(getRecorder);
  if (flags.json) printJson(report);
  else printReport(report);
}

/** Text as the setting's own type; the launcher says what it expected where that fits nothing. */
function settingOf(name: string, text: string): string | number | null {
  if (name === "quotaBytes") return readBytes(text);
  if (name === "window" && /^(none|null|screen)$/i.test(text)) return null;
  return /^\d{1,15}$/.test(text) && name !== "window" ? Number(text) : text;
}

async function set(name: string, text: string, flags: CommonFlags): Promise<void> {
  if (name === "obsPassword") throw new BadSetting("A command line is seen by others: use `kit recorder password`.");
  const { client } = await connect(configOf(flags));
  const { settings } = await client.call(getRecorder);
  if (!(name in settings))
    throw new BadSetting(`There is no setting ${name}; there are ${Object.keys(settings).join(", ")}.`);
  const report = await client.call(changeRecorder, { body: { [name]: settingOf(name, text) } });
  if (flags.json) printJson(report);
  else printReport(report);
}

/** From standard input: a command line could be read by others. */
async function setPassword(flags: CommonFlags): Promise<void> {
  let text = "";
  if (process.stdin.isTTY) print("Type OBS's WebSocket password and press Enter; an empty line forgets it.");
  for await (const chunk of process.stdin) {
    text += chunk;
    if (text.includes("\n")) break;
  }
  const password = text.split(/\r?\n/, 1)[0] ?? "";
  const { client } = await connect(configOf(flags));
  await client.call(changeRecorder, { body: { obsPassword: password === "" ? null : password } });
  print(password === "" ? "No password is kept." : "The password is kept in a file only you can read.");
}

async function testIt(flags: CommonFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const result = await client.call(testRecorder);
  if (!result.ok) process.exitCode = exitCodes.unwell;
  if (flags.json) return printJson(result);
  for (const { what, ok, why } of result.tried) {
    print(`${styled(ok ? "green" : "dim", ok ? "taken " : "not   ")}  ${visible(what)}: ${visible(why)}`);
  }
  print(visible(result.says));
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
    ["event id", "makes", "before", "after", "gap", "longest", "cooldown", "priority", "changed"],
    rules.map(ruleRow),
  );

async function changeRule(eventId: string | undefined, flags: RuleFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  if (eventId === undefined) {
    const { rules } = await client.call(listRecordingRules);
    return flags.json ? printJson(rules) : printRules(rules);
  }
  if (flags.reset) {
    await client.call(resetRecordingRule, { query: { eventId } });
    return flags.json ? printJson({ reset: eventId }) : print(`${visible(eventId)} is back to the defaults.`);
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
  const password = command("password", "Keep OBS's WebSocket password; reads it from standard input").action(
    setPassword,
  );
  const test = command("test", "Record a few seconds now, and say what was chosen and why").action(testIt);
  const rule = command("rule", "Show the rules, or change what one event id makes of the screen")
    .argument("[event-id]")
    .addOption(new Option("--action <action>", "what it makes").choices(recordingActions))
    .option("--before <seconds>", "footage before the moment")
    .option("--after <seconds>", "footage after it")
    .option("--gap <seconds>", "how soon after a clip's end a moment still joins it")
    .option("--longest <seconds>", "no clip is longer")
    .option("--cooldown <seconds>", "how soon the same id again makes no new clip")
    .option("--priority <n>", "0 to 1000: what is kept longest when room is needed")
    .option("--reset", "return to the defaults")
    .action(changeRule);
  const recorder = command("recorder", "Show the recorder; set it, test it, or change what an event id makes");
  recorder.action(show);
  for (const each of [setOne, password, test, rule]) recorder.addCommand(each);
  return recorder;
}
