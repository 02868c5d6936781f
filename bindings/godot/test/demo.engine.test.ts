// Tests of the demo and of the README's lines, from source and as players get them, up to the real launcher.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { pathOf, skipWithout } from "../../../tools/engines/locate.ts";
import { startLauncher } from "../../rpgmaker/test/real-launcher.ts";
import { openRecorder } from "../../rpgmaker/test/recorder.ts";
import { type BuildKind, build, stage } from "./builds.ts";
import { engineEnv, run } from "./engine.ts";
import { openScratch, play, printed, untilAnswered, writeGame } from "./game.ts";

const binding = join(import.meta.dirname, "..");

const endOfDemo = "\t\tget_tree().quit()\n";

/** Copies parts of the binding, with other lines in the demo instead of the one that ends it. */
function copyDemo(folder: string, parts: readonly string[], end: string): void {
  for (const part of parts) cpSync(join(binding, part), join(folder, part), { recursive: true });
  const script = join(folder, "demo/demo.gd");
  const text = readFileSync(script, "utf8");
  assert.ok(text.includes(endOfDemo));
  writeFileSync(script, text.replace(endOfDemo, end));
}

/** Builds the demo as `kind`, plays it without a screen, and checks what arrives at the real launcher. */
async function arrivesFrom(kind: BuildKind): Promise<void> {
  using scratch = openScratch();
  await using launcher = await startLauncher();
  const project = join(scratch.folder, "project");
  mkdirSync(project);
  // The first requests of a process may take longer than its end is delayed.
  const answered = "\t\twhile KitSDK._transport._pending > 0:\n\t\t\tawait get_tree().process_frame\n";
  copyDemo(project, ["addons", "demo", "project.godot"], answered + endOfDemo);
  const program = stage(await build(kind, project, scratch.folder), join(scratch.folder, "game"), {
    launcher_url: launcher.url,
  });
  const outcome = await run(program, engineEnv(scratch.folder));
  assert.equal(outcome.code, 0, outcome.output);
  assert.deepEqual(printed(outcome), []);
  const events = await launcher.events(3);
  const received = events.map(({ kind, eventId, payload }) => [kind, eventId ?? payload.message]);
  assert.deepEqual(received.sort(), [
    ["monitor", "The save file is damaged"],
    ["recording", "mygame_boss_defeated"],
    ["social", "mygame_all_stars"],
  ]);
  for (const { kind, status, client, payload } of events) {
    assert.equal(status, "accepted");
    assert.equal(payload.build, kind === "monitor" ? "1.0" : undefined);
    assert.match(client ?? "", /^KitSDK Godot\/4\.[2-9]/);
  }
  const [issue] = await launcher.issues();
  assert.equal(issue?.lastBuild, "1.0", "the version in project.godot");
}

describe("the demo reaches the real launcher", { concurrent: true }, () => {
  test("from source", { skip: skipWithout("Godot") }, () => arrivesFrom("source"));
  test("as an exported pack", { skip: skipWithout("Godot") }, () => arrivesFrom("pack"));
  test("as a release export", { skip: skipWithout("Godot", "Godot release template") }, () => arrivesFrom("release"));
});

describe("the demo and the README", { skip: skipWithout("Godot"), concurrent: true }, () => {
  test("each button of the demo sends its event", async () => {
    using scratch = openScratch();
    const launcher = await openRecorder();
    try {
      const folder = join(scratch.folder, "game");
      // Without a screen the demo sends all three itself. The pressed buttons send theirs after that, one by one.
      const ready = `
var demo: Node = load("res://demo/demo.tscn").instantiate()
add_child(demo)${untilAnswered}
for button: String in ["Post", "Clip", "Error"]:
	demo.get_node(button).pressed.emit()
	print(demo.get_node("Said").text)${untilAnswered.replaceAll("\n", "\n\t")}`;
      writeGame(folder, { ready, settings: { launcher_url: launcher.url } });
      copyDemo(folder, ["addons", "demo"], "");
      const outcome = await run({ path: pathOf("Godot"), words: [], cwd: folder }, engineEnv(scratch.folder));
      assert.deepEqual(printed(outcome), [
        "This is worth telling.",
        "This moment is worth a clip.",
        "This went wrong.",
      ]);
      const kinds = launcher.requests.map(({ path }) => path.split("/")[2]);
      assert.deepEqual(kinds.slice(0, 3).toSorted(), ["monitor", "recording", "social"]);
      assert.deepEqual(kinds.slice(3), ["social", "recording", "monitor"]);
    } finally {
      await launcher.close();
    }
  });

  test("the README's lines run unchanged", async () => {
    const launcher = await openRecorder();
    try {
      const readme = readFileSync(join(binding, "README.md"), "utf8");
      const blocks = [...readme.matchAll(/```gdscript\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");
      assert.ok(blocks.length > 0);
      const ready = [...blocks, untilAnswered].join("\n");
      const outcome = await play({ ready, settings: { launcher_url: launcher.url } });
      assert.deepEqual(printed(outcome), []);
      const paths = launcher.requests.map(({ path }) => path);
      assert.deepEqual(paths.sort(), ["/api/monitor/report", "/api/recording/trigger", "/api/social/trigger"]);
    } finally {
      await launcher.close();
    }
  });
});
