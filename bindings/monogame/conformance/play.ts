// Plays cases in processes of a C# player and says what came of them, a line of JSON each.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Case, scriptOf } from "../../unity/conformance~/script.ts";

// Most of the time a case waits.
const processesAtOnce = 6;
/** Processes among which the cases are divided that may follow one another in one. */
const shares = 3;
const processMsMax = 240_000;

export type Command = readonly [program: string, ...words: string[]];

/** The cases that may share a process, in a few; beside them the others, a process each. */
export async function playCases(cases: readonly Case[], command: Command): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kit-cases-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  // Without a listener there would be no "exit", and games would play on without us.
  process.once("SIGTERM", () => process.exit(143));
  const shared = cases.filter(({ alone }) => !alone);
  const divided = [...Map.groupBy(shared, (each) => shared.indexOf(each) % shares).values()];
  const groups = [...divided, ...cases.filter(({ alone }) => alone).map((one) => [one])];
  const waiting = groups.entries();
  const work = async () => {
    for (const [number, group] of waiting) await play(join(folder, `${number}.txt`), group, command);
  };
  await Promise.all(Array.from({ length: processesAtOnce }, work));
}

/** One process, from its start to its end. */
async function play(script: string, group: readonly Case[], [program, ...words]: Command): Promise<void> {
  writeFileSync(script, scriptOf(group));
  const child = spawn(program, [...words, script], { stdio: ["ignore", "pipe", "pipe"], timeout: processMsMax });
  const end = () => child.kill();
  process.once("exit", end);
  let quit: { id: string; atMs: number } | undefined;
  let complaints = "";
  createInterface({ input: child.stdout }).on("line", (line) => {
    const [kind, id = "", atMs] = line.split("\t");
    if (kind === "quit") quit = { id, atMs: Number(atMs) };
    else tell(line);
  });
  child.stderr.setEncoding("utf8").on("data", (part) => (complaints += part));
  // The process is gone at "exit"; its streams may be read to their end a little later.
  const endMs = new Promise<number>((resolve) => child.once("exit", () => resolve(Date.now())));
  const status = await new Promise((resolve) => child.once("close", resolve));
  process.off("exit", end);
  if (complaints !== "" || status !== 0) {
    say({ case: group.at(-1)?.id, errors: [`ended with ${status}\n${complaints}`] });
  }
  if (quit !== undefined) say({ case: quit.id, quitMs: (await endMs) - quit.atMs });
}

let hasSaidEngine = false;

/** One line of the player as the protocol has it. */
function tell(line: string): void {
  const [kind, id, calls, failures, threw, errors, reads, frames] = line.split("\t");
  if (kind === "engine" && !hasSaidEngine) {
    hasSaidEngine = true;
    say({ engine: id });
  }
  if (kind !== "case") return;
  say({
    case: id,
    calls: pairsOf(calls),
    failures: pairsOf(failures),
    threw: listOf(threw).map(textOf),
    errors: listOf(errors).map(textOf),
    reads: listOf(reads).map(readOf),
    frames: Number(frames),
  });
}

function readOf(words: string) {
  const [initialized, url = "", recording, monitor, social, build = "", uncaught] = words.split(",");
  return {
    initialized: initialized === "True",
    config: {
      launcherUrl: textOf(url),
      enableRecording: recording === "True",
      enableMonitor: monitor === "True",
      enableSocial: social === "True",
      build: textOf(build),
      reportUncaughtErrors: uncaught === "True",
    },
  };
}

const pairsOf = (words: string | undefined) => listOf(words).map((pair) => pair.split(",").map(Number));

function listOf(words: string | undefined): string[] {
  return words === undefined || words === "" ? [] : words.split(";");
}

function textOf(word: string): string {
  return Buffer.from(word, "base64").toString("utf8");
}

function say(line: unknown): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
