// Tests of the demo, up to the real launcher, and of the README's lines.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Issue, KitEvent } from "@kit/contract";
import { describe, test } from "vitest";
import { startOwnLauncher } from "../../../launcher/test/support/own-launcher.ts";
import { until } from "../../../launcher/test/support/until.ts";
import { pathOf, skipWithout } from "../../../tools/engines/locate.ts";
import { openRecorder } from "../../rpgmaker/test/recorder.ts";
import { build, stage } from "./builds.ts";
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

describe("the demo and the README", { skip: skipWithout("Godot"), concurrent: true }, () => {
  test("the demo reaches the launcher, and its report names the version of the project", async () => {
    using scratch = openScratch();
    await using launcher = await startOwnLauncher();
    const project = join(scratch.folder, "project");
    mkdirSync(project);
    // The first requests of a process may take longer than its end is delayed.
    const answered = "\t\twhile KitSDK._transport._pending > 0:\n\t\t\tawait get_tree().process_frame\n";
    copyDemo(project, ["addons", "demo", "project.godot"], answered + endOfDemo);
    const program = stage(await build("source", project, scratch.folder), join(scratch.folder, "game"), {
      launcher_url: `http://127.0.0.1:${launcher.port}`,
    });
    const outcome = await run(program, engineEnv(scratch.folder));
    assert.equal(outcome.code, 0, outcome.output);
    assert.deepEqual(printed(outcome), []);
    const { events } = (await launcher.api("GET", "/api/events")).json<{ events: KitEvent[] }>();
    assert.deepEqual(events.map(({ kind, eventId, payload }) => [kind, eventId ?? payload.message]).sort(), [
      ["monitor", "The save file is damaged"],
      ["recording", "mygame_boss_defeated"],
      ["social", "mygame_all_stars"],
    ]);
    for (const { client } of events) assert.match(client ?? "", /^KitSDK Godot\/4\.[2-9]/);
    const [issue] = await until("there is an issue", async () => {
      const { issues } = (await launcher.api("GET", "/api/issues")).json<{ issues: Issue[] }>();
      return issues.length > 0 ? issues : undefined;
    });
    assert.equal(issue?.lastBuild, "1.0", "the version in project.godot");
  });

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
