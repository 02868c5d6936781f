// Tests of the commands that pages show: each reaches the launcher that serves the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withCommandOptions } from "./command-options.ts";

const options = '--data-dir "/mnt/kit data"';

test("a kit command gets the options, and one that starts a game gets them before the game's command", () => {
  assert.equal(withCommandOptions("npx kit clip 1", options), 'npx kit clip 1 --data-dir "/mnt/kit data"');
  assert.equal(
    withCommandOptions("npx kit run -- ./mygame -- --windowed", options),
    'npx kit run --data-dir "/mnt/kit data" -- ./mygame -- --windowed',
  );
});

test("a launcher with the default data folder, and a line of game code, need no options", () => {
  assert.equal(withCommandOptions("npx kit clip 1", ""), "npx kit clip 1");
  assert.equal(withCommandOptions('Kit.trigger("mygame_won")', options), 'Kit.trigger("mygame_won")');
});
