// Tests that errors of Godot, GameMaker and RPG Maker are grouped as their developer would group them.
import assert from "node:assert/strict";
import { test } from "vitest";
import { assertGroups, culpritOf, type Report } from "../fixtures/groups.ts";
import { parseStack } from "../stack/stack.ts";

// Godot

const nothing = "Object reference not set to an instance of an object.";
const godotEngineCalls = `   at Godot.Node.InvokeGodotClassMethod(godot_string_name& method, NativeVariantPtrArgs args, godot_variant& ret)
   at Farm.Crops.Field.InvokeGodotClassMethod(godot_string_name& method, NativeVariantPtrArgs args, godot_variant& ret)
   at Godot.Bridge.CSharpInstanceBridge.Call(IntPtr godotObjectGCHandle, godot_string_name* method)`;
const godotException = (method: string, source: string, logger: string): Report => [
  nothing,
  `ERROR: System.NullReferenceException: ${nothing}
   at Farm.Crops.Field.${method}(Seed seed, Int32 row)${source}
   at Farm.Crops.Field._Process(Double delta)
${godotEngineCalls}
   at: void Godot.NativeInterop.ExceptionUtils.LogException(System.Exception) (${logger})
   C# backtrace (most recent call first):
       [0] void Godot.GD.PushError(string)
       [1] Godot.NativeInterop.godot_bool Godot.Bridge.CSharpInstanceBridge.Call(nint, Godot.NativeInterop.godot_variant**, int)`,
];
const godotBacktrace = (calls: readonly (readonly [call: string, place: string])[]): Report => [
  "The barn is full",
  [
    "C# backtrace (most recent call first):",
    ...calls.map(([call, place], at) => `    [${at}] ${call} (${place})`),
  ].join("\n"),
];

test("an exception of a Godot game in C# is grouped by the game's method, in the editor and in a release", () => {
  const editor = " in D:\\farm\\Crops/Field.cs:line 31";
  const logger = "/root/godot/modules/mono/glue/GodotSharp/GodotSharp/Core/NativeInterop/ExceptionUtils.cs:113";
  assertGroups({
    sow: [godotException("Sow", "", ":0"), godotException("Sow", editor, logger)],
    reap: [godotException("Reap", "", ":0")],
  });
  const own = parseStack(...godotException("Sow", "", ":0")).frames.filter(({ inApp }) => inApp);
  assert.deepEqual(
    own.map((frame) => frame.function),
    ["Farm.Crops.Field.Sow", "Farm.Crops.Field._Process"],
  );
});

test("a C# backtrace of Godot is read without its return types, and its engine frames are never the culprit", () => {
  const invoke = "bool Farm.Barn.InvokeGodotClassMethod(ref Godot.NativeInterop.godot_string_name, out Godot.Variant)";
  const release = (method: string) =>
    godotBacktrace([
      ["void Godot.GD.PushError(string)", ":0"],
      [method, ":0"],
      ["void Farm.Barn._Ready()", ":0"],
      [invoke, ":0"],
    ]);
  const store = "System.Collections.Generic.Dictionary<string, int> Farm.Barn.Store<Hay>((int, int) size)";
  assertGroups({
    store: [
      release(store),
      godotBacktrace([
        ["void Godot.GD.PushError(string)", "/root/godot/GodotSharp/Core/GD.cs:402"],
        [store, "C:/My Farm (new)/Barn.cs:12"],
      ]),
    ],
    empty: [release("void Farm.Barn.Empty()")],
  });
  assert.equal(culpritOf(release(store)), "Farm.Barn.Store");
});

test("a GDScript frame without a file name is unknown, and the frame that has one is the culprit", () => {
  const at = (file: string): Report => [
    "it broke",
    `    [0] call_method (:0)\n    [1] _ready (res://${file}:4)\n    [2] _init (res://main.gd:1)`,
  ];
  assertGroups({ levels: [at("levels/door.gd")], shops: [at("shops/door.gd")] });
});

test("GDScript lines differ between a release and the editor, and do not count", () => {
  const said = "Invalid call. Nonexistent function 'bark' in base 'Nil'.";
  assertGroups({
    bark: [
      [said, "GDScript backtrace (most recent call first):\n    [0] wake (res://dogs/rex.gd:20)"],
      [said, "GDScript backtrace (most recent call first):\n    [0] wake (res://dogs/rex.gdc:11)"],
      [said, '[{"source": "res://dogs/rex.gd", "function": "wake", "line": 20}]'],
    ],
  });
});

const godotCrash = (base: string, script: string): Report => [
  "Farm crashed: SIGSEGV, invalid memory access",
  `SCRIPT ERROR: Out of bounds get index '3'.
   at: earlier_${base} (res://menu.gd:3)
handle_crash: Program crashed with signal 11
Engine version: Godot Engine v4.5.stable.official (876b290332ec6f2e6d173d08162a02aa7e6ca46d)
Dumping the backtrace. Please include this when reporting the bug to the project developer.
[1] /lib/x86_64-linux-gnu/libc.so.6(+0x${base}320) [0x7f${base}45320] (??:0)
[2] ./farm.x86_64() [0x${base}4d5e] (??:0)
[3] <couldn't map PC to fn name>
-- END OF C++ BACKTRACE --
GDScript backtrace (most recent call first):
    [0] ${script} (res://field.gd:12)
-- END OF GDSCRIPT BACKTRACE --`,
];

test("a native crash of Godot is grouped by its script, not by addresses nor by errors before it", () => {
  assertGroups({
    plough: [godotCrash("45", "plough"), godotCrash("8a1", "plough")],
    harvest: [godotCrash("45", "harvest")],
  });
  const nativeOnly = (base: string): Report => {
    const [message, text] = godotCrash(base, "x");
    return [message, text.slice(0, text.indexOf("GDScript backtrace"))];
  };
  assertGroups({ native: [nativeOnly("45"), nativeOnly("8a1")] });
});

// GameMaker

const gmrt = (user: string, path: string, line: number, name: string) =>
  `C:\\Users\\${user}\\GameMakerProjects\\Reef\\${path}.gml (${line}): ${name}`;
const swim = (user: string, line: number) =>
  gmrt(user, "scripts\\Swim\\Swim", line, "gm_aot_MOD_scripts_x2F_Swim_x2F_Swim_FUNC__dive");
const fishStep = (fish: string) => `Reef__objects_x2F_${fish}_x2F_Step_0`;
const fishEvent = (user: string, fish: string, line: number) =>
  gmrt(user, `objects\\${fish}\\Step_0`, line, `gm_aot_MOD_objects_x2F_${fish}_x2F_Step_0_FUNC__${fishStep(fish)}`);

test("a stack of GameMaker's new runtime names file, line and function in each of its forms", () => {
  const said = "ReferenceError : air is not defined";
  const items = [swim("Kim Roe", 4), fishEvent("Kim Roe", "oCod", 12)].map((item) => item.replaceAll("\\", "\\\\"));
  const vm = `+++ Begin stack trace:\n${gmrt("Bo", "objects\\oCod\\Step_0", 9, fishStep("oCod"))}\n+++ End stack trace\nUnhandled exception: ${said}`;
  assertGroups({
    dive: [
      [said, `${swim("Kim Roe", 4)}\n${fishEvent("Kim Roe", "oCod", 12)}`],
      [said, `${swim("Bo", 7)}\n${fishEvent("Bo", "oCod", 15)}`],
      [said, `[ "${items.join('\\n","')}\\n" ]`],
    ],
    cod: [
      [said, fishEvent("Kim Roe", "oCod", 12)],
      [said, vm],
    ],
    eel: [[said, fishEvent("Kim Roe", "oEel", 12)]],
    "a function inside the event": [
      [said, gmrt("Bo", "objects\\oCod\\Step_0", 9, `anon@12@${fishStep("oCod")}`)],
      [said, gmrt("Bo", "objects\\oCod\\Step_0", 9, `anon@99@${fishStep("oCod")}`)],
    ],
  });
  const [frame] = parseStack(said, swim("Kim Roe", 4)).frames;
  const file = "C:\\Users\\Kim Roe\\GameMakerProjects\\Reef\\scripts\\Swim\\Swim.gml";
  assert.deepEqual([frame?.function, frame?.file, frame?.line, frame?.inApp], ["dive", file, 4, true]);
  assert.equal(parseStack(said, vm).frames[0]?.function, "objects/oCod/Step_0");
});

const html5 = (event: string, cachebust: number, line: number) => {
  const url = `http://127.0.0.1:51264/html5game/My%20Reef.js?cachebust=${cachebust}`;
  return { chromium: `    at ${event} (${url}:${line}:4)\n    at yyInstance.PerformEvent (${url}:9:1)`, url };
};

test("an HTML5 game of GameMaker is grouped by its GML name, not by port, cachebust, line or minified names", () => {
  const said = "Cannot read properties of undefined (reading 'gmlair')";
  const inFirefox = (name: string, event: string, line: number): Report => [
    `can't access property "gmlair", ${name} is undefined`,
    `${event}@${html5(event, line, line).url}:${line}:21\nGameMaker_DoAStep@${html5(event, line, line).url}:9:5`,
  ];
  const console_ = (id: number, event: string): Report => [
    `Unknown instance ID: ${id}`,
    `Unknown instance ID: ${id}\n-----\n\tfunction yyInst_DEBUG([instance], ${id})\n\tfunction ${event}([instance], [instance])\n\tfunction (769, 0)\n\tfunction    GameMaker_DoAStep()`,
  ];
  const [cod, eel] = ["gml_Object_oCod_Step_0", "gml_Object_oEel_Step_0"];
  assertGroups({
    cod: [
      [said, `TypeError: ${said}\n${html5(cod, 38, 20).chromium}`],
      [said, `TypeError: ${said}\n${html5(cod, 77, 26).chromium}`],
      [said, `${cod}\n0`],
      [said, `[ "${cod}","0" ]`],
    ],
    "cod in Firefox": [inFirefox("_Oy", cod, 20), inFirefox("_Qa", cod, 26)],
    "eel in Firefox": [inFirefox("_Oy", eel, 20)],
    eel: [[said, `TypeError: ${said}\n${html5(eel, 38, 20).chromium}`]],
    "instance in cod": [console_(100_037, cod), console_(100_412, cod)],
    "instance in eel": [console_(100_037, eel)],
  });
});

// RPG Maker

const script = "ReferenceError: lantern is not defined";
const scriptCall = (folder: string, core: string, caller: string, line: number): Report => [
  script,
  `${script}
    at Game_Event.eval (eval at ${caller} (${folder}/js/${core}_objects.js:${line}:20), <anonymous>:1:1)
    at Game_Event.Game_Character.${caller} (${folder}/js/${core}_objects.js:${line}:9)
    at Scene_Map.update (${folder}/js/${core}_scenes.js:12:1)`,
];

test("the culprit of a script call is the script call in an event, told apart by what runs it", () => {
  const move = "processMoveCommand";
  assertGroups({
    MV: [
      scriptCall("file:///C:/Users/kim/Moor", "rpg", move, 7060),
      scriptCall("file:///C:/Games/Moor/www", "rpg", move, 7066),
    ],
    MZ: [scriptCall("chrome-extension://njgc", "rmmz", move, 8590)],
    "an event's command": [scriptCall("chrome-extension://njgc", "rmmz", "command355", 10_476)],
  });
  assert.equal(culpritOf(scriptCall("file:///C:/x", "rpg", move, 1)), "script call in an event");
});

test("frames without folder and column, as players paste them, are those of the whole stack", () => {
  const said = "TypeError: this.lamps(...).forEach is not a function";
  const whole = (name: string, line: number): Report => [
    said,
    `${said}\n    at Game_Party.${name} (chrome-extension://njgc/js/plugins/Lamps.js:${line}:33)\n    at Game_Party.setup (chrome-extension://njgc/js/rmmz_objects.js:8:14)`,
  ];
  const pasted: Report = [
    `rmmz_managers.js:2030 ${said}`,
    `rmmz_managers.js:2030 ${said}\n    at Game_Party.light (Lamps.js:15)\n    at Game_Party.setup (rmmz_objects.js:8135)`,
  ];
  assertGroups({
    light: [
      whole("light", 15),
      whole("light", 21),
      pasted,
      [said, "light Lamps.js:15:33\nsetup rmmz_objects.js:8135:2"],
    ],
    snuff: [whole("snuff", 15)],
  });
});

test("what called a function later is no part of its name in Firefox", () => {
  const at = (name: string): Report => ["it broke", `${name}@http://127.0.0.1:1/js/plugins/Lamps.js:1:9`];
  assertGroups({ light: ["light", "async*light", "setTimeout handler*light"].map(at), snuff: [at("snuff")] });
});

test("obfuscated names of a plugin, which change with its version, are no part of the key", () => {
  const at = (obfuscated: string, alias: string): Report => [
    "it broke",
    `    at ${obfuscated} (file:///moor/js/plugins/Lamps.js:1:900)\n    at Game_Actor.<computed> [as ${alias}] (file:///moor/js/plugins/Lamps.js:1:90)`,
  ];
  assertGroups({ light: [at("_0x3a2b1c", "light"), at("_0x51ffe0", "light")], snuff: [at("_0x3a2b1c", "snuff")] });
});
