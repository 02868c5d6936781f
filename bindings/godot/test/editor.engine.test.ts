// Tests of the plugin in the real editor: enabling and disabling it, what the editor shows, and warnings.
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { pathOf, skipWithout } from "../../../tools/engines/locate.ts";
import { openRecorder } from "../../rpgmaker/test/recorder.ts";
import { addAddon, settingsText } from "./builds.ts";
import { engineEnv, type Outcome, run } from "./engine.ts";
import { openScratch, printed, untilAnswered, writeGame } from "./game.ts";

const skip = skipWithout("Godot");
const binding = join(import.meta.dirname, "..");

/** Runs Godot in the project at `folder`. Throws its output if it failed or printed an error. */
async function godot(folder: string, ...words: string[]): Promise<Outcome> {
  const outcome = await run({ path: pathOf("Godot"), words, cwd: folder }, engineEnv(join(folder, "..")));
  if (outcome.code !== 0 || outcome.errors.length > 0) throw new Error(`Godot printed:\n${outcome.output}`);
  return outcome;
}

/** Adds a plugin that runs `steps` once the editor is ready, and then closes it. */
function addHand(folder: string, steps: string): void {
  const place = join(folder, "addons/hand");
  mkdirSync(place, { recursive: true });
  writeFileSync(
    join(place, "plugin.cfg"),
    '[plugin]\nname="hand"\ndescription=""\nauthor=""\nversion="1"\nscript="hand.gd"\n',
  );
  const lines = steps.trim().split("\n");
  const script = `@tool
extends EditorPlugin

func tell(what: String) -> void:
	print("@", what, " ", ProjectSettings.has_setting("autoload/KitSDK"))

func _ready() -> void:
	await get_tree().process_frame
	while EditorInterface.get_resource_filesystem().is_scanning():
		await get_tree().process_frame
${lines.map((line) => `\t${line}\n`).join("")}	get_tree().quit()
`;
  writeFileSync(join(place, "hand.gd"), script);
}

const listing = (...plugins: string[]) =>
  `\n[editor_plugins]\n\nenabled=PackedStringArray(${plugins.map((name) => `"res://addons/${name}/plugin.cfg"`).join(", ")})\n`;

/** Writes a project with the add-on, not yet enabled, and the hand. `projectText` is added to its project.godot. */
function writeProject(folder: string, steps: string, projectText: string): void {
  const ready = `get_node("/root/KitSDK").recording.trigger_event("sky_installed")${untilAnswered}`;
  writeGame(folder, { ready, autoloads: {} });
  addAddon(folder);
  addHand(folder, steps);
  const path = join(folder, "project.godot");
  writeFileSync(path, readFileSync(path, "utf8") + projectText);
}

/** Starts the project as a game; returns the event ids that a launcher received from it. */
async function eventsOf(folder: string): Promise<string[]> {
  const launcher = await openRecorder();
  try {
    writeFileSync(join(folder, "override.cfg"), settingsText("kit_sdk", { launcher_url: launcher.url }));
    await godot(folder);
    return launcher.requests.map(({ body }) => JSON.parse(body.toString()).eventId);
  } finally {
    await launcher.close();
  }
}

describe("the plugin in the editor", { skip, concurrent: true }, () => {
  test("enabling the plugin registers KitSDK and shows its settings, and disabling it removes KitSDK", async () => {
    using scratch = openScratch();
    const folder = join(scratch.folder, "game");
    const steps = `
tell("at first")
EditorInterface.set_plugin_enabled("kit_sdk", true)
tell("enabled")
for info: Dictionary in ProjectSettings.get_property_list():
	if info.name.begins_with("kit_sdk/"):
		var is_basic: bool = (info.usage & PROPERTY_USAGE_EDITOR_BASIC_SETTING) != 0
		var parts: Array = [info.name, type_string(info.type), ProjectSettings.get_setting(info.name), is_basic]
		print("@", parts, ProjectSettings.property_get_revert(info.name))
EditorInterface.set_plugin_enabled("kit_sdk", false)
tell("disabled")
EditorInterface.set_plugin_enabled("kit_sdk", true)
ProjectSettings.save()`;
    writeProject(folder, steps, listing("hand"));
    const { output } = await godot(folder, "--editor");
    const printedLines = output.split("\n").flatMap((line) => (line.startsWith("@") ? [line.slice(1)] : []));
    assert.deepEqual(printedLines, [
      "at first false",
      "enabled true",
      '["kit_sdk/launcher_url", "String", "http://127.0.0.1:9876", true]http://127.0.0.1:9876',
      '["kit_sdk/enable_recording", "bool", true, true]true',
      '["kit_sdk/enable_monitor", "bool", true, true]true',
      '["kit_sdk/enable_social", "bool", true, true]true',
      '["kit_sdk/build", "String", "{version}", true]{version}',
      '["kit_sdk/report_uncaught_errors", "bool", false, true]false',
      '["kit_sdk/debug_logging", "bool", false, true]false',
      "disabled false",
    ]);
    assert.match(readFileSync(join(folder, "project.godot"), "utf8"), /enabled=.*addons\/kit_sdk\/plugin.cfg/);
    assert.deepEqual(await eventsOf(folder), ["sky_installed"]);
  });

  test("a project.godot that only lists the plugin gets KitSDK when the editor opens it", async () => {
    using scratch = openScratch();
    const folder = join(scratch.folder, "game");
    writeProject(folder, 'tell("opened")\nProjectSettings.save()', listing("kit_sdk", "hand"));
    const { output } = await godot(folder, "--editor");
    assert.match(output, /^@opened true$/m);
    assert.deepEqual(await eventsOf(folder), ["sky_installed"]);
  });

  test("a checkout that was never opened in the editor runs", async () => {
    using scratch = openScratch();
    const folder = join(scratch.folder, "game");
    writeGame(folder, { ready: `KitSDK.recording.trigger_event("sky_fresh")${untilAnswered}` });
    addAddon(folder);
    assert.equal(existsSync(join(folder, ".godot")), false);
    assert.deepEqual(await eventsOf(folder), ["sky_fresh"]);
  });

  test("every public member has a description that the editor shows", async () => {
    using scratch = openScratch();
    const [folder, docs] = [join(scratch.folder, "game"), join(scratch.folder, "docs")];
    writeGame(folder, { ready: "pass" });
    addAddon(folder);
    mkdirSync(docs);
    await godot(folder, "--doctool", docs, "--gdscript-docs", "res://addons/kit_sdk");
    const pageOf = (name: string) => readFileSync(join(docs, name), "utf8");
    const service = (name: string) => pageOf(`addons--kit_sdk--${name}_service.gd.xml`);
    const pages = [pageOf("KitSDK.xml"), ...["recording", "monitor", "social"].map(service)];
    const members = pages.flatMap((page) => [
      ...page.matchAll(/<(member|method) name="([a-z]\w*)"[^>]*>([\s\S]*?)<\/\1>/g),
    ]);
    const described = members.map(([, kind, name = "", inside = ""]) => {
      const text = kind === "member" ? inside : (/<description>([\s\S]*)<\/description>/.exec(inside)?.[1] ?? "");
      return [name, text.trim().length > 10];
    });
    const operations = ["report_error", "trigger_event", "trigger_event"];
    const switches = ["enable_monitor", "enable_recording", "enable_social", "report_uncaught_errors", "debug_logging"];
    const settings = [...switches, "build", "launcher_url"];
    const expected = [...operations, ...settings, "monitor", "recording", "social"].sort().map((name) => [name, true]);
    assert.deepEqual(described.sort(), expected);
    for (const page of pages) assert.match(page, /<brief_description>\s*\S/);
  });
});

describe("GDScript's warnings", { skip, concurrent: true }, () => {
  /** The editor's messages about the scripts when it imports the project, after `change`. */
  async function complaints(change: (folder: string) => void): Promise<string> {
    using scratch = openScratch();
    const folder = join(scratch.folder, "game");
    mkdirSync(folder);
    for (const part of ["addons", "demo", "project.godot"])
      cpSync(join(binding, part), join(folder, part), { recursive: true });
    change(folder);
    const outcome = await run({ path: pathOf("Godot"), words: ["--import"], cwd: folder }, engineEnv(scratch.folder));
    return outcome.errors.join("\n");
  }

  test("all warnings are errors in this project, and there are none", async () => {
    assert.equal(await complaints(() => {}), "");
  });

  test("a warning in any script of the add-on is found", async () => {
    const messages = await complaints((folder) => {
      const addon = join(folder, "addons/kit_sdk");
      for (const name of readdirSync(addon).filter((file) => file.endsWith(".gd"))) {
        const path = join(addon, name);
        writeFileSync(path, `${readFileSync(path, "utf8")}\n\nfunc _careless() -> void:\n\tvar unused: int = 1\n`);
      }
    });
    assert.match(messages, /"unused" is declared but never used.*Warning treated as error/);
  });

  test("project.godot sets every warning", async () => {
    using scratch = openScratch();
    const folder = join(scratch.folder, "game");
    const ready = `
for info: Dictionary in ProjectSettings.get_property_list():
	if info.name.begins_with("debug/gdscript/warnings/") and info.type == TYPE_INT:
		print(info.name.trim_prefix("debug/"))`;
    writeGame(folder, { ready, autoloads: {} });
    const known = printed(await godot(folder));
    assert.ok(known.length > 40, `only ${known.length} warnings found`);
    const project = readFileSync(join(binding, "project.godot"), "utf8");
    assert.deepEqual(
      known.filter((name) => !project.includes(`\n${name}=2\n`)),
      [],
    );
  });
});
