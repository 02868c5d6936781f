// Tests of `kit rules`: importing a game's kit.events.json names its events.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clip, EventIdRule, EventsFile } from "@kit/contract";
import { test } from "vitest";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { kitOn } from "../support/kit-command.ts";
import { launcherOfFile } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";

const launcher = await launcherOfFile();

const { run: own, succeeds } = kitOn(launcher);
const at = (name: string) => join(launcher.dataDir, name);
const listed = async () => (await launcher.api("GET", "/api/games")).json<{ rules: EventIdRule[] }>().rules;
const clips = async () => (await launcher.api("GET", "/api/clips")).json<{ clips: Clip[] }>().clips;

const file = {
  kitEvents: 1,
  game: "my_game",
  name: "My Game",
  build: "1.4.2",
  events: { my_game_boss_defeated: { label: "The boss is down", recording: { action: "marker" } } },
};

test("an import shows the changes and asks, and is used for the next moment", async () => {
  writeFileSync(at("kit.events.json"), `\ufeff${JSON.stringify(file)}`);
  const asked = await own("rules", "import", at("kit.events.json"));
  assert.equal(asked.code, exitCodes.usage);
  assert.match(asked.stdout, /^my_game_boss_defeated +recording\.action +clip +marker$/m);
  assert.match(asked.stdout, /^\(the game\) +build +- +1\.4\.2$/m);
  assert.match(asked.stderr, /^5 changes will be made\. Nothing was changed, because there is no terminal/);
  assert.deepEqual(await listed(), []);

  assert.match((await succeeds("rules", "import", at("kit.events.json"), "--yes")).stdout, /^Done: 5 changes\.$/m);
  await succeeds("fire", "recording", "my_game_boss_defeated");
  const clip = await until("the clip is there", async () =>
    (await clips()).find(({ title }) => title === "The boss is down"),
  );
  assert.deepEqual([clip.title, clip.game, clip.events[0]?.label], ["The boss is down", "my_game", "The boss is down"]);
  await succeeds("fire", "recording", "my_game_bos_defeated");
  await until("the hint is there", async () =>
    (await listed()).some(({ similarTo }) => similarTo === "my_game_boss_defeated"),
  );
});

test("an exported file can be imported, and an export never overwrites a file", async () => {
  await succeeds("rules", "import", at("kit.events.json"), "--yes");
  await succeeds("rules", "export", "my_game", "--out", at("exported.json"));
  const exported = JSON.parse(readFileSync(at("exported.json"), "utf8")) as EventsFile;
  assert.deepEqual(exported, (await succeeds("rules", "export", "my_game")).json());
  assert.equal(exported.events.my_game_boss_defeated?.recording?.action, "marker");
  assert.match((await succeeds("rules", "import", at("exported.json"))).stdout, /^Nothing to change/);
  assert.match((await own("rules", "export", "my_game", "--out", at("exported.json"))).stderr, /already exists/);
  assert.equal((await own("rules", "export", "nobody")).code, exitCodes.refused);
});

test("an invalid file is refused with a line for each mistake", async () => {
  const events = { my_game_a: { lable: "x" }, my_game_b: { recording: { preSeconds: 200 } } };
  writeFileSync(at("bad.json"), JSON.stringify({ ...file, build: 1.4, events }));
  const refused = await own("rules", "import", at("bad.json"), "--yes");
  assert.equal(refused.code, exitCodes.refused);
  assert.match(refused.stderr, /^ {2}\/events\/my_game_a\/lable is unknown: did you mean label\?$/m);
  assert.match(refused.stderr, /^ {2}\/events\/my_game_b\/recording\/preSeconds expected .* from 0 to 120$/m);
  assert.match(refused.stderr, /^ {2}\/build expected the game's version, e\.g\. 1\.4\.2, .*1 to 100 characters/m);
  writeFileSync(at("bad.json"), "{");
  assert.match((await own("rules", "import", at("bad.json"))).stderr, /bad\.json is not JSON: /);
});
