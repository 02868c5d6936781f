// Tests of what is special to RPG Maker: both generations with their error screens, in each player. conformance/ covers requests.
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { startGame } from "../stage/game.ts";
import type { Flavour } from "../stage/game-folder.ts";
import type { PlayerEngine } from "../stage/players.ts";
import { threeOperations } from "../stage/stage.ts";
import { until } from "../stage/until.ts";
import { openRecorder } from "./recorder.ts";

async function launcherAndGame(engine: PlayerEngine, flavour: Flavour, stack: AsyncDisposableStack) {
  const launcher = await openRecorder();
  stack.defer(() => launcher.close());
  const game = stack.use(await startGame(engine, flavour, { "Launcher URL": launcher.url }));
  return { launcher, game };
}

/** MZ stops for an unhandled rejection, both stop for an exception in a callback. A missing launcher may cause neither. */
async function neverStops(engine: PlayerEngine, flavour: Flavour): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const { launcher, game } = await launcherAndGame(engine, flavour, stack);
  await game.command(threeOperations);
  await until("all three arrive", () => launcher.requests.length === 3);
  await game.goesOn();

  await launcher.leave();
  await game.command(threeOperations);
  await game.goesOn();

  await launcher.comeBack();
  launcher.behave("drops");
  const count = () => launcher.requests.length + launcher.preflights.length;
  const before = count();
  await game.command(threeOperations);
  await until("all three are dropped", () => count() >= before + 3);
  await game.goesOn();
}

/** The launcher refuses events from a page that the player has not allowed. */
async function forbiddenPageContinues(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const { launcher, game } = await launcherAndGame("Chromium", "mz", stack);
  launcher.behave("forbids");
  await game.command(threeOperations);
  await until("three preflights arrived", () => launcher.preflights.length === 3);
  await game.goesOn();
  assert.equal(launcher.requests.length, 0);
}

/** Players before Chromium 42 have no fetch. The oldest engine here has Chromium 80, so fetch is removed from it. */
async function sendsWithoutFetch(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const { launcher, game } = await launcherAndGame("NW.js 0.44", "mv", stack);
  await game.command(`window.fetch = undefined;\n${threeOperations}`);
  await until("all three arrive", () => launcher.requests.length === 3);
  await game.goesOn();
}

/** `quit` runs in the same tick as the events. */
async function sendsLastEvents(engine: PlayerEngine, flavour: Flavour, quit: string): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const { launcher, game } = await launcherAndGame(engine, flavour, stack);
  const had = game.command(`${threeOperations}\n${quit}`);
  await game.ended;
  await until("all three arrived", () => launcher.requests.length === 3);
  await stack.disposeAsync();
  await had;
}

const nwjs87 = { skip: skipWithout("NW.js 0.87", "Xvfb") };
const nwjs44 = { skip: skipWithout("NW.js 0.44", "Xvfb") };
const page = { skip: skipWithout("Chromium") };

describe("real engines", { concurrent: true }, () => {
  test("an MV game in NW.js 0.87 never stops for its launcher", nwjs87, () => neverStops("NW.js 0.87", "mv"));
  test("an MZ game in NW.js 0.87 never stops for its launcher", nwjs87, () => neverStops("NW.js 0.87", "mz"));
  test("an MV game in NW.js 0.44 never stops for its launcher", nwjs44, () => neverStops("NW.js 0.44", "mv"));
  test("an MZ game in NW.js 0.44 never stops for its launcher", nwjs44, () => neverStops("NW.js 0.44", "mz"));
  test("an MV game in a Chromium page never stops for its launcher", page, () => neverStops("Chromium", "mv"));
  test("an MZ game in a Chromium page never stops for its launcher", page, () => neverStops("Chromium", "mz"));

  test("a player without fetch sends with XMLHttpRequest", nwjs44, sendsWithoutFetch);
  test("a page that may not send continues", page, forbiddenPageContinues);
  test("the last events of an MZ game leave NW.js 0.87 when it quits without closing its window", nwjs87, () =>
    sendsLastEvents("NW.js 0.87", "mz", "nw.App.quit()"),
  );
});
