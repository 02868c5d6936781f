// Tests of the translation: it refuses everything that would otherwise hide a mistake that stops a real game.
import assert from "node:assert/strict";
import { test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { lazily } from "./recorded.ts";
import { type Machine, type MachineNeeds, startMachine } from "./runtime/machine.ts";
import { GmlError } from "./runtime/values.ts";
import { loadBuiltIns } from "./translation/parser.ts";
import { loadTranslator, type Translator } from "./translation/translate.ts";

const skip = skipWithout("GML parser");
const tools = lazily(async () => ({ translate: await loadTranslator(), builtIns: loadBuiltIns() }));

type Run = (source: string, ...given: unknown[]) => unknown;
type Tools = { translate: Translator; builtIns: MachineNeeds["builtIns"] };

const machine = ({ translate, builtIns }: Tools, source: string, needs: Partial<MachineNeeds> = {}): Machine =>
  startMachine(translate({ scripts: [source] }), { builtIns, send: () => {}, ...needs });

/** Runs function `f` of a script. */
async function runner(): Promise<Run> {
  const loaded = await tools();
  return (source, ...given) => machine(loaded, source).functions.f?.(...given);
}

test("operators have GML's precedence, and = inside an expression compares", { skip }, async () => {
  const run = await runner();
  assert.equal(run("function f() { return 1 + 2 * 3 - 9 div 2; }"), 3);
  assert.equal(run("function f() { return (1 < 2 && !(3 == 4)) || false; }"), true);
  assert.equal(run("function f() { return 7 mod 4 + 1; }"), 4);
  assert.equal(run('function f() { if (1 = 1) return "same"; return "other"; }'), "same");
  assert.equal(run("function f(_a) { return _a = 2 && true; }", 3), false);
  assert.equal(run('function f(_a) { return _a > 2 ? "big" : "small"; }', 3), "big");
  assert.equal(run("function f() { return -2 * -3; }"), 6);
});

test("strings are formatted as in GML", { skip }, async () => {
  const run = await runner();
  assert.equal(run(String.raw`function f() { return "q\"\n\t\\\u00e9\v"; }`), 'q"\n\t\\é\v');
  assert.equal(run('function f() { var _a = 2; return $"v={_a + 1}!"; }'), "v=3!");
  assert.equal(run("function f() { return string(1.5) + string(2); }"), "1.502");
  assert.equal(run('function f() { return string_char_at("a😀b", 2) + string_copy("a😀b", 3, 9); }'), "😀b");
});

test("loops, switches and default arguments work", { skip }, async () => {
  const run = await runner();
  assert.equal(run("function f() { var _t = 0; for (var _i = 0, _n = 4; _i < _n; _i++) { _t += _i; } return _t; }"), 6);
  assert.equal(run("function f() { var _t = 0; repeat (3) { _t++; } while (_t < 10) _t += 5; return _t; }"), 13);
  assert.equal(
    run("function f() { var _t = 0; do { _t += 2; if (_t == 4) continue; } until (_t > 6); return _t; }"),
    8,
  );
  const choose =
    'function f(_a) { switch (_a) { case 1: case 2: return "few"; case "x": break; default: return "many"; } return "x"; }';
  assert.deepEqual(
    [1, 2, 3, "x"].map((given) => run(choose, given)),
    ["few", "few", "many", "x"],
  );
  assert.equal(run('function f(_a, _b = "d") { return _b; }', 1), "d");
});

test("a static variable is initialized at the first call and keeps its value between calls", { skip }, async () => {
  const { functions } = machine(await tools(), "function f() { static _n = 5; _n += 1; return _n; }");
  assert.deepEqual([functions.f?.(), functions.f?.()], [6, 7]);
});

test("an undeclared name is refused before anything runs", { skip }, async () => {
  const run = await runner();
  assert.throws(() => run("function f() { return no_such_function(1); }"), /line 1: 'no_such_function' is no local/);
  assert.throws(() => run("function f() { return _undeclared; }"), /'_undeclared' is no local/);
  assert.throws(() => run("function f() { undeclared = 1; }"), /'undeclared' is no local/);
  assert.throws(() => run("function f() { var _a = 1; return function() { return _a; }; }"), /'_a' is no local/);
});

test("a built-in with too few or too many arguments is refused before anything runs", { skip }, async () => {
  const run = await runner();
  assert.throws(() => run('function f() { return string_pos("a"); }'), /string_pos takes 2 to 2 arguments, not 1/);
  assert.throws(() => run("function f() { return get_timer(1); }"), /get_timer takes 0 to 0 arguments, not 1/);
});

test("code that is not GML, or not supported, is refused", { skip }, async () => {
  const run = await runner();
  assert.throws(() => run("function f( { var x = ; }"), SyntaxError);
  assert.throws(() => run("function f() { with (other) { } }"), /withStatement is not translated/);
  assert.throws(() => run("function f() { try { } finally { return 1; } }"), /finally may not be left/);
  assert.throws(() => run('function f() { "a" = 1; }'), SyntaxError);
  assert.throws(() => run("function f() { string = 1; }"), /'string' cannot be assigned to/);
});

test("values are never converted to other types", { skip }, async () => {
  const run = await runner();
  for (const wrong of ['"a" + 5', '5 + "a"', '"3" * 2', '-"a"', '"a" > 1', "undefined + 1", '!"a"']) {
    assert.throws(() => run(`function f() { return ${wrong}; }`), GmlError, wrong);
  }
  assert.throws(() => run('function f() { if ("true") return 1; }'), /convert string to bool/);
  assert.throws(() => run("function f() { if (undefined) return 1; }"), /convert undefined to bool/);
  assert.throws(() => run("function f() { return 1 div 0; }"), /divide by zero/);
});

test("built-ins accept only the types of the official list", { skip }, async () => {
  const run = await runner();
  assert.throws(() => run("function f() { return string_length(5); }"), /argument 1 is number, expected String/);
  assert.throws(() => run('function f() { return string_format("7", 2, 0); }'), /argument 1 is string, expected Real/);
});

test("missing members, indices and globals are errors", { skip }, async () => {
  const run = await runner();
  assert.throws(() => run("function f() { var _s = { a : 1 }; return _s.b; }"), /\.b not set before reading/);
  assert.equal(run('function f() { var _s = { a : 1 }; return _s[$ "b"]; }'), undefined);
  assert.throws(() => run("function f() { var _s = 5; return _s.a; }"), /no struct to find \.a in/);
  assert.throws(() => run("function f() { var _a = [1]; return _a[1]; }"), /out of the 1 of the array/);
  assert.throws(() => run("function f() { return global.unheard_of; }"), /not set before reading/);
  assert.equal(run('function f() { global.seen = 3; return variable_global_exists("seen"); }'), true);
});

test("errors are caught as GML structs, and finally always runs", { skip }, async () => {
  const run = await runner();
  const source =
    "function f() { var _t = []; try { var _s = {}; _s.b(); } catch (_e) { array_push(_t, _e.message); } finally { array_push(_t, 2); } return _t; }";
  assert.deepEqual(run(source), ["variable .b not set before reading it", 2]);
});

test("a bug in the translation itself is never caught by GML", { skip }, async () => {
  const functions = {
    get_timer: () => {
      throw new TypeError("a bug in the runtime");
    },
  };
  const { functions: script } = machine(await tools(), "function f() { try { get_timer(); } catch (_e) { } }", {
    functions,
  });
  assert.throws(() => script.f?.(), TypeError);
});

test("maps are counted, and a destroyed map no longer exists", { skip }, async () => {
  const { functions, maps } = machine(
    await tools(),
    'function f() { global.m = ds_map_create(); ds_map_add(global.m, "k", "v"); return global.m[? "k"]; } function g() { ds_map_destroy(global.m); }',
  );
  assert.equal(functions.f?.(), "v");
  assert.equal(maps.size, 1);
  functions.g?.();
  assert.equal(maps.size, 0);
  assert.throws(() => functions.g?.(), /there is no ds_map 0/);
});

test("dates are whole seconds in the set time zone, and may be truncated", { skip }, async () => {
  const secondsSeen = async (cut: "truncate" | "round") => {
    const clock = { wallMs: () => Date.UTC(2024, 1, 29, 23, 59, 58, 987), timerUs: () => 0, cut };
    const { functions, zone } = machine(
      await tools(),
      "function f() { date_set_timezone(timezone_utc); var _d = date_current_datetime(); return [date_get_hour(_d), date_get_second(_d), (_d - 25569) * 86400]; }",
      { clock },
    );
    const [hour, second, unix = 0] = (functions.f?.() ?? []) as number[];
    assert.equal(hour, 23);
    assert.ok(Math.abs(unix - Date.UTC(2024, 1, 29, 23, 59, 58) / 1000) < 1e-5);
    assert.equal(zone.current, 1);
    return second;
  };
  assert.deepEqual([await secondsSeen("round"), await secondsSeen("truncate")], [58, 57]);
});

test("http_request copies its headers at once and accepts only strings as body", { skip }, async () => {
  const seen: Record<string, string>[] = [];
  const { functions } = machine(
    await tools(),
    'function f(_body) { var _m = ds_map_create(); ds_map_add(_m, "A", "b"); http_request("http://x", "POST", _m, _body); ds_map_set(_m, "A", "c"); ds_map_destroy(_m); }',
    { send: (_url, _method, headers) => void seen.push(headers) },
  );
  functions.f?.("{}");
  assert.deepEqual(seen, [{ A: "b" }]);
  assert.throws(() => functions.f?.(5), /taken for a buffer/);
});
