// The way a developer goes, in the real engine: take the zip from the page, unpack it, write the line, run, look at the page.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { pathOf, skipWithout } from "../../tools/engines/locate.ts";
import { downloadedBytes } from "./shared-browser.ts";
import { eventually, openStage } from "./stage.ts";

const skip = skipWithout("Chromium", "Godot", "unzip");
const run = promisify(execFile);
const withinMs = 120_000;

/** A project as somebody has it before Kit: one scene whose script runs `line` and quits. */
function writeProject(folder: string, line: string, launcherUrl: string): void {
  mkdirSync(folder);
  const settings = ['[application]\nrun/main_scene="res://main.tscn"', `[kit_sdk]\nlauncher_url="${launcherUrl}"`];
  // What the editor writes down when somebody switches the plugin on.
  const plugins = '[editor_plugins]\nenabled=PackedStringArray("res://addons/kit_sdk/plugin.cfg")';
  writeFileSync(join(folder, "project.godot"), ["config_version=5", ...settings, plugins, ""].join("\n\n"));
  writeFileSync(join(folder, "main.gd"), `extends Node\n\nfunc _ready() -> void:\n\t${line}\n\tget_tree().quit()\n`);
  const script = '[ext_resource type="Script" path="res://main.gd" id="1"]';
  const node = '[node name="Main" type="Node"]\nscript = ExtResource("1")';
  writeFileSync(join(folder, "main.tscn"), `[gd_scene load_steps=2 format=3]\n\n${script}\n\n${node}\n`);
}

test("the zip from the page brings a Godot game's first event to the page", { skip }, async (t) => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  const folder = mkdtempSync(join(tmpdir(), "kit-connect-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
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
  // It writes the project down a moment after a plugin changed it, and goes on until it is ended.
  const isRegistered = async () => /\[autoload\]\s+KitSDK="/.test(readFileSync(join(project, "project.godot"), "utf8"));
  await eventually(isRegistered, true, withinMs).finally(() => editor.kill("SIGKILL"));
  if (editor.signalCode === null) await once(editor, "exit");
  await run(pathOf("Godot"), words, { env, timeout: withinMs });

  const arrival = page.getByRole("region", { name: "First event" });
  await arrival.getByRole("status").filter({ hasText: "Your first event arrived: mygame_boss_defeated" }).waitFor();
  await arrival.getByText(/Godot/).waitFor();
});
