// `kit forward`: the servers error reports are sent on to; adding, testing and removing one.
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
import { BadSetting } from "../config.ts";
import { connect } from "./connection.ts";
import { exitCodes } from "./exit-codes.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson, printTable, styled } from "./output.ts";
import { bytesText } from "./sizes.ts";
import { visible } from "./visible.ts";

function stateOf({ enabled, stopped, waitsUntil, waitsBecause }: ForwardTarget): string {
  if (!enabled) return "off";
  if (stopped !== null) return "stopped";
  if (waitsUntil === null) return "on";
  return `${waitsBecause === "rate-limit" ? "the server wants nothing" : "tries again"} until ${waitsUntil}`;
}

const whereOf = ({ host, project }: ForwardTarget) => (project === null ? host : `${host}, project ${project}`);

function printTargets(targets: readonly ForwardTarget[]): void {
  const rows = targets.map((target) => [
    target.id,
    target.kind,
    whereOf(target),
    target.game ?? "all games",
    stateOf(target),
    target.delivered.toLocaleString("en-US"),
    `${target.waiting.toLocaleString("en-US")} (${bytesText(target.waitingBytes)})`,
    target.dropped.toLocaleString("en-US"),
  ]);
  printTable(["id", "kind", "where", "game", "state", "delivered", "waiting", "dropped"], rows);
  for (const { id, stopped, lastError } of targets) {
    if (stopped !== null) print(styled("red", `${id} stopped: ${visible(stopped)}`));
    else if (lastError !== null) print(styled("yellow", `${id} last error: ${visible(lastError)}`));
  }
}

async function list(flags: CommonFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const { targets } = await client.call(listForwardTargets);
  if (flags.json) return printJson(targets);
  if (targets.length === 0)
    return print("Nothing is sent on. Add a server with `kit forward add sentry` or `kit forward add otlp`.");
  printTargets(targets);
}

/** From standard input: a command line could be read by others. */
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
  otlp: "Type the collector's address, then a header a line (name: value), then an empty line.",
};

async function readServer(kind: ForwardKind): Promise<{ address: string; headers?: Record<string, string> }> {
  const isEnough = (text: string) => (kind === "sentry" ? /\S\s*\n/.test(text) : /\n\r?\n/.test(text));
  const [address = "", ...rest] = (await readLines(prompts[kind], isEnough)).filter((line) => line !== "");
  if (address === "") throw new BadSetting(`Nothing came on standard input. ${prompts[kind]}`);
  if (rest.length === 0) return { address };
  const named = rest.map((line) => {
    const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined)
      throw new BadSetting("A line after the address is no header such as name: value.");
    return [name, value] as const;
  });
  return { address, headers: Object.fromEntries(named) };
}

type AddFlags = CommonFlags & { game?: string };

async function add(kind: ForwardKind, flags: AddFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const target = await client.call(addForwardTarget, {
    body: { kind, ...(await readServer(kind)), game: flags.game ?? null },
  });
  if (flags.json) return printJson(target);
  print(
    `Reports of ${visible(target.game ?? "all games")} are sent on to ${visible(whereOf(target))}. Try it: kit forward test ${target.id}`,
  );
}

async function change(id: string, enabled: boolean, flags: CommonFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const target = await client.call(changeForwardTarget, { params: { id }, body: { enabled } });
  if (flags.json) printJson(target);
  else printTargets([target]);
}

async function testIt(id: string, flags: CommonFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const result = await client.call(testForwardTarget, { params: { id } });
  if (!result.ok) process.exitCode = exitCodes.unwell;
  if (flags.json) return printJson(result);
  print(styled(result.ok ? "green" : "red", visible(result.says)));
  if (result.answer) print(`It answered: ${visible(result.answer)}`);
  if (result.ok && result.report !== null) print(`Look for ${result.report.replaceAll("-", "")} there.`);
}

async function remove(id: string, flags: CommonFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  await client.call(removeForwardTarget, { params: { id } });
  if (flags.json) printJson({ removed: id });
  else print("The target, its key and what waited for it are gone.");
}

export function forwardCommand(): Command {
  const id = () => new Argument("<id>", "a target's id, from `kit forward`");
  const adding = command(
    "add",
    "Send reports on to a server; its DSN, or address and headers, are read from standard input",
  )
    .addArgument(
      new Argument("<kind>", "sentry: Sentry, GlitchTip, Bugsink …; otlp: an OpenTelemetry collector").choices(
        forwardKinds,
      ),
    )
    .option("--game <game>", "only of this game; `unsorted` for reports without one")
    .action(add);
  const testing = command("test", "Send one report that is marked as a test, and say what the server answered")
    .addArgument(id())
    .action(testIt);
  const removing = command("remove", "Forget a target, its key and what waits for it").addArgument(id()).action(remove);
  const starting = command("on", "Start a target, also one that was stopped")
    .addArgument(id())
    .action((which: string, flags: CommonFlags) => change(which, true, flags));
  const ending = command("off", "Take nothing for a target and send nothing")
    .addArgument(id())
    .action((which: string, flags: CommonFlags) => change(which, false, flags));
  const forward = command("forward", "List the servers that error reports are sent on to").action(list);
  for (const each of [adding, testing, starting, ending, removing]) forward.addCommand(each);
  return forward;
}
