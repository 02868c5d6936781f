// Tests that errors of .NET, Unity, Mono and native code are grouped as their developer would group them.
import assert from "node:assert/strict";
import { test } from "vitest";
import { assertGroups, type Report } from "../fixtures/groups.ts";
import { parseStack } from "../stack/stack.ts";
import { issueTitleOf } from "./headline.ts";

const nothing = "Object reference not set to an instance of an object.";

// Unity, Mono and mods

const nullReference = `NullReferenceException: ${nothing}`;

test("numbers of compilers, and the notation of nested types, do not split an error of Unity", () => {
  assertGroups({
    "lambda in Brew": [
      [nullReference, "Cafe.Bar.Machine/<>c__DisplayClass7_0:<Brew>b__0 ()\nCafe.Bar.Loop:Next ()"],
      [nullReference, "Cafe.Bar.Machine/<>c__DisplayClass9_1:<Brew>b__2 ()\nCafe.Bar.Loop:Next ()"],
      [nullReference, "  at Cafe.Bar.Machine+<>c__DisplayClass7_0.<Brew>b__0 () [0x00012] in <5f2a90c1d3e84b77>:0 "],
      [nullReference, "Cafe.Bar.Machine/<Brew>c__AnonStorey1:<>m__0 ()"],
    ],
    "lambda in Pour": [[nullReference, "Cafe.Bar.Machine/<>c__DisplayClass7_0:<Pour>b__0 ()"]],
    "coroutine Open": [
      [nullReference, "Cafe.Door/<Open>d__16:MoveNext ()\nUnityEngine.SetupCoroutine:InvokeMoveNext (object,intptr)"],
      [nullReference, "Cafe.Door/<Open>d__19:MoveNext ()\nUnityEngine.SetupCoroutine:InvokeMoveNext (object,intptr)"],
      [nullReference, "Cafe.Door/<Open>c__Iterator2:MoveNext ()"],
    ],
  });
});

test("an async lambda and a local function of the main program have the names that the programmer wrote", () => {
  const at = (name: string): Report => [nullReference, `   at ${name}(Int32 cups)`];
  assertGroups({
    Serve: [at("Cafe.Bar.<>c__DisplayClass3_0.<<Serve>b__0>d.MoveNext"), at("Cafe.Bar.<Serve>d__9.MoveNext")],
    Heat: [at("Program.<<Main>$>g__Heat|0_1"), at("Program.<<Main>$>g__Heat|0_4")],
    Cool: [at("Program.<<Main>$>g__Cool|0_1")],
  });
});

test("Unity's older log without a space, and frames of Java in it, are read", () => {
  const stack = parseStack(
    "AndroidJavaException: no ad",
    "\tat com.ads.Banner.show(Banner.java:12)\n\tat com.ads.Banner.b(Unknown Source:4)\nUnityEngine.Debug:LogError(Object)\nMill:Grind()",
  );
  assert.deepEqual(
    stack.frames.map(({ function: name, line, owner }) => [name, line, owner]),
    [
      ["com.ads.Banner.show", 12, "Java"],
      ["com.ads.Banner.b", 4, "Java"],
      ["UnityEngine.Debug:LogError", null, "Unity"],
      ["Mill:Grind", null, null],
    ],
  );
});

test("a method that mods patched is the method, however often and with whatever they patched it", () => {
  const brew = (first: string): Report => [nullReference, `${first}\nCafe.Loop:Next ()`];
  assertGroups({
    Tick: [
      "(wrapper dynamic-method) MonoMod.Utils.DynamicMethodDefinition:Cafe.Cat.Tick_Patch1 (Cafe.Cat)",
      "(wrapper dynamic-method) MonoMod.Utils.DynamicMethodDefinition:Cafe.Cat.Tick_Patch4 (Cafe.Cat)",
      "(wrapper dynamic-method) Cafe.Cat:Cafe.Cat.Tick_Patch2 (Cafe.Cat)",
      "  at (wrapper dynamic-method) Cafe.Cat.DMD<Cafe.Cat::Tick>(Cafe.Cat)",
      "   at Cafe.Cat.Tick_PatchedBy<Someone.MoreCats>(Cat this)",
    ].map(brew),
    Purr: [brew("(wrapper dynamic-method) MonoMod.Utils.DynamicMethodDefinition:Cafe.Cat.Purr_Patch1 (Cafe.Cat)")],
    "a method with such a name": [brew("Cafe.Cat:Tick_Patch1 ()")],
    "another one": [brew("Cafe.Cat:Tick_Patch2 ()")],
  });
});

test("code addresses never split an error", () => {
  assertGroups({
    managed: [
      [nullReference, "  at <0x2623e6aa080 + 0x0035f> <unknown method>"],
      [nullReference, "  at <0x1663aa10900 + 0x0035f> <unknown method>"],
    ],
    Grind: [
      [
        "Crash",
        "0x00007FFD1B2C3D4E (UnityPlayer) UnityMain\n0x0000021746AC (Mono JIT Code) [Mill.cs:33] Cafe.Mill:Grind ()",
      ],
      [
        "Crash",
        "0x00007FF8AA2C3D41 (UnityPlayer) UnityMain\n0x00000AB046AC (Mono JIT Code) [Mill.cs:35] Cafe.Mill:Grind ()",
      ],
    ],
    "Grind below the runtime's glue": [
      [
        "Crash",
        "0x000001 (Mono JIT Code) (wrapper runtime-invoke) object:runtime_invoke_void (object,intptr)\n0x02 (Mono JIT Code) Cafe.Mill:Grind2 ()",
      ],
    ],
    "Clean below the runtime's glue": [
      [
        "Crash",
        "0x000001 (Mono JIT Code) (wrapper runtime-invoke) object:runtime_invoke_void (object,intptr)\n0x02 (Mono JIT Code) Cafe.Mill:Clean ()",
      ],
    ],
    "Grind in IL2CPP": [
      ["Crash", "#00 pc 00000000000a1b2c  /data/app/x/lib/arm64/libil2cpp.so (Mill_Grind_m5A1B2C3D4E5F60718293+124)"],
      ["Crash", "#01 pc 00000000000ffff0  /data/app/y/lib/arm64/libil2cpp.so (Mill_Grind_m00112233445566778899+20)"],
    ],
  });
});

test("a WebGL game of Unity is grouped by the method, not by the hash in its name nor its address", () => {
  const at = (method: string, hash: string, address: string): Report => [
    "RuntimeError: null function or function signature mismatch",
    `    at invoke_vii (http://localhost/Build/web.framework.js:2:123)
    at GameObject_AddComponent_m${hash} (wasm://wasm/05e3a2:wasm-function[23]:0x5a1b2c)
    at ${method}_m${hash} (wasm://wasm/${hash.slice(0, 6)}:wasm-function[24]:${address})
    at MonoBehaviour::CallUpdateMethod(int) (wasm://wasm/05e3a2:wasm-function[25]:0x77)`,
  ];
  const one = "9C2B6B0011223344556677889900AABBCCDDEEFF";
  const other = "00C2B6B0011223344556677889900AABBCCDDEE1";
  assertGroups({
    Grind: [at("Mill_Grind", one, "0x5a1b21"), at("Mill_Grind", other, "0x9")],
    Clean: [at("Mill_Clean", one, "0x5a1b21")],
  });
});

test("frames of packages, plugins and libraries are not the culprit, and the game's own frame is", () => {
  const stack = (own: string) => `Newtonsoft.Json.JsonConvert:DeserializeObject (string)
UnityEngine.UI.Button:Press () (at ./Library/PackageCache/com.unity.ugui@27c1956cf4f9/Runtime/UI/Button.cs:70)
Vendor.Ads:Show () (at Assets/Plugins/Vendor/Ads.cs:3)
Spline.Path:Walk () (at ./Library/PackageCache/org.splines.path@1.2.0/Path.cs:9)
${own} (at Assets/Scripts/Menu.cs:12)`;
  assertGroups({ Save: [["it broke", stack("Menu:Save ()")]], Load: [["it broke", stack("Menu:Load ()")]] });
  assert.deepEqual(
    parseStack("it broke", stack("Menu:Save ()")).frames.map(({ owner }) => owner),
    ["Json.NET", "Unity", "Vendor", "org.splines.path", null],
  );
});

// Nested exceptions

const nested = (outer: string, inner: string, frames: string) =>
  `${outer}\n ---> ${inner}\n${frames}\n   --- End of inner exception stack trace ---\n   at System.RuntimeMethodHandle.InvokeMethod(Object target)\n   at Zoo.Bus.Send(Object message) in /zoo/Bus.cs:line 9`;
const invoked = "Exception has been thrown by the target of an invocation.";

test("the innermost of nested exceptions decides and is shown, in each notation", () => {
  const outer = `System.Reflection.TargetInvocationException: ${invoked}`;
  const inner = `System.NullReferenceException: ${nothing}`;
  const feed = "   at Zoo.Cage.Feed(Food food) in /zoo/Cage.cs:line 5";
  assertGroups({
    feed: [
      [invoked, nested(outer, inner, feed)],
      [invoked, nested(outer, inner, feed.replace("line 5", "line 8"))],
      [
        invoked,
        `${outer} ---> ${inner.slice(0, -1)}\n  at Zoo.Cage.Feed (Zoo.Food food) [0x00012] in <5f2a>:0 \n   --- End of inner exception stack trace ---\n  at Zoo.Bus.Send (System.Object message) [0x0002a] in <5f2a>:0 `,
      ],
      [`${outer}\n ---> ${inner}\n${feed}`, ""],
      [
        nullReference,
        `  at Zoo.Cage.Feed (Zoo.Food food) [0x00012] in <5f2a>:0 \nRethrow as TargetInvocationException: ${invoked}\n  at Zoo.Bus.Send (System.Object message) [0x0002a] in <5f2a>:0 `,
      ],
    ],
    clean: [[invoked, nested(outer, inner, "   at Zoo.Cage.Clean() in /zoo/Cage.cs:line 50")]],
    "another cause": [[invoked, nested(outer, "System.FormatException: Not a number", feed)]],
  });
  const stack = parseStack(invoked, nested(outer, inner, feed));
  assert.equal(issueTitleOf(stack), inner);
  assert.equal(stack.frames[0]?.function, "Zoo.Cage.Feed");
});

test("an exception of the game around the same cause is another error", () => {
  const inner = "System.IO.IOException: The disk is full";
  const frames = "   at Zoo.Disk.Write() in /zoo/Disk.cs:line 5";
  const wrapped = (outer: string): Report => [outer.slice(outer.indexOf(": ") + 2), nested(outer, inner, frames)];
  assertGroups({
    save: [wrapped("Zoo.SaveException: Slot 3 was not saved"), wrapped("Zoo.SaveException: Slot 7 was not saved")],
    photo: [wrapped("Zoo.PhotoException: The photo was not kept")],
  });
});

test("a cause that follows its outer error is read first, as Java and JavaScript write it", () => {
  const outer = "    at open (file:///zoo/js/plugins/Gate.js:3:1)";
  const cause = (name: string) => `    at ${name} (file:///zoo/js/plugins/Lock.js:9:1)`;
  assertGroups({
    turn: [
      ["Error: Gate 3 is shut", `Error: Gate 3 is shut\n${outer}\n  [cause]: TypeError: no key\n${cause("turn")}`],
    ],
    push: [
      ["Error: Gate 3 is shut", `Error: Gate 3 is shut\n${outer}\n  [cause]: TypeError: no key\n${cause("push")}`],
    ],
  });
  const java = parseStack(
    "AndroidJavaException: Gate 3 is shut",
    "   at Zoo.Gate.Open() in /zoo/Gate.cs:line 3\nCaused by: java.io.IOException: no key\n   at Zoo.Lock.Turn() in /zoo/Lock.cs:line 9",
  );
  assert.deepEqual([java.headline, java.frames[0]?.function], ["java.io.IOException: no key", "Zoo.Lock.Turn"]);
});

// .NET in other languages

const languages: Readonly<Record<string, readonly [at: string, within: string, line: string, after: string]>> = {
  English: ["at", "in", "line", ""],
  German: ["bei", "in", "Zeile", "."],
  French: ["à", "dans", "ligne", ""],
  Russian: ["в", "в", "строка", ""],
  Spanish: ["en", "en", "línea", ""],
  Chinese: ["在", "位置", "行号", ""],
  Japanese: ["場所", "場所", "行", ""],
  Korean: ["위치:", "파일", "줄", ""],
  Hungarian: ["a következő helyen:", "hely:", "sor", ""],
};

test.each(Object.entries(languages))("in %s, .NET's frames are read with their file and line", (_, words) => {
  const [at, within, line, after] = words;
  const report = (method: string, number: number): Report => [
    "…",
    `   ${at} Zoo.Cage.${method}(Food food, Int32 count) ${within} D:\\my zoo\\Cage.cs:${line} ${number}${after}\n--- … ---\n   ${at} System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw()`,
  ];
  assertGroups({ Feed: [report("Feed", 5), report("Feed", 8)], Clean: [report("Clean", 5)] });
  const [frame, second] = parseStack(...report("Feed", 5)).frames;
  assert.deepEqual([frame?.function, frame?.file, frame?.line], ["Zoo.Cage.Feed", "D:\\my zoo\\Cage.cs", 5]);
  assert.deepEqual(
    [second?.function, second?.owner],
    ["System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw", ".NET"],
  );
});

test("a sentence with a call in it is not a frame", () => {
  for (const text of [
    "calling Zoo.Cage.Feed(food)",
    "see at noon (or later)",
    "[0] is wrong (a:3)",
    "at noon (or later)",
  ])
    assert.deepEqual(parseStack("it broke", text).frames, [], text);
});
