// Tests of what README and @help say about switching the plugin off, for example before a release.
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { startGame } from "../stage/game.ts";
import type { Flavour } from "../stage/game-folder.ts";
import { threeOperations } from "../stage/stage.ts";
import { openRecorder } from "./recorder.ts";

const skip = skipWithout("Chromium");

async function stopsWithoutPlugin(flavour: Flavour): Promise<void> {
  await using game = await startGame("Chromium", flavour, {}, false);
  await game.command(threeOperations);
  assert.deepEqual(await game.stops(), ["exception: KitSDK is not defined"]);
}

async function continuesWithGuard(flavour: Flavour): Promise<void> {
  await using game = await startGame("Chromium", flavour, {}, false);
  await game.command('window.KitSDK && KitSDK.Recording.triggerEvent("sky_boss_defeated");');
  await game.goesOn();
}

async function sendsNothingWithAllOff(flavour: Flavour): Promise<void> {
  const off = { "Enable Recording": "false", "Enable Monitor": "false", "Enable Social": "false" };
  await using stack = new AsyncDisposableStack();
  const launcher = await openRecorder();
  stack.defer(() => launcher.close());
  const game = stack.use(await startGame("Chromium", flavour, { "Launcher URL": launcher.url, ...off }));
  await game.command(threeOperations);
  await game.goesOn();
  assert.deepEqual([launcher.requests.length, launcher.preflights.length], [0, 0]);
}

describe("switched off", { concurrent: true }, () => {
  for (const flavour of ["mv", "mz"] as const) {
    const game = flavour.toUpperCase();
    test(`${game} stops at a Script command that uses a plugin switched off in the plugin manager`, { skip }, () =>
      stopsWithoutPlugin(flavour),
    );
    test(`${game} continues if the command checks for the plugin first`, { skip }, () => continuesWithGuard(flavour));
    test(`${game} continues and sends nothing with the three Enable parameters off`, { skip }, () =>
      sendsNothingWithAllOff(flavour),
    );
  }
});
