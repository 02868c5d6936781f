// Plays conformance cases in Godot: `node driver.ts <source|pack|release> <plan.json>`. JSON lines on standard output.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addAddon, type Build, type BuildKind, build, buildKinds, stage } from "../test/builds.ts";
import { engineEnv, isErrorLine, start } from "../test/engine.ts";
import { type Case, gamePlan, needsOwnProcess, settingsOf } from "./plan.ts";

const mark = "@kit ";
// Most of the time a case waits.
const processesAtOnce = 5;
/** Processes among which the cases are divided that may follow one another in one. */
const shares = 3;
const aloneWithinMs = 60_000;
const batchWithinMs = 600_000;

type Played = { case: string; quitAtMs?: number; [member: string]: unknown };

let engineTold = false;
const write = (line: string) => process.stdout.write(`${line}\n`);
const tell = (line: unknown) => write(JSON.stringify(line));

/** Keeps a process's lines in order: a case's result is told with the errors that came until its end. */
function follow() {
  let current: string[] = [];
  const errorsOf = new Map<string, string[]>();
  const waiting: Played[] = [];
  let last: Played | undefined;
  const flush = () => {
    for (let next = waiting[0]; next && errorsOf.has(next.case); next = waiting[0]) {
      const { quitAtMs, ...result } = next;
      tell({ ...result, threw: [], errors: errorsOf.get(next.case) });
      last = waiting.shift();
    }
  };
  const fromGame = (message: Record<string, unknown>) => {
    if ("engine" in message) {
      if (!engineTold) tell(message);
      engineTold = true;
    } else waiting.push(message as Played);
  };
  return {
    onLine(line: string, output: "out" | "err"): void {
      const isOwn = line.startsWith(mark);
      if (output === "out") {
        if (isOwn) fromGame(JSON.parse(line.slice(mark.length)));
        else write(line);
      } else if (isOwn) {
        errorsOf.set(line.slice(mark.length), current);
        current = [];
      } else {
        write(line);
        if (isErrorLine(line)) current.push(line);
      }
      flush();
    },
    /** What could only be known when the process was gone. */
    end(cases: readonly Case[], endedAtMs: number): void {
      const id = last?.case ?? cases[0]?.id;
      if (current.length > 0) tell({ case: id, errors: current });
      if (last?.quitAtMs !== undefined) tell({ case: id, quitMs: Math.round(endedAtMs - last.quitAtMs) });
    },
  };
}

/** Plays `cases` in one process, in the new folder `place`. */
async function play(made: Build, place: string, cases: readonly Case[], isAlone: boolean): Promise<void> {
  const settings = isAlone && cases[0] ? settingsOf(cases[0]) : {};
  const program = stage(made, join(place, "game"), settings);
  const plan = join(place, "plan.json");
  writeFileSync(plan, gamePlan(cases, isAlone));
  const lines = follow();
  const env = engineEnv(place, { KIT_PLAN: plan });
  const { child, ended } = start(program, env, isAlone ? aloneWithinMs : batchWithinMs, lines.onLine);
  let endedAtMs = 0;
  child.once("exit", () => {
    endedAtMs = Date.now();
  });
  const code = await ended;
  if (code !== 0) write(`the game ended with ${code}`);
  lines.end(cases, endedAtMs);
}

async function playAll(kind: BuildKind, cases: readonly Case[], scratch: string): Promise<void> {
  const project = join(scratch, "project");
  cpSync(join(import.meta.dirname, "game"), project, { recursive: true });
  addAddon(project);
  const made = await build(kind, project, scratch);
  const together = cases.filter((each) => !needsOwnProcess(each));
  const alone = cases.filter(needsOwnProcess);
  const divided = [...Map.groupBy(together, (each) => together.indexOf(each) % shares).values()];
  const batches = [...divided, ...alone.map((each) => [each])].entries();
  const work = async () => {
    for (const [number, batch] of batches) {
      const place = join(scratch, String(number));
      mkdirSync(place);
      await play(made, place, batch, number >= divided.length);
    }
  };
  await Promise.all(Array.from({ length: processesAtOnce }, work));
}

const kind = buildKinds.find((each) => each === process.argv[2]);
const planPath = process.argv[3];
if (kind === undefined || planPath === undefined) throw new Error("usage: driver.ts <source|pack|release> <plan.json>");
const scratch = mkdtempSync(join(tmpdir(), "kit-godot-"));
try {
  await playAll(kind, (JSON.parse(readFileSync(planPath, "utf8")) as { cases: Case[] }).cases, scratch);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
