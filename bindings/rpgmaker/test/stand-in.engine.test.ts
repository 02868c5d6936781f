// Tests of the stand-in game: it must stop for what stops a real game, or the other tests prove nothing.
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { startGame } from "../stage/game.ts";
import type { Flavour } from "../stage/game-folder.ts";

const skip = skipWithout("Chromium");

async function diesOf(flavour: Flavour, script: string, error: RegExp): Promise<void> {
  await using game = await startGame("Chromium", flavour, {});
  await game.command(script);
  const errors = await game.stops();
  assert.match(errors.join(), error);
  await assert.rejects(game.goesOn(), "the check of the other tests must fail here");
}

const inCallback = 'setTimeout(function () { throw new Error("late") }, 0)';
// What an uncaught rejection of fetch is like while no launcher runs.
const rejection = 'Promise.reject(new Error("refused"))';

describe("the stand-in game", { concurrent: true }, () => {
  test("MV stops on an exception in a Script command", { skip }, () =>
    diesOf("mv", "nobody.knows()", /exception: nobody/),
  );
  test("MV stops on an exception in a callback", { skip }, () => diesOf("mv", inCallback, /error: .*late/));
  test("MZ stops on an exception in a callback", { skip }, () => diesOf("mz", inCallback, /error: .*late/));
  test("MZ stops on an unhandled rejection", { skip }, () => diesOf("mz", rejection, /rejection: refused/));
  test("MV does not notice an unhandled rejection", { skip }, async () => {
    await using game = await startGame("Chromium", "mv", {});
    await game.command(rejection);
    await game.goesOn();
  });
});
