// Tests of a checkout that was never opened in the editor, as on CI: import, export and play, with the plugin's two sections in
// project.godot, and with only the plugin's listing, as a merge may leave it.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { pathOf, skipWithout } from "../../../tools/engines/locate.ts";
import { openRecorder } from "../../rpgmaker/test/recorder.ts";
import { addAddon, type BuildKind, build, stage } from "./builds.ts";
import { engineEnv, run } from "./engine.ts";
import { openScratch, type Scratch, untilAnswered, writeGame } from "./game.ts";

const skip = skipWithout("Godot");
const skipRelease = skipWithout("Godot", "Godot release template");

const listing = '\n[editor_plugins]\n\nenabled=PackedStringArray("res://addons/kit_sdk/plugin.cfg")\n';

const threeOperations = `
KitSDK.recording.trigger_event("sky_boss_defeated")
KitSDK.monitor.report_error("door stuck")
KitSDK.social.trigger_event("sky_all_stars")${untilAnswered}`;

const projects = { "lists only the plugin": {}, "lists plugin and autoload": { KitSDK: "" } };

/** A game whose script uses KitSDK, as in a checkout. */
function writeCheckout({ folder }: Scratch, autoloads: Readonly<Record<string, string>>): string {
  const project = join(folder, "game");
  writeGame(project, { ready: threeOperations, autoloads });
  addAddon(project);
  const file = join(project, "project.godot");
  writeFileSync(file, readFileSync(file, "utf8") + listing);
  return project;
}

/** The engine's errors while it runs with `words` in the project. */
async function errorsOf(project: string, ...words: string[]): Promise<string[]> {
  const outcome = await run({ path: pathOf("Godot"), words, cwd: project }, engineEnv(join(project, "..")));
  assert.equal(outcome.code, 0, outcome.output);
  return outcome.errors;
}

const autoloadOf = (project: string) => /^KitSDK=.*$/m.exec(readFileSync(join(project, "project.godot"), "utf8"))?.[0];

/** Exports the project, plays the export, and returns the paths of the requests that a launcher received. */
async function playedFrom(project: string, kind: BuildKind, { folder }: Scratch): Promise<string[]> {
  await using stack = new AsyncDisposableStack();
  const launcher = await openRecorder();
  stack.defer(() => launcher.close());
  const built = await build(kind, project, folder);
  const program = stage(built, join(folder, "played"), { launcher_url: launcher.url });
  const { code, errors, output } = await run(program, engineEnv(folder), { hopeless: /^SCRIPT ERROR/ });
  assert.deepEqual([code, errors], [0, []], output);
  return launcher.requests.map(({ path }) => path).toSorted();
}

const allThree = ["/api/monitor/report", "/api/recording/trigger", "/api/social/trigger"];

describe("a checkout that was never opened in the editor", { concurrent: true }, () => {
  for (const [name, autoloads] of Object.entries(projects)) {
    test(`the first import prints no error if project.godot ${name}`, { skip }, async () => {
      using scratch = openScratch();
      const project = writeCheckout(scratch, autoloads);
      assert.deepEqual(await errorsOf(project, "--import"), []);
      // A path, because engines before 4.4 do not know the `uid://` of a script.
      assert.equal(autoloadOf(project), 'KitSDK="*res://addons/kit_sdk/kit_sdk.gd"');
      assert.deepEqual(await playedFrom(project, "source", scratch), allThree);
    });

    test(`the exported game sends events if project.godot ${name}`, { skip: skipRelease }, async () => {
      using scratch = openScratch();
      assert.deepEqual(await playedFrom(writeCheckout(scratch, autoloads), "release", scratch), allThree);
    });
  }

  test("an editor that quits at once registers the autoload", { skip }, async () => {
    using scratch = openScratch();
    const project = writeCheckout(scratch, {});
    assert.deepEqual(await errorsOf(project, "--editor", "--quit"), []);
    assert.equal(autoloadOf(project), 'KitSDK="*res://addons/kit_sdk/kit_sdk.gd"');
  });
});
