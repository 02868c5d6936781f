// Plays cases: the translated kit_sdk.gml in a game of sixty steps a second, wherever that game runs.
import type { Http } from "../test/runtime/http.ts";
import { type Machine, startMachine } from "../test/runtime/machine.ts";
import type { Functions } from "../test/runtime/texts.ts";
import { GmlError, GmlStruct } from "../test/runtime/values.ts";
import type { BuiltIn } from "../test/translation/parser.ts";
import type { Translated } from "../test/translation/translate.ts";
import {
  type Case,
  type Config,
  endsGame,
  type Failure,
  isFailure,
  type Operation,
  type Report,
  type Step,
  type Text,
} from "./plan.ts";

export type Job = {
  readonly translated: Translated;
  readonly builtIns: readonly (readonly [string, BuiltIn])[];
  /** A game of its own for each case, not one for all. */
  readonly anew: boolean;
  readonly cases: readonly Case[];
};

/** What the game runs in: a process, or a page. */
export type Home = {
  readonly http: Http;
  /** Built-ins that are others here. */
  readonly functions: Functions;
  pause(ms: number): Promise<void>;
  block(ms: number): void;
  say(line: object): void;
  /** Ends the game as game_end does. */
  quit(id: string): Promise<void>;
};

const stepMs = 1000 / 60;
const callsPerGame = 64;
let current: Report | undefined;
let isPaused = false;

/** What escapes outside of a call would have ended the game. */
export function noticeEscaped({ say }: Pick<Home, "say">, what: string): void {
  if (current) current.errors.push(what);
  else say({ uncaught: what });
}

function textOf(text: Text, n: number | undefined): string | undefined {
  if (text === null) return undefined;
  if (typeof text !== "string") return String.fromCharCode(...text.utf16);
  return n === undefined ? text : text.replaceAll("{n}", String(n));
}

function structOf(config: Config): GmlStruct {
  const names: Readonly<Record<keyof Config, string>> = {
    launcherUrl: "launcher_url",
    enableRecording: "enable_recording",
    enableMonitor: "enable_monitor",
    enableSocial: "enable_social",
    build: "build",
    reportUncaughtErrors: "report_uncaught_errors",
  };
  return new GmlStruct(Object.entries(config).map(([name, value]) => [names[name as keyof Config], value]));
}

function configOf(game: Machine): { initialized: boolean; config?: Config } {
  const config = game.global.members.get("__kit_config");
  if (!(config instanceof GmlStruct)) return { initialized: false };
  const { members } = config;
  const isOn = (name: string) => members.get(name) as boolean;
  return {
    initialized: true,
    config: {
      launcherUrl: members.get("launcher_url") as string,
      enableRecording: isOn("enable_recording"),
      enableMonitor: isOn("enable_monitor"),
      enableSocial: isOn("enable_social"),
      build: members.get("build") as string,
      reportUncaughtErrors: isOn("report_uncaught_errors"),
    },
  };
}

/** Calls the binding. What comes out of it would be an error in the game. */
function call(game: Machine, report: Report, name: string, ...given: unknown[]): void {
  try {
    game.functions[name]?.(...given);
  } catch (error) {
    report.threw.push(`${name}: ${String(error)}`);
  }
}

function operate(game: Machine, report: Report, step: Operation, n?: number): void {
  if (step.do !== "monitor") {
    const name = step.do === "recording" ? "kit_recording_trigger" : "kit_social_trigger";
    call(game, report, name, textOf(step.eventId, n));
  } else if (step.stackTrace === undefined) {
    call(game, report, "kit_monitor_report", textOf(step.message, n));
  } else {
    call(game, report, "kit_monitor_report", textOf(step.message, n), textOf(step.stackTrace, n));
  }
}

function timed<T>(report: Report, work: () => T): T {
  const before = Date.now();
  const result = work();
  report.calls.push([before, Date.now()]);
  return result;
}

function repeat(game: Machine, report: Report, times: number, step: Operation): void {
  for (let n = 1; n <= times; n += 1) {
    if (n === 1 || n === times) timed(report, () => operate(game, report, step, n));
    else operate(game, report, step, n);
  }
}

/** GML has one thread: callbacks that come between two steps are the nearest there is. */
async function callBack({ pause }: Home, game: Machine, report: Report, count: number, step: Operation): Promise<void> {
  const before = Date.now();
  const calls = Array.from({ length: count }, (_, index) =>
    pause(index % 3).then(() => operate(game, report, step, index + 1)),
  );
  await Promise.all(calls);
  report.calls.push([before, Date.now()]);
}

async function steps({ pause }: Home, report: Report, enough: (passed: number, ms: number) => boolean): Promise<void> {
  const startedMs = performance.now();
  for (let passed = 0; !enough(passed, performance.now() - startedMs); passed += 1) {
    await pause(stepMs);
    if (!isPaused) report.frames += 1;
  }
}

async function perform(home: Home, game: Machine, report: Report, step: Step): Promise<void> {
  switch (step.do) {
    case "initialize":
      return call(game, report, "kit_init", ...(step.config ? [structOf(step.config)] : []));
    case "read":
      return void report.reads.push(configOf(game));
    case "repeat":
      return repeat(game, report, step.times, step.step);
    case "threads":
      return callBack(home, game, report, step.count, step.step);
    case "frames":
      return steps(home, report, (passed) => passed >= step.count);
    case "wait":
      return steps(home, report, (_passed, ms) => ms >= step.ms);
    case "block":
      return home.block(step.ms);
    case "pause":
      // No pause of an engine: a game that pauses runs no steps of its own, and from here on none are run.
      isPaused = true;
      return;
    case "quit":
      return;
    default:
      return timed(report, () => operate(game, report, step));
  }
}

function fail(game: Machine, report: Report, step: Failure): void {
  const { message } = step.do === "fail" ? step : step.step;
  const before = Date.now();
  game.unhandled(new GmlError(textOf(message, 1)));
  report.failures.push([before, Date.now()]);
  report.errors.push(...game.shown);
}

async function play(home: Home, game: Machine, { id, start, config = {}, steps: todo }: Case): Promise<void> {
  const report: Report = { case: id, calls: [], failures: [], threw: [], errors: [], reads: [], frames: 0 };
  current = report;
  isPaused = false;
  if (start === "config") call(game, report, "kit_init", structOf(config));
  for (const step of todo) {
    if (isFailure(step)) fail(game, report, step);
    else await perform(home, game, report, step);
    if (!endsGame(step)) continue;
    home.say(report);
    return home.quit(id);
  }
  home.say(report);
}

/** At most how many requests a step may lead to. */
function callsIn(step: Step | Failure): number {
  if (isFailure(step)) return 1;
  if (step.do === "repeat") return step.times;
  if (step.do === "threads") return step.count;
  return step.do === "recording" || step.do === "monitor" || step.do === "social" ? 1 : 0;
}

/** Plays all cases, and gives what is pending then the time to leave. */
export async function playAll(home: Home, { translated, builtIns, anew, cases }: Job): Promise<void> {
  const { http, functions } = home;
  const start = () =>
    startMachine(translated, { builtIns: new Map(builtIns), send: http.send, functions, version: "1.4.2" });
  let game = start();
  let calls = 0;
  for (const one of cases) {
    const coming = one.steps.reduce((sum, step) => sum + callsIn(step), 0);
    // Every request counts as pending for five seconds: a game of many cases at once would run into its own bound.
    if (anew || calls + coming > callsPerGame) {
      game = start();
      calls = 0;
    }
    calls += coming;
    await play(home, game, one);
  }
  current = undefined;
  const startedMs = performance.now();
  while (http.pending() > 0 && performance.now() - startedMs < 1000) await home.pause(10);
}
