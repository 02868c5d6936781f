// Tests of a developer's first steps with the real engine: download the zip, unpack it, add the line, run, see the event.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { test } from "vitest";
import { pathOf, skipWithout } from "../../tools/engines/locate.ts";
import { downloadedBytes } from "./shared-browser.ts";
import { eventually, openStage, waitMs } from "./stage.ts";

const skip = skipWithout("Chromium", "Godot", "unzip");
const run = promisify(execFile);

/** A project without Kit: one scene whose script runs `line` and quits. */
function writeProject(folder: string, line: string, launcherUrl: string): void {
  mkdirSync(folder);
  const settings = ['[application]\nrun/main_scene="res://main.tscn"', `[kit_sdk]\nlauncher_url="${launcherUrl}"`];
  // What the editor writes when the plugin is switched on.
  const plugins = '[editor_plugins]\nenabled=PackedStringArray("res://addons/kit_sdk/plugin.cfg")';
  writeFileSync(join(folder, "project.godot"), ["config_version=5", ...settings, plugins, ""].join("\n\n"));
  writeFileSync(join(folder, "main.gd"), `extends Node\n\nfunc _ready() -> void:\n\t${line}\n\tget_tree().quit()\n`);
  const script = '[ext_resource type="Script" path="res://main.gd" id="1"]';
  const node = '[node name="Main" type="Node"]\nscript = ExtResource("1")';
  writeFileSync(join(folder, "main.tscn"), `[gd_scene load_steps=2 format=3]\n\n${script}\n\n${node}\n`);
}

test("a Godot game with the zip from the page sends its first event, and the page shows it", { skip }, async (t) => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  const folder = mkdtempSync(join(tmpdir(), "kit-connect-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const project = join(folder, "game");
  await page.goto(`http://127.0.0.1:${launcher.port}/#/connect/godot`);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: /^kit-godot-.*\.zip$/ }).click(),
  ]);
  const line = await page.getByRole("list", { name: "Steps" }).locator(".command-line code").innerText();
  writeProject(project, line, `http://127.0.0.1:${launcher.port}`);
  const archive = join(folder, "kit.zip");
  writeFileSync(archive, await downloadedBytes(download));
  await run(pathOf("unzip"), ["-q", archive, "-d", project]);

  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder };
  const words = ["--headless", "--path", project];
  const editor = spawn(pathOf("Godot"), [...words, "--editor"], { env, stdio: "ignore" });
  // The editor writes the project file a moment after the plugin changed it, and runs until it is killed.
  const isRegistered = async () => /\[autoload\]\s+KitSDK="/.test(readFileSync(join(project, "project.godot"), "utf8"));
  const ended = once(editor, "exit");
  await eventually(isRegistered, true).finally(() => editor.kill("SIGKILL"));
  await ended;
  await run(pathOf("Godot"), words, { env, timeout: waitMs });

  const arrival = page.getByRole("region", { name: "First event", exact: true });
  await arrival.getByRole("status").filter({ hasText: "Your first event arrived: mygame_boss_defeated" }).waitFor();
  await arrival.getByText(/Godot/).waitFor();
});
