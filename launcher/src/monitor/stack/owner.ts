// Decides whose code a frame is: the game's, or that of an engine, a library, a package, a patch framework or the OS. Names and
// paths decide; an unknown file is not called the game's.
import { type Frame, isNativeFile, type ParsedFrame } from "./frame.ts";

type Owner = Pick<Frame, "inApp" | "owner">;

const game: Owner = { inApp: true, owner: null };
const unknown: Owner = { inApp: false, owner: null };
const ownedBy = (owner: string): Owner => ({ inApp: false, owner });

export function ownerOf(frame: ParsedFrame): Owner {
  const name = frame.function ?? "";
  const path = frame.file?.replaceAll("\\", "/") ?? null;
  if (frame.dialect === "gml") return gmlOwner(name, path);
  if (frame.dialect === "gdscript") return gdscriptOwner(path);
  if (frame.dialect === "native") return isIl2cppMethod(name) ? il2cppOwner(name) : ownedBy(nativeOwner(path));
  if (frame.dialect === "v8" || frame.dialect === "gecko") return scriptOwner(name, path, frame.line);
  return dotnetOwner(name, path);
}

function nativeOwner(path: string | null): string {
  if (path === null) return "native code";
  return /^(?:.*\.(?:java|kt)|Native Method|Unknown Source)$/.test(path) ? "Java" : path;
}

function gmlOwner(name: string, path: string | null): Owner {
  const isGmrt = path?.endsWith(".gml") ?? false;
  if (/^(?:gml_Script_)?(?:__)?kit_/.test(name)) return ownedBy("Kit");
  return isGmrt || name.startsWith("gml_") ? game : ownedBy("GameMaker");
}

function gdscriptOwner(path: string | null): Owner {
  if (path === null) return unknown;
  if (isNativeFile(path) || path.startsWith("core://")) return ownedBy("Godot");
  const addon = segmentAfter(path, "res://addons/");
  return addon === undefined ? game : ownedBy(addon === "kit_sdk" ? "Kit" : addon);
}

/** Returns the part of a path that follows the last `folder` in it, without a version. */
function segmentAfter(path: string, folder: string): string | undefined {
  const at = path.lastIndexOf(folder);
  const from = at + folder.length;
  const end = at < 0 ? -1 : path.indexOf("/", from);
  return end < 0 ? undefined : path.slice(from, end).replace(/(.)@.*$/, "$1");
}

// .NET, Mono and Unity.

/** The beginnings of names, by the owner. Names that a game could have itself are left out. */
const namespaces: readonly (readonly [owner: string, starts: readonly string[]])[] = Object.entries({
  MonoGame: ["MonoGame.", "Microsoft.Xna."],
  ".NET": [
    "System.",
    "Microsoft.",
    "Interop.",
    "Internal.",
    "Android.",
    "AndroidX.",
    "Java.",
    "ObjCRuntime.",
    "UIKit.",
    "Foundation.NS",
    "Interop/",
    "Interop+",
    "Mono.",
    "object:runtime_invoke",
    "<Module>",
  ],
  Unity: ["UnityEngine.", "UnityEngineInternal.", "UnityEditor.", "Unity.", "TMPro.", "Cinemachine."],
  Godot: ["Godot.", "GodotPlugins."],
  MonoMod: ["MonoMod.", "DMD<", "Trampoline<", "Hook<", "SyncProxy<"],
  Harmony: ["HarmonyLib.", "Harmony.Harmony", "HarmonySharedState."],
  BepInEx: ["BepInEx.", "Il2CppInterop."],
  MelonLoader: ["MelonLoader."],
  DOTween: ["DG.Tweening."],
  "Json.NET": ["Newtonsoft.Json."],
  Odin: ["Sirenix."],
  Photon: ["Photon.", "ExitGames."],
  FMOD: ["FMODUnity.", "FMOD."],
  Mirror: ["Mirror."],
  Spine: ["Spine."],
  Kit: ["Kit."],
});
/** Libraries whose namespace is their name. */
const libraries = new Set(
  `Cysharp UniRx R3 Zenject VContainer MessagePack MemoryPack Steamworks Rewired PlayFab Firebase GooglePlayGames
  YamlDotNet LiteNetLib Lidgren FishNet Sentry NLog Serilog log4net Dapper SQLite Moq NUnit Xunit SDL2 SDL3
  OpenTK Silk Nez ImGuiNET StbImageSharp`.split(/\s+/),
);

function dotnetOwner(name: string, path: string | null): Owner {
  if (name === "") return unknown;
  const found = namespaces.find(([, starts]) => starts.some((start) => name.startsWith(start)));
  if (found) return ownedBy(found[0]);
  const root = name.slice(0, Math.max(0, name.search(/[.:]/)));
  if (libraries.has(root)) return ownedBy(root);
  // Godot generates these methods into each class of the game.
  if (/[.:](?:Invoke|Has|Get|Set|Raise|Save|Restore)Godot(?:Class|Object)[A-Za-z]*$/.test(name))
    return ownedBy("Godot");
  const owner = path === null ? undefined : packageOf(path);
  return owner === undefined ? game : ownedBy(owner);
}

/** Returns the package, plugin or engine that a source file belongs to. */
function packageOf(path: string): string | undefined {
  const folders = ["PackageCache/", "Assets/Plugins/", ".nuget/packages/", "/node_modules/"];
  for (const folder of folders) {
    const found = segmentAfter(path, folder);
    if (found !== undefined) return found;
  }
  if (path.includes("Packages/com.unity.")) return segmentAfter(path, "Packages/") ?? "Unity";
  if (/\/(?:buildslave|bokken)\//.test(path)) return "Unity";
  if (path.includes("/GodotSharp/")) return "Godot";
  return isNativeFile(path) ? "native code" : undefined;
}

// IL2CPP translates C# into C++. Only its names tell whose code it is, and they have no namespace.

const isIl2cppMethod = (name: string) => /_m[\dA-F]{8,64}(?:_\w{1,40})?$/.test(name);
const il2cppEngineTypes =
  /^(?:[A-Za-z]+_\d_|U3CModuleU3E|(?:ThrowHelper|Exception|Object|String|Array|Buffer|Math|Convert|Delegate|Task|Thread|Debug|Component|GameObject|Transform|MonoBehaviour|Behaviour|ScriptableObject|SetupCoroutine|UnityEvent|UnityEventBase|InvokableCall|BaseInvokableCall|ExecuteEvents|EventSystem|Button|AsyncOperation|SceneManager|Resources|NativeArray|PlayerLoop|RuntimeMethodInfo|RuntimeType|MethodBase|MonoMethod|Activator|Assert|Mathf|Int32|Single|Enum)_)/;

const il2cppOwner = (name: string): Owner => (il2cppEngineTypes.test(name) ? ownedBy("Unity") : game);

// JavaScript.

/** Scripts of engines and libraries, by the beginnings of their file names. What follows is no letter. */
const engineScripts: Readonly<Record<string, RegExp>> = {
  "RPG Maker": /^(?:rpg|rmmz)_/,
  Unity: /(?:\.(?:framework|loader|asm)(?:\.[\da-f]+)?\.js|^unityloader\.js)$/,
  Construct: /^c[23]runtime/,
};
const libraryScript =
  /^(pixi|phaser|three|babylon|howler|jquery|gsap|matter|cannon|createjs|melonjs|playcanvas|kaboom|kaplay|excalibur|effekseer|lz-string|fpsmeter|iphone-inline|react|react-dom|vue|lodash|socket\.io)(?![a-z])/;

/** What bundlers call a file of libraries. A game's own vendor has no hash. */
const bundledLibraries = /^(?:chunk-vendors|vendors~|vendors?[.-](?=[\w-]*\d)[\w-]{8,20}\.[cm]?js$)/;

const schemes: Readonly<Record<string, string>> = {
  "node:": "Node.js",
  "internal/": "Node.js",
  "chrome://": "the browser",
  "resource://": "the browser",
  "moz-extension://": "a browser extension",
  "core://": "Godot",
  "webpack/": "webpack",
  "native ": "JavaScript",
};

const baseNameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1).replace(/[?#].*$/, "");

/** Whether this is one of RPG Maker's own scripts. Plugins may have any name. */
export function isRpgMakerScript(file: string): boolean {
  const path = file.toLowerCase().replaceAll("\\", "/");
  return !path.includes("/js/plugins/") && /^(?:rpg|rmmz)_/.test(baseNameOf(path));
}

function scriptOwner(name: string, written: string | null, line: number | null): Owner {
  if (isIl2cppMethod(name)) return il2cppOwner(name);
  if (name === scriptCallName) return game;
  // A function without a file is part of the language, such as `Array.map`.
  if (written === null) return ownedBy("JavaScript");
  if (line === null) return ownedBy("WebAssembly");
  const scheme = Object.keys(schemes).find((start) => written.startsWith(start));
  if (scheme !== undefined) return ownedBy(schemes[scheme] as string);
  const path = written.toLowerCase();
  const base = baseNameOf(path);
  const owner = scriptPackageOf(path, base);
  return owner === undefined ? game : ownedBy(owner);
}

function scriptPackageOf(path: string, base: string): string | undefined {
  const modules = segmentAfter(path, "/node_modules/");
  // Vite's server keeps each package in one file.
  if (modules === ".vite") return base.replace(/\.[cm]?js$/, "");
  if (modules !== undefined) return modules;
  if (bundledLibraries.test(base)) return "libraries";
  if (path.includes("/html5game/")) return "GameMaker";
  if (path.includes("/js/libs/") || /^https?:\/\/(?:cdn\.jsdelivr\.net|unpkg\.com|cdnjs\.cloudflare\.com)\//.test(path))
    return base;
  if (base === "kitsdk.js") return "Kit";
  if (path.includes("/js/plugins/")) return undefined;
  const engine = Object.keys(engineScripts).find((each) => engineScripts[each]?.test(base));
  return engine ?? libraryScript.exec(base)?.[1];
}

/** The name of a script call: RPG Maker evaluates its text, which is stored in an event and in no file. */
export const scriptCallName = "script call in an event";
