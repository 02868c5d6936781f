// The part of the corpus that is written after public logs and crash reports: what surrounds a stack when a player sends it,
// and how platforms, compilers and mods write the same method. None of it was run. Groups differ only in the method that
// failed.
import type { Made } from "./made.ts";

type Form = { readonly form: string; readonly message: string; readonly stackTrace: string };

/** What differs between the reports of one error: process, address, line and build. */
type Run = { readonly n: number; readonly line: number; readonly build: string };
const runs: readonly Run[] = [
  { n: 4410, line: 31, build: "a81f0c2e" },
  { n: 17061, line: 44, build: "77b0c1de" },
];

const clock = ({ n }: Run) => `09-05 15:${String(n % 60).padStart(2, "0")}:34.864`;
const prefixed = (prefix: string, text: string) => text.replaceAll(/^/gm, prefix);

/** What Android, terminals, mod loaders and chats write around each line of a log. */
const surroundings: Readonly<Record<string, (text: string, run: Run) => string>> = {
  plain: (text) => text,
  "Windows line ends": (text) => text.replaceAll("\n", "\r\n"),
  "logcat, threadtime": (text, run) => prefixed(`${clock(run)} ${run.n} ${run.n + 9} E godot   : `, text),
  "logcat, brief": (text, { n }) => prefixed(`E/Unity   (${String(n).padStart(5)}): `, text),
  "logcat, time": (text, run) => prefixed(`${clock(run)}: I/MonoDroid(${run.n}): `, text),
  "Android Studio": (text, run) => prefixed(`2026-${clock(run)} ${run.n}-${run.n}/org.farm.game E/godot: `, text),
  "Logcat package": (text, run) =>
    prefixed(`2026/${clock(run).replace("-", "/")} ${run.n} ${run.n} Error Unity `, text),
  "a terminal's colours": (text) => `\u001b[1;31m${text.replaceAll("\n", "\u001b[0m\n\u001b[0;90m")}\u001b[0m`,
  BepInEx: (text) => prefixed("[Error  : Unity Log] ", text),
  MelonLoader: (text, { n }) => `[15:02:${(n % 50) + 10}.163] [ERROR] ${text}`,
  "a quotation in a chat": (text) => prefixed("> ", text),
};

const nothing = "Object reference not set to an instance of an object.";

/** A log with the message and the stack, as the engine writes it. */
const logs: Readonly<Record<string, (method: string, run: Run) => Omit<Form, "form">>> = {
  "Godot log": (method, { line }) => {
    const message = "Invalid access to property or key 'seeds' on a base object of type 'Nil'.";
    const stackTrace = `SCRIPT ERROR: ${message}
   at: ${method.toLowerCase()} (res://field/plot.gd:${line})
   GDScript backtrace (most recent call first):
       [0] ${method.toLowerCase()} (res://field/plot.gd:${line})
       [1] _process (res://main.gd:${line + 2})`;
    return { message, stackTrace };
  },
  "Unity log": (method) => ({
    message: `NullReferenceException: ${nothing}`,
    stackTrace: `NullReferenceException: ${nothing}
  at Farm.Barn.Door.${method} (System.Int32 row) [0x00000] in <00000000000000000000000000000000>:0 
  at UnityEngine.EventSystems.ExecuteEvents.Execute (System.Object handler) [0x00000] in <00000000000000000000000000000000>:0 `,
  }),
};

/** Other ways to write one method. All forms of a list are one error. */
const writings: Readonly<Record<string, (method: string, run: Run) => readonly Form[]>> = {
  ".NET": (method, { n, line, build }) => {
    const net = `   at Farm.Field.Plot.${method}(Int32 row) in D:\\${build}\\farm\\Plot.cs:line ${line}\n   at Farm.Game1.Update(GameTime time)`;
    const event = `Application: Farm.exe\nCoreCLR Version: 8.0.${line}\nDescription: The process was terminated due to an unhandled exception.\nException Info: System.NullReferenceException: ${nothing}`;
    return [
      { form: "trace", message: nothing, stackTrace: net },
      {
        form: "compiled ahead of time",
        message: nothing,
        stackTrace: `   at Farm.Field.Plot.${method}(Int32) + 0x${n.toString(16)}\n   at Farm.Game1.Update(GameTime) + 0x1c4\n   at Farm!<BaseAddress>+0x${build}`,
      },
      { form: "event of Windows", message: event, stackTrace: net },
      { form: "event of Windows with the stack", message: nothing, stackTrace: `${event}\n${net}` },
      {
        form: "Mono on iOS",
        message: nothing.slice(0, -1),
        stackTrace: `  at Farm.Field.Plot.${method} (System.Int32 row) <0x104d2f0a0 + 0x${n}> in <0c4d>:0 \n  at UIKit.UIApplication.Main (System.String[] args) <0x1 + 0x0> in <0c4d>:0 `,
      },
      {
        form: "exception of Java on Android",
        message: nothing,
        stackTrace: `android.runtime.JavaProxyThrowable: [System.NullReferenceException]: ${nothing}
	at Farm.Field.Plot.${method}(Unknown Source:0)
	at Farm.Game1.Update(Unknown Source:0)
	at crc64${build}.GameView.n_run(Native Method)
	at android.os.Handler.handleCallback(Handler.java:${line})`,
      },
      {
        form: "exception of Java on Android, debug",
        message: nothing,
        stackTrace: `android.runtime.JavaProxyThrowable: [System.NullReferenceException]: ${nothing}\n\tat Farm.Field.Plot.${method}(Plot.cs:${line})`,
      },
    ];
  },
  "a crash of Mono": (method, { n }) => [
    {
      form: "Unity's player",
      message: "Crash",
      stackTrace: `	Native stacktrace:
	0x7f00000${n} - /home/kim/farm_Data/MonoBleedingEdge/x86_64/libmonobdwgc-2.0.so : (null)
	Managed Stacktrace:
	  at <unknown> <0xffffffff>
	  at UnityEngine.Object:Internal_CloneSingle <0x000${n % 90}>
	  at Farm.Field.Plot:${method} <0x00${n}>
	  at (wrapper runtime-invoke) object:runtime_invoke_void__this__ <0x00087>`,
    },
    {
      form: "older",
      message: "Crash",
      stackTrace: `  at (wrapper managed-to-native) UnityEngine.Object.Internal_CloneSingle (UnityEngine.Object) <0x00093>\n  at Farm.Field.Plot.${method} (int) <IL 0x00012, 0x00${n}>`,
    },
  ],
  "F#": (method, { n, line }) => {
    const closure = `${method.toLowerCase()}@${line}`;
    return [
      { form: ".NET", stackTrace: `   at Farm.Field.${closure}.Invoke(Unit unit) in /home/kim/Field.fs:line ${line}` },
      { form: ".NET, a second closure", stackTrace: `   at Farm.Field.${closure}-1.Invoke(Unit unit)` },
      {
        form: "Mono",
        stackTrace: `  at Farm.Field/${closure}.Invoke (Microsoft.FSharp.Core.Unit unit) [0x000${n % 90}] in <5f2a90c1d3e84b77>:0 `,
      },
    ].map((one) => ({
      message: nothing,
      ...one,
      stackTrace: `${one.stackTrace}\n   at Microsoft.FSharp.Collections.ListModule.Iterate[T](FSharpFunc\`2 action, FSharpList\`1 list)\n   at Farm.Field.step(Double dt)`,
    }));
  },
  "Unity with mods": (method) =>
    [
      `Farm.Cellar.Shelf.${method} (System.Int32 row) (at <5f2a90c1d3e84b77>:0)`,
      `(wrapper dynamic-method) Farm.Cellar.Shelf.DMD<Farm.Cellar.Shelf::${method}>(Farm.Cellar.Shelf,int)`,
      `  at (wrapper dynamic-method) Farm.Cellar.Shelf.DMD<Farm.Cellar.Shelf::${method}>(Farm.Cellar.Shelf,int)`,
      `  at System.Void DMD<Farm.Cellar.Shelf::${method}>?852834304::Farm.Cellar.Shelf::${method}(Farm.Cellar.Shelf,int)`,
    ].map((first) => ({
      form: first.includes("DMD") ? "patched" : "not patched",
      message: `NullReferenceException: ${nothing}`,
      stackTrace: `Stack trace:\n${first}\nFarm.Loop.Next () (at <5f2a90c1d3e84b77>:0)`,
    })),
  "Unity on Android": (method, { line, build }) => {
    const message = "AndroidJavaException: java.lang.NoSuchMethodError: no static method with name='share'";
    const java = `com.unity3d.player.ReflectionHelper.getMethodID(Unknown Source:${line})\ncom.unity3d.player.UnityPlayer$${build[0]}.run(Unknown Source:${line})`;
    const calls = ["UnityEngine.AndroidJNISafe.CheckException ()", `Farm.Market.Stall.${method} ()`];
    return [
      {
        form: "log callback",
        message,
        stackTrace: `${java}\n${calls.map((call) => `${call} (at <00000000000000000000000000000000>:0)`).join("\n")}`,
      },
      {
        form: "Mono",
        message,
        stackTrace: `${prefixed("  at ", java)}\n${calls.map((call) => `  at ${call} [0x00041] in <dab6e33f2fe1419b>:0 `).join("\n")}`,
      },
    ];
  },
  "Unity in a browser": (method, { n, build }) => {
    const name = `Plot_${method}_m522F36D576D9A8803410439127DB32837331BA3A`;
    const message = "RuntimeError: null function or function signature mismatch";
    const raise = "il2cpp::vm::Exception::Raise(Il2CppException*, MethodInfo*)";
    const at = `http://127.0.0.1:${n}/Build/${build}.wasm:wasm-function`;
    return [
      {
        form: "Chromium",
        message,
        stackTrace: `    at ${raise} (${at}[${n}]:0x19e)\n    at ${name} (${at}[82]:0x${build})`,
      },
      {
        form: "newer Chromium",
        message,
        stackTrace: `    at ${raise} (farm.wasm:0x58c8d97)\n    at ${name} (farm.wasm:0x${build})`,
      },
      { form: "Firefox", message, stackTrace: `${raise}@${at}[${n}]:0x19e\n${name}@${at}[82]:0x${build}` },
    ];
  },
  "Unity on iOS": (method, { n, line, build }) => {
    const others = `Thread 1:\n0   libsystem_pthread.dylib       	0x0000000${build} start_wqthread + 0`;
    return [
      "Thread 3 name:  tid_103\nThread 3 Crashed:",
      "Thread 3 Crashed:: Dispatch queue: com.apple.main-thread",
    ].map((head) => ({
      form: "crash report",
      message: "EXC_CRASH (SIGABRT)",
      stackTrace: `${others}\n\n${head}
0   libsystem_kernel.dylib        	0x0000000${build} __pthread_kill + 8
1   UnityFramework                	0x0000000${build} il2cpp::vm::Exception::Raise(Il2CppException*) + ${n} (Exception.cpp:35)
2   UnityFramework                	0x0000000${build} Plot_${method}_m522F36D576D9A880 + ${line} (Assembly-CSharp.cpp:${n})

${others.replace("Thread 1", "Thread 4")}`,
    }));
  },
  "Godot's debugger with C#": (method, { line }) => [
    {
      form: "Godot 4",
      message: nothing,
      stackTrace: `E 0:00:${line}:415   void Plot.${method}(): System.NullReferenceException: ${nothing}
  <C# Source>   Plot.cs:${line} @ void Plot.${method}()
  <Stack Trace> Plot.cs:${line} @ void Plot.${method}()
                CSharpInstanceBridge.cs:24 @ Godot.NativeInterop.godot_bool Godot.Bridge.CSharpInstanceBridge.Call(nint, int)`,
    },
    {
      form: "Godot 3",
      message: nothing,
      stackTrace: `E 0:00:${line}.059   some_call: ${nothing}
  <Stack Trace> :0 @ void Godot.NativeCalls.godot_icall_2_${line}(IntPtr , System.Object[] )()
                Object.cs:364 @ void Godot.Object.EmitSignal(System.String , System.Object[] )()
                Plot.cs:${line} @ void Plot.${method}(Single )()`,
    },
  ],
  "a bundled web game": (method, { line, build }) => {
    const message = "The soil is missing";
    const called = method.toLowerCase();
    const caller = "    at Game.step (https://cdn.example.org/phaser.min.js:1:249591)";
    const libraries = [
      `http://localhost:5173/node_modules/.vite/deps/phaser.js?v=${build}`,
      "file:///C:/games/node_modules/.pnpm/phaser@3.80.1/node_modules/phaser/dist/phaser.esm.js",
      `https://farm.example/assets/vendor-${build}.js`,
      `https://farm.example/js/chunk-vendors.${build}.js`,
    ];
    const file = `https://farm.example/assets/plot-${build === "a81f0c2e" ? "BdK3f9aP" : "Qz81kLmN"}.js`;
    return [
      ...libraries.map((library) => ({
        form: "a library is the innermost",
        message,
        stackTrace: `    at Vector2.copy (${library}:1:${line})\n    at Plot.${called} (${file}:${line}:7)\n${caller}`,
      })),
      {
        form: "Firefox",
        message,
        stackTrace: `${called}@${file}:${line}:7\nstep@https://cdn.example.org/phaser.min.js:1:24`,
      },
    ];
  },
  "webpack's development server": (method, { line, build }) =>
    [
      `webpack-internal:///./src/plot.ts:${line}:17`,
      `webpack-internal:///(app)/./src/plot.ts:${line}:17`,
      `eval at ./src/plot.ts (http://127.0.0.1:8080/${build}.js:391:1), <anonymous>:${line}:17`,
    ].map((place) => ({
      form: "Chromium",
      message: "The soil is missing",
      stackTrace: `    at Plot.${method} (${place})`,
    })),
  "a module": (method) => {
    const file = `https://farm.example/js/${method.toLowerCase()}.js`;
    return [
      { form: "V8", message: "no canvas", stackTrace: `    at ${file}:3:7` },
      { form: "Safari", message: "no canvas", stackTrace: `module code@${file}:3:16` },
      { form: "Firefox", message: "no canvas", stackTrace: `@${file}:3:7` },
    ];
  },
  "a script that Godot 3 cannot load": (method, { line }) => {
    const message = 'The identifier "Weather" isn\'t declared in the current scope.';
    const file = `res://${method.toLowerCase()}.gd`;
    return [file, `${file}c`].map((one) => ({
      form: "log",
      message,
      stackTrace: `SCRIPT ERROR: GDScript::load_byte_code: Parse Error: ${message}\n   At: ${one}:${line}.\nERROR: load_byte_code: Method failed. Returning: ERR_PARSE_ERROR\n   At: modules/gdscript/gdscript.cpp:${line}.`,
    }));
  },
  "a script inside a scene": (method, { line }) =>
    [{ form: "Godot 3", stackTrace: `   at: _ready (res://farm.tscn::${method.length}:${line})` }].map((one) => ({
      message: "Invalid call. Nonexistent function 'sow' in base 'Nil'.",
      ...one,
    })),
};

const methods = ["Sow", "Harvest"];

/** The culprit that the dashboard shows; null if it has a file and no name. */
function culpritOf(writing: string, method: string): string | null {
  const lower = method.toLowerCase();
  if (writing === "Godot log" || writing === "a bundled web game") return lower;
  if (writing === "Unity log") return `Farm.Barn.Door.${method}`;
  if (writing === "Unity with mods") return `Farm.Cellar.Shelf.${method}`;
  if (writing === "a module" || writing.startsWith("a script that")) return null;
  if (writing === "a script inside a scene") return "_ready";
  if (writing === "F#") return `Farm.Field.${lower}`;
  if (writing === "Unity on Android") return `Farm.Market.Stall.${method}`;
  if (writing.startsWith("Unity in") || writing === "Unity on iOS") return `Plot_${method}`;
  if (writing.startsWith("Godot's")) return `Plot.${method}`;
  return writing.startsWith("webpack") ? method : `Farm.Field.Plot.${method}`;
}

export function logReports(): Made[] {
  const made: Made[] = [];
  const add = (writing: string, method: string, { form, message, stackTrace }: Form) => {
    const group = `${writing}: ${method}`;
    const culprit = culpritOf(writing, method);
    made.push({ engine: "Log (form)", form, group, ran: false, culprit, message, stackTrace });
  };
  for (const method of methods) {
    for (const [log, write] of Object.entries(logs)) {
      for (const [index, [form, surround]] of Object.entries(surroundings).entries()) {
        const run = runs[index % runs.length] as Run;
        const { message, stackTrace } = write(method, run);
        add(log, method, { form, message: surround(message, run), stackTrace: surround(stackTrace, run) });
      }
    }
    for (const [writing, write] of Object.entries(writings)) {
      for (const run of runs) for (const one of write(method, run)) add(writing, method, one);
    }
  }
  return made;
}
