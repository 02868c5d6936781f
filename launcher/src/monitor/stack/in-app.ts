// Tells the game's own code from the engine's, its libraries' and the binding's.
import type { Reading } from "./frame.ts";

const managed = [
  "System.",
  "Microsoft.",
  "Interop.",
  "Mono.",
  "MonoGame.",
  "Internal.",
  "UnityEngine.",
  "UnityEngineInternal.",
  "UnityEditor.",
  "Unity.",
  "Godot.",
  "TMPro.",
  "Cysharp.",
  "Kit.",
];

/** RPG Maker's core scripts and the libraries that come with them; `*` stands for any end. */
const scripts = ["rpg_*", "rmmz_*", "pixi*", "phaser*", "effekseer*", "lz-string*", "fpsmeter*", "iphone-inline*"];
const bindings = ["kitsdk.js"];
const schemes = [
  "node:",
  "internal/",
  "chrome://",
  "resource://",
  "moz-extension://",
  "core://",
  "webpack/",
  "native ",
];

export function isInApp({ dialect, function: name, file }: Reading): boolean {
  if (dialect === "gml") return !isKit(name ?? "");
  if (dialect === "gdscript") return isGodotGame(file ?? "");
  if (dialect === "v8" || dialect === "gecko") return isGameScript(file);
  return name !== null && !managed.some((prefix) => name.startsWith(prefix));
}

const isKit = (name: string) => name.startsWith("gml_Script_kit_") || name.startsWith("gml_Script___kit_");

/** C++ files are the engine's. */
function isGodotGame(file: string): boolean {
  if (file.startsWith("res://addons/kit_sdk/") || file.startsWith("core://")) return false;
  return !file.endsWith(".cpp") && !file.endsWith(".h");
}

/** What has no file is built in: Array.map, JSON.parse. */
function isGameScript(file: string | null): boolean {
  if (file === null || schemes.some((scheme) => file.startsWith(scheme))) return false;
  const path = file.toLowerCase().replaceAll("\\", "/");
  if (path.includes("/js/libs/") || path.includes("/node_modules/")) return false;
  const base = path.slice(path.lastIndexOf("/") + 1);
  if (bindings.includes(base)) return false;
  if (path.includes("/js/plugins/")) return true;
  return !scripts.some((name) => base.startsWith(name.slice(0, -1)));
}
