// Tests of a game in a real engine with the plugin and the real launcher, whose command line lists the events.
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { startGame } from "../stage/game.ts";
import type { Flavour } from "../stage/game-folder.ts";
import type { PlayerEngine } from "../stage/players.ts";
import { threeOperations } from "../stage/stage.ts";
import { startLauncher } from "./real-launcher.ts";

/** `browser` matches the engine's user agent, which proves that the events are its own. */
async function arriveFrom(engine: PlayerEngine, flavour: Flavour, browser: RegExp): Promise<void> {
  await using launcher = await startLauncher();
  await using game = await startGame(engine, flavour, { "Launcher URL": launcher.url, Build: "1.4.2" });
  await game.command(threeOperations);
  const events = await launcher.events(3);
  await game.goesOn();
  const received = events.map(({ kind, eventId, payload }) => [kind, eventId ?? payload.message, payload.stackTrace]);
  assert.deepEqual(received.sort(), [
    ["monitor", "door stuck", "Map012, event 7"],
    ["recording", "sky_boss_defeated", undefined],
    ["social", "sky_all_stars", undefined],
  ]);
  for (const { status, client } of events) {
    assert.equal(status, "accepted");
    assert.match(client ?? "", browser);
  }
  const [issue] = await launcher.issues();
  assert.deepEqual([issue?.title, issue?.lastBuild], ["door stuck", "1.4.2"]);
}

describe("with the real launcher", { concurrent: true }, () => {
  test("all three kinds arrive from NW.js 0.87", { skip: skipWithout("NW.js 0.87", "Xvfb") }, () =>
    arriveFrom("NW.js 0.87", "mz", /Chrome\/124\./),
  );
  test("all three kinds arrive from NW.js 0.44", { skip: skipWithout("NW.js 0.44", "Xvfb") }, () =>
    arriveFrom("NW.js 0.44", "mv", /Chrome\/80\./),
  );
  test("all three kinds arrive from a page in Chromium", { skip: skipWithout("Chromium") }, () =>
    arriveFrom("Chromium", "mz", /Chrome\/\d{3}\./),
  );
});
