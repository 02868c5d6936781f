// Tests of the demo and of the README's lines.
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { pathOf, skipWithout } from "../../../tools/engines/locate.ts";
import { openRecorder } from "../../rpgmaker/test/recorder.ts";
import { engineEnv, run } from "./engine.ts";
import { openScratch, play, printed, untilAnswered, writeGame } from "./game.ts";

const binding = join(import.meta.dirname, "..");

const endOfDemo = "\t\tget_tree().quit()\n";

/** Copies the add-on and the demo, without the line that ends the demo. */
function copyDemo(folder: string): void {
  for (const part of ["addons", "demo"]) cpSync(join(binding, part), join(folder, part), { recursive: true });
  const script = join(folder, "demo/demo.gd");
  const text = readFileSync(script, "utf8");
  assert.ok(text.includes(endOfDemo));
  writeFileSync(script, text.replace(endOfDemo, ""));
}

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
      copyDemo(folder);
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
