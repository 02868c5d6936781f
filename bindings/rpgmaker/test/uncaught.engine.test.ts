// Tests of errors that nobody caught, in every engine: they are reported, and the game does what it does without the plugin.
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { startGame } from "../stage/game.ts";
import type { Flavour } from "../stage/game-folder.ts";
import type { PlayerEngine } from "../stage/players.ts";
import { until } from "../stage/until.ts";
import { openRecorder } from "./recorder.ts";

const inFrame = "nobody.knows()";
const inCallback = 'setTimeout(function () { throw new TypeError("late") }, 0)';
const inPromise = 'Promise.reject(new RangeError("refused"))';

/** Plays the script, and returns the errors that the game stopped for and the reports that arrived. */
async function play(engine: PlayerEngine, flavour: Flavour, script: string, isOn: boolean, count: number) {
  await using stack = new AsyncDisposableStack();
  const launcher = await openRecorder();
  stack.defer(() => launcher.close());
  const parameters = { "Launcher URL": launcher.url, "Report Uncaught Errors": `${isOn}` };
  const game = stack.use(await startGame(engine, flavour, parameters));
  await game.command(script);
  const isDeadly = flavour === "mz" || script !== inPromise;
  const errors = isDeadly ? await game.stops() : [];
  if (!isDeadly) await game.goesOn();
  await until("the reports arrive", () => launcher.requests.length >= count);
  return {
    errors,
    reports: launcher.requests.map(({ body }) => JSON.parse(body.toString("utf8")) as Record<string, string>),
  };
}

async function isReported(engine: PlayerEngine, flavour: Flavour, script: string, message: string): Promise<void> {
  const [on, off] = [await play(engine, flavour, script, true, 1), await play(engine, flavour, script, false, 0)];
  assert.deepEqual(on.errors, off.errors, "the game stops for the same");
  assert.equal(on.reports.length, 1);
  assert.equal(on.reports[0]?.message, message);
  assert.match(on.reports[0]?.stackTrace ?? "", /^\w+Error: .+\n +at /);
}

const players = [
  ["NW.js 0.87", skipWithout("NW.js 0.87", "Xvfb")],
  ["NW.js 0.44", skipWithout("NW.js 0.44", "Xvfb")],
  ["Chromium", skipWithout("Chromium")],
] as const;

describe("errors that nobody caught", { concurrent: true }, () => {
  for (const [engine, skip] of players) {
    for (const flavour of ["mv", "mz"] as const) {
      const where = `${flavour.toUpperCase()} in ${engine}`;
      test(`${where}: an exception of a Script command is reported`, { skip }, () =>
        isReported(engine, flavour, inFrame, "ReferenceError: nobody is not defined"),
      );
      test(`${where}: an exception of a callback is reported`, { skip }, () =>
        isReported(engine, flavour, inCallback, "TypeError: late"),
      );
      test(`${where}: a rejection that nobody handles is reported`, { skip }, () =>
        isReported(engine, flavour, inPromise, "RangeError: refused"),
      );
    }
  }
});
