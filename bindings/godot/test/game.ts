// A temporary game with the add-on, whose main script a test writes.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathOf } from "../../../tools/engines/locate.ts";
import { addAddon, type Settings, settingsText } from "./builds.ts";
import { engineEnv, type Outcome, run } from "./engine.ts";

const kitSdk = "res://addons/kit_sdk/kit_sdk.gd";

/** The last lines of a game that waits for its answers, because quitting waits for them only a quarter of a second. */
export const untilAnswered = `
while get_node("/root/KitSDK")._transport._pending > 0:
	await get_tree().process_frame`;

export type Game = {
  /** The body of `_ready`, which may await. The game quits at its end. */
  readonly ready: string;
  readonly settings?: Settings;
  /** The project's version. */
  readonly version?: string;
  /** Scripts of autoloads by name, in the order of the project settings. `KitSDK` is the add-on's own. */
  readonly autoloads?: Readonly<Record<string, string>>;
};

export type Scratch = { readonly folder: string } & Disposable;

export function openScratch(): Scratch {
  const folder = mkdtempSync(join(tmpdir(), "kit-godot-"));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

function mainScript(ready: string): string {
  const lines = ready.trim().split("\n");
  return `extends Node\n\n\nfunc _ready() -> void:\n${lines.map((line) => `\t${line}\n`).join("")}\tget_tree().quit()\n`;
}

const mainScene = `[gd_scene load_steps=2 format=3]

[ext_resource type="Script" path="res://main.gd" id="1"]

[node name="Main" type="Node"]
process_mode = 3
script = ExtResource("1")
`;

/** Writes the game to `folder` as a fresh checkout, without the engine's `.godot` folder. */
export function writeGame(folder: string, { ready, settings = {}, version, autoloads = { KitSDK: "" } }: Game): void {
  mkdirSync(folder, { recursive: true });
  const names = Object.entries(autoloads).map(([name, script]) => {
    if (name === "KitSDK") return [name, `*${kitSdk}`] as const;
    writeFileSync(join(folder, `${name}.gd`), script);
    return [name, `*res://${name}.gd`] as const;
  });
  const versioned = version === undefined ? {} : { "config/version": version };
  const application = { "config/name": "Test", ...versioned, "run/main_scene": "res://main.tscn" };
  const sections = [
    "config_version=5\n",
    settingsText("application", application),
    "run/max_fps=120\n",
    settingsText("autoload", Object.fromEntries(names)),
    settingsText("kit_sdk", settings),
  ];
  writeFileSync(join(folder, "project.godot"), sections.join("\n"));
  writeFileSync(join(folder, "main.gd"), mainScript(ready));
  writeFileSync(join(folder, "main.tscn"), mainScene);
}

/** Plays the game to its end, or until an error that matches `hopeless`. Throws its output if it failed. */
export async function play(game: Game, hopeless: RegExp | undefined = /^SCRIPT ERROR/): Promise<Outcome> {
  using scratch = openScratch();
  const folder = join(scratch.folder, "game");
  writeGame(folder, game);
  addAddon(folder);
  const program = { path: pathOf("Godot"), words: [], cwd: folder };
  // After such an error the rest of the script does not run, and neither does its `quit`.
  const outcome = await run(program, engineEnv(scratch.folder), { withinMs: 60_000, hopeless });
  if (outcome.code !== 0) throw new Error(`the game ended with ${outcome.code}:\n${outcome.output}`);
  return outcome;
}

/** The game's output without the engine's own lines. */
export function printed({ output }: Outcome): string[] {
  return output.split("\n").filter((line) => line !== "" && !line.startsWith("Godot Engine v"));
}
