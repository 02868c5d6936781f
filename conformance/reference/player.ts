// One game process: plays cases one after another, reports each, and quits. Usage: `player.ts <cases as JSON> [--silent]`
import { readFileSync } from "node:fs";
import { Kit } from "./binding.ts";
import { Game } from "./game.ts";
import type { Call, Fail, PlannedCase, PlannedText, Step } from "./plan.ts";

type Told = {
  case: string;
  calls: [number, number][];
  failures: [number, number][];
  threw: string[];
  reads: object[];
  frames: number;
};

const settleMsMax = 1_000;

const kit = new Kit();
const game = new Game();
let current = "";

const say = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);

/** Reports uncaught errors immediately, because the game may end afterwards. */
function watchForErrors(): void {
  const show = (...words: unknown[]) => say({ case: current, errors: [words.map(String).join(" ")] });
  console.error = show;
  console.warn = show;
  process.on("uncaughtException", show);
  process.on("warning", show);
}

const textOf = (text: PlannedText, n: number | undefined) => {
  if (text === null) return null;
  const whole = typeof text === "string" ? text : String.fromCharCode(...text.utf16);
  return n === undefined ? whole : whole.replaceAll("{n}", String(n));
};

function makeCall(call: Call, n?: number): void {
  if (call.do === "recording") kit.triggerRecording(textOf(call.eventId, n));
  else if (call.do === "social") kit.triggerSocial(textOf(call.eventId, n));
  else if (call.stackTrace === undefined) kit.reportError(textOf(call.message, n));
  else kit.reportError(textOf(call.message, n), textOf(call.stackTrace, n));
}

function attempt(told: Told, what: () => void): [number, number] {
  const before = Date.now();
  try {
    what();
  } catch (error) {
    told.threw.push(String(error));
  }
  return [before, Date.now()];
}

/** Throws each error from its own callback, and returns when all were thrown. */
async function fail(told: Told, { message }: Fail, times?: number): Promise<void> {
  const before = Date.now();
  const numbers = times === undefined ? [undefined] : Array.from({ length: times }, (_, at) => at + 1);
  const thrown = numbers.map((n) => {
    const error = new Error(textOf(message, n) ?? "");
    return new Promise<void>((done) => {
      setImmediate(() => {
        setImmediate(done);
        throw error;
      });
    });
  });
  await Promise.all(thrown);
  told.failures.push([before, Date.now()]);
}

async function repeat(told: Told, step: Call | Fail, times: number): Promise<void> {
  if (step.do === "fail") return fail(told, step, times);
  const pairs = Array.from({ length: times }, (_, at) => attempt(told, () => makeCall(step, at + 1)));
  told.calls.push(...pairs.filter((_, at) => at === 0 || at === times - 1));
}

async function fromThreads(told: Told, step: Call, count: number): Promise<void> {
  const before = Date.now();
  await game.fromOutside(count, (n) => void attempt(told, () => makeCall(step, n)));
  told.calls.push([before, Date.now()]);
}

async function quit({ case: id, ...told }: Told): Promise<never> {
  say({ case: id, ...told });
  say({ quitOf: id, atMs: Date.now() });
  await kit.quit();
  process.exit(0);
}

async function playStep(step: Step, told: Told): Promise<void> {
  if (step.do === "repeat") await repeat(told, step.step, step.times);
  else if (step.do === "threads") await fromThreads(told, step.step, step.count);
  else if (step.do === "fail") await fail(told, step);
  else if (step.do === "frames") await game.passFrames(step.count);
  else if (step.do === "wait") await game.passMs(step.ms);
  else if (step.do === "block") game.block(step.ms);
  else if (step.do === "read") told.reads.push({ initialized: kit.isInitialized, config: kit.config });
  else if (step.do === "initialize") attempt(told, () => kit.initialize(step.config));
  else if (step.do === "quit") await quit(told);
  // A pause stops nothing in this game.
  else if (step.do !== "pause") told.calls.push(attempt(told, () => makeCall(step)));
}

async function playCase({ id, start, config, steps }: PlannedCase): Promise<void> {
  current = id;
  const told: Told = { case: id, calls: [], failures: [], threw: [], reads: [], frames: 0 };
  const framesBefore = game.frames;
  if (start === "config") attempt(told, () => kit.initialize(config));
  for (const step of steps) {
    await playStep(step, told);
    told.frames = game.frames - framesBefore;
  }
  say(told);
}

/** Waits until no request is pending, so that cases do not affect each other. */
async function settle(): Promise<void> {
  const untilMs = performance.now() + settleMsMax;
  do await game.nextFrame();
  while (kit.pending.size > 0 && performance.now() < untilMs);
}

const [path = "", option] = process.argv.slice(2);
watchForErrors();
if (option === "--silent") kit.post = () => undefined;
for (const one of JSON.parse(readFileSync(path, "utf8")) as PlannedCase[]) {
  await playCase(one);
  await settle();
}
process.exit(0);
