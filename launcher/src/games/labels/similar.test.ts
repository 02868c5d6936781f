// Tests of "Did you mean": typing mistakes are recognised, deliberate differences are not, and the search never blocks.
import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { test } from "vitest";
import { type AssignedId, createSimilarIds } from "./similar.ts";

const idOf = (eventId: string): AssignedId => ({ kind: "recording", eventId, game: "my_game" });

/** Gives the event loop turns until the search is finished: the last id has a twin. */
async function hintsOf(eventIds: readonly string[]) {
  let notified = 0;
  const similar = createSimilarIds(() => {
    notified += 1;
  });
  for (const eventId of [...eventIds, "my_game_the_very_last", "my_game_the_very_lats"]) similar.add(idOf(eventId));
  const began = performance.now();
  while (similar.similarTo("recording", "my_game_the_very_lats") === null) {
    assert.ok(performance.now() - began < 60_000, "the search never finished");
    await turn();
  }
  return { hints: eventIds.map((eventId) => similar.similarTo("recording", eventId)), notified };
}

const slips: readonly (readonly [older: string, newer: string])[] = [
  ["my_game_boss_defeated", "my_game_bos_defeated"],
  ["my_game_boss_defeated", "my_game_boss_defaeted"],
  ["my_game_boss_defeated", "my_game_boss_defeeted"],
  ["my_game_boss_defeated", "my_game_bosss_defeatd"],
  ["my_game_boss_defeated", "my_game_boss-defeated"],
  ["my_game_boss_defeated", "my_game_BossDefeated"],
  ["my_game_boss_defeated", "my_game_boss_defeated "],
  ["my_game_victory", "my_game_vicotry"],
  ["my_game_level_1_done", "my_game_levle_1_done"],
  ["my_game_level_1", "my_game_level1"],
];
for (const [older, newer] of slips) {
  test(`${newer} gets the hint ${older}`, async () => {
    assert.deepEqual((await hintsOf([older, newer])).hints, [null, older]);
  });
}

const different: readonly (readonly [one: string, other: string])[] = [
  ["my_game_level_1", "my_game_level_2"],
  ["my_game_level_9", "my_game_level_10"],
  ["my_game_level1", "my_game_level2"],
  ["my_game_act_ii", "my_game_act_iv"],
  ["my_game_team_a_won", "my_game_team_b_won"],
  ["my_game_level_1", "my_game_levle_2"],
  ["my_game_win", "my_game_wim"],
  ["my_game_door_open", "my_game_door_close"],
  ["my_game_won", "my_game_lost"],
  ["my_game_player_joined", "my_game_player_left"],
];
for (const [one, other] of different) {
  test(`${one} and ${other} get no hint`, async () => {
    assert.deepEqual((await hintsOf([one, other])).hints, [null, null]);
  });
}

test("the hint is the most similar id, or the oldest of several equally similar ones", async () => {
  const { hints } = await hintsOf(["my_game_treasure_fount", "my_game_treasure_found", "my_game_treasure_foumd"]);
  assert.deepEqual(hints, [null, "my_game_treasure_fount", "my_game_treasure_found"]);
});

test("only ids of the same service and game are compared", async () => {
  const similar = createSimilarIds(() => undefined);
  similar.restart([
    idOf("my_game_boss_defeated"),
    { ...idOf("my_game_bos_defeated"), kind: "social" },
    { ...idOf("my_gam_boss_defeated"), game: "my" },
    idOf("my_game_boss_defeatd"),
  ]);
  while (similar.similarTo("recording", "my_game_boss_defeatd") === null) await turn();
  assert.equal(similar.similarTo("social", "my_game_bos_defeated"), null);
  assert.equal(similar.similarTo("recording", "my_gam_boss_defeated"), null);
});

test("a search through a thousand ids yields to other work, and notifies at most once in each turn", async () => {
  const words = ["boss", "treasure", "secret", "level", "player", "enemy", "castle", "forest", "dragon", "portal"];
  const places = ["north", "south", "bridge", "cellar", "tower", "harbour", "meadow", "ruins", "market", "cave"];
  const made = words.flatMap((word) =>
    places.flatMap((place) => words.map((other) => `my_game_${word}_${place}_${other}`)),
  );
  let turns = 0;
  let isOver = false;
  const looking = hintsOf([...made, "my_game_dragon_tower_secrte"]).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await turn();
    turns += 1;
  }
  const { hints, notified } = await looking;
  assert.equal(hints.at(-1), "my_game_dragon_tower_secret");
  assert.ok(notified > 0 && notified <= turns, `${notified} notifications in ${turns} turns`);
  assert.ok(turns > 3, "the search took a single turn");
});
