// Tests of the commands that pages show: each reaches the launcher that serves the page.
import assert from "node:assert/strict";
import { message } from "@kit/contract/messages";
import { test } from "vitest";
import { translateMessage } from "../language/language.ts";
import { withCommandOptions } from "./use-launcher.ts";

const program = "npx kit";
const options = '--data-dir "/mnt/kit data"';

test("a kit command gets the options, and one that starts a game gets them before the game's command", () => {
  const launcher = { program, options };
  assert.equal(withCommandOptions("kit show 1", launcher), 'npx kit show 1 --data-dir "/mnt/kit data"');
  assert.equal(
    withCommandOptions("kit run -- ./mygame -- --windowed", launcher),
    'npx kit run --data-dir "/mnt/kit data" -- ./mygame -- --windowed',
  );
});

test("a launcher with the default data folder, and a line of game code, need no options", () => {
  assert.equal(withCommandOptions("kit show 1", { program, options: "" }), "npx kit show 1");
  assert.equal(withCommandOptions("kit show 1", undefined), "kit show 1");
  assert.equal(withCommandOptions('Kit.trigger("mygame_won")', { program, options }), 'Kit.trigger("mygame_won")');
});

test("outside a checkout, no command names npx, which would run a package of somebody else", () => {
  const installed = { program: "kit", options: "" };
  assert.equal(withCommandOptions("kit show 1", installed), "kit show 1");
  assert.equal(withCommandOptions("kit run -- ./mygame", installed), "kit run -- ./mygame");
  assert.equal(withCommandOptions("kit open", { ...installed, options }), `kit open ${options}`);
});

test("a command that a message quotes is as the reader types it", () => {
  const kept = JSON.stringify({ program, options });
  const storage = { getItem: () => kept } as Partial<Storage> as Storage;
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
  assert.equal(
    translateMessage(message("session.needed")),
    'Open the dashboard with `npx kit open --data-dir "/mnt/kit data"`.',
  );
});
