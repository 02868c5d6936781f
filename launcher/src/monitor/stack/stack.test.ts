// Tests of stacks as engines write them. Texts are from real runs, shortened, unless a test says that they are documented forms.
import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import { parseStack } from "./stack.ts";

type Row = readonly [name: string | null, file: string | null, line: number | null, inApp: boolean];

function assertReads(stackTrace: string, dialect: string, rows: readonly Row[], message = "it broke"): void {
  const stack = parseStack(message, stackTrace);
  const read = stack.frames.map(({ function: name, file, line, inApp }) => [name, file, line, inApp]);
  assert.deepEqual(read, rows);
  assert.equal(stack.dialect, dialect);
}

test("GDScript: a backtrace of the engine's logger", () => {
  const text = `GDScript backtrace (most recent call first):
    [0] take_damage (res://actors/enemy.gd:32)
    [1] <anonymous lambda> (res://actors/enemy.gd:12)
    [2] post (res://addons/kit_sdk/kit_transport.gd:44)`;
  assertReads(text, "gdscript", [
    ["take_damage", "res://actors/enemy.gd", 32, true],
    [null, "res://actors/enemy.gd", 12, true],
    ["post", "res://addons/kit_sdk/kit_transport.gd", 44, false],
  ]);
});

test("GDScript: get_stack() as written by str() and JSON.stringify()", () => {
  const rows: Row[] = [
    ["lose", "res://actors/enemy.gd", 46, true],
    ["_ready", "res://main.gd", 44, true],
  ];
  const written = `[{ "source": "res://actors/enemy.gd", "function": "lose", "line": 46 }, { "source": "res://main.gd", "function": "_ready", "line": 44 }]`;
  assertReads(written, "gdscript", rows);
  const json = `[{"function":"lose","line":46,"source":"res://actors/enemy.gd"},{"function":"_ready","line":44,"source":"res://main.gd"}]`;
  assertReads(json, "gdscript", rows);
  assertReads("[]", "text", []);
});

test("GDScript: the engine's error output names each place once", () => {
  const text = `SCRIPT ERROR: Invalid access to property or key 'power' on a base object of type 'Nil'.
          at: take_damage (res://actors/enemy.gd:32)
          GDScript backtrace (most recent call first):
              [0] take_damage (res://actors/enemy.gd:32)
              [1] hit (res://actors/enemy.gd:22)`;
  assertReads(text, "gdscript", [
    ["take_damage", "res://actors/enemy.gd", 32, true],
    ["hit", "res://actors/enemy.gd", 22, true],
  ]);
  const ofEngine = `ERROR: Parse JSON failed.\n   at: parse_string (core/io/json.cpp:624)`;
  assertReads(ofEngine, "gdscript", [["parse_string", "core/io/json.cpp", 624, false]]);
});

test("GDScript: lines of print_stack() (documented forms, not run)", () => {
  assertReads("Frame 0 - res://a b/x.gd:12 in function '_ready'", "gdscript", [["_ready", "res://a b/x.gd", 12, true]]);
  assertReads("   At: res://x.gd:12:_ready()", "gdscript", [["_ready", "res://x.gd", 12, true]]);
});

test("GDScript: what the editor's debugger copies", () => {
  const text = `E 0:00:01:0123   wake: Invalid access to property or key 'nose' on a base object of type 'Nil'.
  <GDScript Error>
  <GDScript Source>rex.gd:12 @ wake()
  <Stack Trace> rex.gd:12 @ wake()
                main.gd:3 @ _ready()`;
  assertReads(text, "gdscript", [
    ["wake", "rex.gd", 12, true],
    ["_ready", "main.gd", 3, true],
  ]);
});

test("V8: methods, constructors, async calls, built-ins, folders with parentheses, the engine's core", () => {
  const text = `TypeError: it broke
    at new Enemy (chrome-extension://jombgaao/js/plugins/Battle.js:10:35)
    at file:///home/My Game (beta)/js/plugins/Battle.js:37:30
    at Array.map (<anonymous>)
    at Object.update [as run] (C:\\Games (old)\\js\\plugins\\Battle.js:1:2)
    at async loadMap (http://127.0.0.1:42171/js/plugins/World.js:9:1)
    at async Promise.all (index 0)
    at Scene_Base.update (file:///home/js/rmmz_core.js:14:10)
    at node:internal/process/task_queues:95:5`;
  assertReads(text, "v8", [
    ["new Enemy", "chrome-extension://jombgaao/js/plugins/Battle.js", 10, true],
    [null, "file:///home/My Game (beta)/js/plugins/Battle.js", 37, true],
    ["Array.map", null, null, false],
    ["Object.update [as run]", "C:\\Games (old)\\js\\plugins\\Battle.js", 1, true],
    ["loadMap", "http://127.0.0.1:42171/js/plugins/World.js", 9, true],
    ["Promise.all", null, null, false],
    ["Scene_Base.update", "file:///home/js/rmmz_core.js", 14, false],
    [null, "node:internal/process/task_queues", 95, false],
  ]);
});

test("V8: eval code is placed where eval was called, and data: URLs are files", () => {
  const text = `    at eval (eval at <anonymous> (file:///g/js/plugins/World.js:60:64), <anonymous>:1:1)
    at data:text/javascript,boom():1:7`;
  assertReads(text, "v8", [
    ["eval", "file:///g/js/plugins/World.js", 60, true],
    [null, "data:text/javascript,boom()", 1, true],
  ]);
});

test("Firefox: closures, eval code, prototypes", () => {
  const text = `thorns/<@http://127.0.0.1:37837/js/plugins/Battle.js:35:30
@http://127.0.0.1:37837/js/plugins/World.js line 54 > eval:1:1
Scene_Base.prototype.update@http://127.0.0.1:37837/js/rmmz_core.js:14:10`;
  assertReads(text, "gecko", [
    ["thorns/<", "http://127.0.0.1:37837/js/plugins/Battle.js", 35, true],
    [null, "http://127.0.0.1:37837/js/plugins/World.js", 54, true],
    ["Scene_Base.prototype.update", "http://127.0.0.1:37837/js/rmmz_core.js", 14, false],
  ]);
});

test("Safari's engine: native code, global code, frames without a name", () => {
  const text = `@/tmp/My Game (beta)/js/plugins/Battle.js:16:51
map@[native code]
global code@/tmp/My Game (beta)/js/main.js:26:5`;
  assertReads(text, "gecko", [
    [null, "/tmp/My Game (beta)/js/plugins/Battle.js", 16, true],
    ["map", null, null, false],
    [null, "/tmp/My Game (beta)/js/main.js", 26, true],
  ]);
});

test("GML: every form the manual shows (documented forms, not run)", () => {
  const rows: Row[] = [
    ["gml_Script_hurt", null, 4, true],
    ["gml_Object_obj_player_Step_0", null, 12, true],
  ];
  assertReads("gml_Script_hurt (line 4)\ngml_Object_obj_player_Step_0 (line 12)", "gml", rows);
  assertReads("gml_Script_hurt:4\ngml_Object_obj_player_Step_0:12", "gml", rows);
  assertReads('[ "gml_Script_hurt:4","gml_Object_obj_player_Step_0:12","0" ]', "gml", rows);
  const rule = "#".repeat(92);
  const long = `${rule}\nERROR in\naction number 1\nof  Step Event0\nfor object obj_player:\n\nit broke\n at gml_Script_hurt (line 4) -        hp -= damage;\n${rule}\ngml_Script_hurt (line 4)\ngml_Object_obj_player_Step_0 (line 12)`;
  assertReads(long, "gml", rows);
  assert.equal(parseStack(long, "").frames.length, 2);
  assertReads("gml_Script_kit_monitor_report (line 9)", "gml", [["gml_Script_kit_monitor_report", null, 9, false]]);
});

test(".NET: places, async methods, generics, lambdas, the runtime's own frames", () => {
  const text = `   at System.Collections.Generic.List\`1.get_Item(Int32 index)
   at Dungeon.Pool\`1.Take(Int32 index) in /home/kim/My Game (beta)/src/World.cs:line 13
   at Dungeon.Battle.Turns(Int32 value)+MoveNext() in C:\\a b\\Combat.cs:line 68
   at Dungeon.Battle.<>c.<Faults>b__4_7(Int32 value)
--- End of stack trace from previous location ---
   at Microsoft.Xna.Framework.Game.Tick()`;
  assertReads(text, "dotnet", [
    ["System.Collections.Generic.List`1.get_Item", null, null, false],
    ["Dungeon.Pool`1.Take", "/home/kim/My Game (beta)/src/World.cs", 13, true],
    ["Dungeon.Battle.Turns", "C:\\a b\\Combat.cs", 68, true],
    ["Dungeon.Battle.<>c.<Faults>b__4_7", null, null, true],
    ["Microsoft.Xna.Framework.Game.Tick", null, null, false],
  ]);
});

test(".NET: the innermost exception's frames come first", () => {
  const text = `Game.BattleException: it broke
 ---> Game.EnemyException: Enemy with -130 hit points cannot live
   at Game.Enemy..ctor(Int32 hp) in /g/Combat.cs:line 30
   --- End of inner exception stack trace ---
   at Game.Battle.Begin(Int32 value) in /g/Combat.cs:line 79`;
  assertReads(text, "dotnet", [
    ["Game.Enemy..ctor", "/g/Combat.cs", 30, true],
    ["Game.Battle.Begin", "/g/Combat.cs", 79, true],
  ]);
});

test("Mono: offsets, modules without symbols, wrappers", () => {
  const text = `  at System.Environment.get_StackTrace () [0x00000] in <12b418a7818c4ca0893feeaaf67f1e7f>:0 
  at Tower.Enemy.TakeDamage (System.Int32 value) [0x00001] in /g/Assets/Scripts/Combat.cs:28 
  at (wrapper managed-to-native) Tower.Native.Call (intptr)
  at Tower.Play.Main (System.String[] words) [0x00000] in <6ff09f1f914d4d9cb5188f6a7a227f5d>:0 `;
  assertReads(text, "mono", [
    ["System.Environment.get_StackTrace", null, null, false],
    ["Tower.Enemy.TakeDamage", "/g/Assets/Scripts/Combat.cs", 28, true],
    ["Tower.Native.Call", null, null, true],
    ["Tower.Play.Main", null, null, true],
  ]);
});

test("IL2CPP: names without places (documented form, not run)", () => {
  const text = `  at Tower.Enemy.Update () [0x00000] in <00000000000000000000000000000000>:0 
  at Tower.Battle.Begin (System.Int32 value)`;
  assertReads(text, "il2cpp", [
    ["Tower.Enemy.Update", null, null, true],
    ["Tower.Battle.Begin", null, null, true],
  ]);
});

test("Unity's log: with and without places", () => {
  const text = `UnityEngine.Debug:LogError (object)
Tower.Score:Save (int) (at Assets/Scripts/Score.cs:12)
Tower.Play:Main (String[])`;
  assertReads(text, "unity", [
    ["UnityEngine.Debug:LogError", null, null, false],
    ["Tower.Score:Save", "Assets/Scripts/Score.cs", 12, true],
    ["Tower.Play:Main", null, null, true],
  ]);
});

test("Wine, macOS and iOS: functions and modules of the thread that crashed, without addresses", () => {
  const of = (text: string) => parseStack("", text).frames.map(({ function: name, owner }) => [name, owner]);
  const wine = `Backtrace:
=>0 0x007ffffb5983a6 in unityplayer (+0x9fd7a5) (0x00000000182e06ab)
  1 0x000000007b89e81e VirtualAlloc+0x1d() in kernel32 (0x00000000182e06ab)`;
  assert.deepEqual(of(wine), [
    [null, "unityplayer"],
    ["VirtualAlloc", "kernel32"],
  ]);
  const apple = `Thread 0:
0   libsystem_kernel.dylib \t0x00000001935c9e34 mach_msg2_trap + 8

Thread 2 Crashed:
0   Farm Game \t0x0000000104a1b84c Godot::step(double) + 116 (main.cpp:35)

Thread 3:
0   libsystem_pthread.dylib \t0x00000001936060fc thread_start + 8`;
  assert.deepEqual(of(apple), [["Godot::step(double)", "Farm Game"]]);
});

test("text that is not a stack is read as text", () => {
  for (const text of [
    "",
    "nothing",
    "at noon (or later) it broke",
    "mail kim@example.org: now",
    "[0] is wrong",
    "a: b (c)",
  ]) {
    assertReads(text, "text", []);
  }
});

test("a stack in the message is read, and the headline is the text before it", () => {
  const stack = parseStack("Game.EnemyException: it broke\n   at Game.Enemy.Hit() in /g/Combat.cs:line 3", "");
  assert.equal(stack.headline, "Game.EnemyException: it broke");
  assert.equal(stack.frames[0]?.function, "Game.Enemy.Hit");
});

test("lines of the message that look like frames are not read as frames", () => {
  const message = "it broke\n    at fake (file:///x.js:1:1)";
  const stack = parseStack(message, `Error: ${message}\n    at real (file:///y.js:2:2)`);
  assert.deepEqual(
    stack.frames.map(({ function: name }) => name),
    ["real"],
  );
});

test("a message that is a part of the first frame's name does not hide the frame", () => {
  assertReads("   at Game.Enemy.Hit() in /g/a.cs:line 3", "dotnet", [["Game.Enemy.Hit", "/g/a.cs", 3, true]], "Hit");
});

test("200 frames of a deep stack are kept, and all are counted", () => {
  const stack = parseStack("deep", "    at f (file:///x.js:1:1)\n".repeat(1_000));
  assert.equal(stack.frames.length, 200);
  assert.equal(stack.framesTotal, 1_000);
});

test("no text makes the parser throw, and its result is bounded", () => {
  const words = [
    "at ",
    " (",
    ")",
    "@",
    ":1",
    ":1:2",
    "\n",
    "gml_",
    "[0] ",
    "{",
    "}",
    '"source":"',
    "res://",
    " in ",
    "<",
    "[0x",
  ];
  const text = fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ unit: "binary" })), { maxLength: 60 });
  fc.assert(
    fc.property(text, text, (message, stackTrace) => {
      const stack = parseStack(message.join(""), stackTrace.join(""));
      assert.ok(stack.frames.length <= 200 && stack.frames.length <= stack.framesTotal);
      assert.ok(stack.frames.every((frame) => frame.text.length <= 500));
    }),
    { numRuns: 500 },
  );
});
