// What README and @help say of switching the plugin off, before a release for example: by which switch a game goes on.
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { startGame } from "../stage/game.ts";
import type { Flavour } from "../stage/game-folder.ts";
import { threeOperations } from "../stage/stage.ts";
import { openRecorder } from "./recorder.ts";

const skip = skipWithout("Chromium");

async function stopsWithoutThePlugin(flavour: Flavour): Promise<void> {
  await using game = await startGame("Chromium", flavour, {}, false);
  await game.command(threeOperations);
  assert.deepEqual(await game.stops(), ["exception: KitSDK is not defined"]);
}

async function goesOnWithAGuard(flavour: Flavour): Promise<void> {
  await using game = await startGame("Chromium", flavour, {}, false);
  await game.command('window.KitSDK && KitSDK.Recording.triggerEvent("sky_boss_defeated");');
  await game.goesOn();
}

async function sendsNothingWithAllThreeOff(flavour: Flavour): Promise<void> {
  const off = { "Enable Recording": "false", "Enable Monitor": "false", "Enable Social": "false" };
  await using stack = new AsyncDisposableStack();
  const launcher = await openRecorder();
  stack.defer(() => launcher.close());
  const game = stack.use(await startGame("Chromium", flavour, { "Launcher URL": launcher.url, ...off }));
  await game.command(threeOperations);
  await game.goesOn();
  assert.deepEqual([launcher.requests.length, launcher.preflights.length], [0, 0]);
}

suite("switched off", { concurrency: 3 }, () => {
  for (const flavour of ["mv", "mz"] as const) {
    const game = flavour.toUpperCase();
    test(`${game} stops at a Script command that names a plugin switched off in the plugin manager`, { skip }, () =>
      stopsWithoutThePlugin(flavour),
    );
    test(`${game} goes on when the command asks for the plugin first`, { skip }, () => goesOnWithAGuard(flavour));
    test(`${game} goes on, and sends nothing, with the three Enable parameters off`, { skip }, () =>
      sendsNothingWithAllThreeOff(flavour),
    );
  }
});
