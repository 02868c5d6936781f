// Tests of the demo's game: what happens on a flight, by itself and with a player who does nothing.
import assert from "node:assert/strict";
import { test } from "vitest";
import { autopilot, createWorld, flightSeconds, type Happening, move, type World } from "./flight.ts";

function fly(steer: (world: World) => boolean, framesPerSecond: number) {
  const world = createWorld();
  const happened: Happening[] = [];
  while (world.seconds < flightSeconds) happened.push(...move(world, 1 / framesPerSecond, steer(world)));
  return { world, happened, kinds: happened.map(({ kind }) => kind) };
}

test("by itself, the kite meets everything that Kit is told about, in order, at any frame rate", () => {
  for (const framesPerSecond of [20, 60, 144]) {
    const { world, happened, kinds } = fly(autopilot, framesPerSecond);
    assert.deepEqual(kinds, ["streak", "jewel", "error", "error", "storm", "gate"], `${framesPerSecond} frames`);
    assert.deepEqual(
      world.things.filter(({ state, kind }) => state !== "met" && kind !== "storm"),
      [],
    );
    const errors = happened.flatMap((one) => (one.kind === "error" ? [one.error] : []));
    for (const { stack } of errors) assert.match(stack ?? "", /openGift/);
  }
});

test("a player who does nothing still reaches the gate, and no score falls below zero", () => {
  const { world, kinds } = fly(() => false, 60);
  assert.deepEqual([kinds.at(-1), kinds.includes("streak")], ["gate", false]);
  assert.ok(world.score >= 0);
});
