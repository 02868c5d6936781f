// What is special to RPG Maker: both generations with their error screens, in each player. The wire is proved by conformance/.
import assert from "node:assert/strict";
import { suite, test } from "node:test";
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

/** MZ stops for an unhandled rejection, both stop for an exception in a callback; neither may come of a missing launcher. */
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
  const asked = () => launcher.requests.length + launcher.preflights.length;
  const before = asked();
  await game.command(threeOperations);
  await until("all three are dropped", () => asked() >= before + 3);
  await game.goesOn();
}

/** A game in memory for hours must not be filled by whoever listens on the launcher's port. */
async function letsGoOfAFlood(engine: PlayerEngine, flavour: Flavour): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const { launcher, game } = await launcherAndGame(engine, flavour, stack);
  launcher.behave("floods");
  await game.command(threeOperations);
  const closed = () => launcher.requests.filter(({ closedAtMs }) => closedAtMs !== undefined);
  await until("all three are let go", () => closed().length === 3);
  for (const { atMs, closedAtMs = 0 } of closed()) assert.ok(closedAtMs - atMs < 3_000, "long before the timeout");
  // What fits between a head and its being noticed; until the timeout it would be a gigabyte.
  assert.ok(launcher.floodedBytes < 100e6, `${launcher.floodedBytes} bytes`);
  await game.goesOn();
}

/** The launcher answers so to a page the player has not allowed. */
async function forbiddenPageGoesOn(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const { launcher, game } = await launcherAndGame("Chromium", "mz", stack);
  launcher.behave("forbids");
  await game.command(threeOperations);
  await until("three ask", () => launcher.preflights.length === 3);
  await game.goesOn();
  assert.equal(launcher.requests.length, 0);
}

/** Players before Chromium 42 have XMLHttpRequest only; the oldest here is 80, so it is taken from that one. */
async function sendsWithoutFetch(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const { launcher, game } = await launcherAndGame("NW.js 0.44", "mv", stack);
  await game.command(`window.fetch = undefined;\n${threeOperations}`);
  await until("all three arrive", () => launcher.requests.length === 3);
  await game.goesOn();
}

/** `quit` runs in the same tick as the events. */
async function sendsItsLastWords(engine: PlayerEngine, flavour: Flavour, quit: string): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const { launcher, game } = await launcherAndGame(engine, flavour, stack);
  const had = game.command(`${threeOperations}\n${quit}`);
  await game.ended;
  await until("all three are there", () => launcher.requests.length === 3);
  await stack.disposeAsync();
  await had;
}

const nwjs87 = { skip: skipWithout("NW.js 0.87", "Xvfb") };
const nwjs44 = { skip: skipWithout("NW.js 0.44", "Xvfb") };
const page = { skip: skipWithout("Chromium") };

suite("real engines", { concurrency: 4 }, () => {
  test("an MV game in NW.js 0.87 never stops for its launcher", nwjs87, () => neverStops("NW.js 0.87", "mv"));
  test("an MZ game in NW.js 0.87 never stops for its launcher", nwjs87, () => neverStops("NW.js 0.87", "mz"));
  test("an MV game in NW.js 0.44 never stops for its launcher", nwjs44, () => neverStops("NW.js 0.44", "mv"));
  test("an MZ game in NW.js 0.44 never stops for its launcher", nwjs44, () => neverStops("NW.js 0.44", "mz"));
  test("an MV game in a Chromium page never stops for its launcher", page, () => neverStops("Chromium", "mv"));
  test("an MZ game in a Chromium page never stops for its launcher", page, () => neverStops("Chromium", "mz"));

  test("NW.js 0.87 lets go of an answer without an end", nwjs87, () => letsGoOfAFlood("NW.js 0.87", "mz"));
  test("NW.js 0.44 lets go of an answer without an end", nwjs44, () => letsGoOfAFlood("NW.js 0.44", "mv"));
  test("a Chromium page lets go of an answer without an end", page, () => letsGoOfAFlood("Chromium", "mz"));

  test("a player that has no fetch sends by XMLHttpRequest", nwjs44, sendsWithoutFetch);
  test("a page that may not send goes on", page, forbiddenPageGoesOn);
  test("an MZ game's last words leave NW.js 0.87 when it quits without closing its window", nwjs87, () =>
    sendsItsLastWords("NW.js 0.87", "mz", "nw.App.quit()"),
  );
});
