// `kit forward`: lists, adds, tests, switches and removes forwarding targets.
import {
  addForwardTarget,
  changeForwardTarget,
  type ForwardKind,
  type ForwardTarget,
  forwardKinds,
  listForwardTargets,
  removeForwardTarget,
  testForwardTarget,
} from "@kit/contract";
import { Argument, type Command } from "commander";
import { InvalidSetting } from "../config.ts";
import { connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { exitCodes } from "./exit-codes.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson, printTable, styled } from "./output.ts";
import { formatBytes } from "./units.ts";

function targetStatus({ enabled, stopped, waitsUntil, waitsBecause }: ForwardTarget): string {
  if (!enabled) return "off";
  if (stopped !== null) return "stopped";
  if (waitsUntil === null) return "on";
  return `${waitsBecause === "rate-limit" ? "rate-limited" : "retrying"} until ${waitsUntil}`;
}

const targetAddress = ({ host, project }: ForwardTarget) => (project === null ? host : `${host}, project ${project}`);

function printTargets(targets: readonly ForwardTarget[]): void {
  const rows = targets.map((target) => [
    target.id,
    target.kind,
    targetAddress(target),
    target.game ?? "all games",
    targetStatus(target),
    target.delivered.toLocaleString("en-US"),
    `${target.waiting.toLocaleString("en-US")} (${formatBytes(target.waitingBytes)})`,
    target.dropped.toLocaleString("en-US"),
  ]);
  printTable(["id", "kind", "where", "game", "state", "delivered", "waiting", "dropped"], rows);
  for (const { id, stopped, lastError } of targets) {
    if (stopped !== null) print(styled("red", `${id} stopped: ${escapeInvisible(stopped)}`));
    else if (lastError !== null) print(styled("yellow", `${id} last error: ${escapeInvisible(lastError)}`));
  }
}

async function list(flags: CommonFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const { targets } = await client.call(listForwardTargets);
  if (flags.json) return printJson(targets);
  if (targets.length === 0)
    return print("No forwarding target yet. Add one with `kit forward add sentry` or `kit forward add otlp`.");
  printTargets(targets);
}

/** Reads credentials from standard input, because other users can read command lines. */
async function readLines(prompt: string, isEnough: (text: string) => boolean): Promise<string[]> {
  let text = "";
  if (process.stdin.isTTY) print(prompt);
  for await (const chunk of process.stdin) {
    text += chunk;
    if (isEnough(text)) break;
  }
  return text.split(/\r?\n/).map((line) => line.trim());
}

const prompts: Readonly<Record<ForwardKind, string>> = {
  sentry: "Paste the DSN and press Enter.",
  otlp: "Type the collector's address, then one header per line (name: value), then an empty line.",
};

async function readServer(kind: ForwardKind): Promise<{ address: string; headers?: Record<string, string> }> {
  const isEnough = (text: string) => (kind === "sentry" ? /\S\s*\n/.test(text) : /\n\r?\n/.test(text));
  const [address = "", ...rest] = (await readLines(prompts[kind], isEnough)).filter((line) => line !== "");
  if (address === "") throw new InvalidSetting(`Standard input was empty. ${prompts[kind]}`);
  if (rest.length === 0) return { address };
  const named = rest.map((line) => {
    const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined)
      throw new InvalidSetting("Each line after the address must be a header such as name: value.");
    return [name, value] as const;
  });
  return { address, headers: Object.fromEntries(named) };
}

type AddFlags = CommonFlags & { game?: string };

async function add(kind: ForwardKind, flags: AddFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const target = await client.call(addForwardTarget, {
    body: { kind, ...(await readServer(kind)), game: flags.game ?? null },
  });
  if (flags.json) return printJson(target);
  print(
    `Error reports of ${escapeInvisible(target.game ?? "all games")} are forwarded to ${escapeInvisible(targetAddress(target))}. Test it: kit forward test ${target.id}`,
  );
}

async function change(id: string, enabled: boolean, flags: CommonFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const target = await client.call(changeForwardTarget, { params: { id }, body: { enabled } });
  if (flags.json) printJson(target);
  else printTargets([target]);
}

async function testOne(id: string, flags: CommonFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const result = await client.call(testForwardTarget, { params: { id } });
  if (!result.ok) process.exitCode = exitCodes.unwell;
  if (flags.json) return printJson(result);
  print(styled(result.ok ? "green" : "red", escapeInvisible(result.says)));
  if (result.answer) print(`The server answered: ${escapeInvisible(result.answer)}`);
  if (result.ok && result.report !== null) print(`Look there for the report ${result.report.replaceAll("-", "")}.`);
}

async function remove(id: string, flags: CommonFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  await client.call(removeForwardTarget, { params: { id } });
  if (flags.json) printJson({ removed: id });
  else print("Removed the target, its credentials and its pending reports.");
}

export function forwardCommand(): Command {
  const id = () => new Argument("<id>", "a target's id, from `kit forward`");
  const adding = command("add", "Add a target; reads its DSN, or address and headers, from standard input")
    .addArgument(
      new Argument("<kind>", "sentry: Sentry, GlitchTip, Bugsink …; otlp: an OpenTelemetry collector").choices(
        forwardKinds,
      ),
    )
    .option("--game <game>", "only reports of this game; `unsorted` for reports without a game")
    .action(add);
  const testing = command("test", "Send a test report and print the server's answer").addArgument(id()).action(testOne);
  const removing = command("remove", "Remove a target, its credentials and its pending reports")
    .addArgument(id())
    .action(remove);
  const starting = command("on", "Switch a target on, even if it was stopped by an error")
    .addArgument(id())
    .action((which: string, flags: CommonFlags) => change(which, true, flags));
  const ending = command("off", "Switch a target off: new reports are not queued, and pending ones are not sent")
    .addArgument(id())
    .action((which: string, flags: CommonFlags) => change(which, false, flags));
  const forward = command("forward", "List forwarding targets for error reports; add, test, switch or remove one")
    .helpGroup(helpGroups.teams)
    .action(list);
  for (const each of [adding, testing, starting, ending, removing]) forward.addCommand(each);
  return forward;
}
