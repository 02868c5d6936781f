// Tests of the exception that nobody caught: what is reported of it, and that the game ends as it does without Kit.
import assert from "node:assert/strict";
import { test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { struct } from "./game.ts";
import { record, sdkGame } from "./recorded.ts";
import { fail, GmlError } from "./runtime/values.ts";

const skip = skipWithout("GML parser");
const on = struct({ report_uncaught_errors: true, build: "1.4.2" });
const boom = () => new GmlError("boom");

/** A game whose timer goes on by 10 ms at each look. */
async function fresh(needs = {}) {
  let looks = 0;
  const timerUs = () => {
    looks += 1;
    return looks * 10_000;
  };
  const kit = record(await sdkGame(), { clock: { wallMs: Date.now, timerUs }, ...needs });
  return { ...kit, looks: () => looks };
}

type Handler = (exception: unknown) => unknown;

/** The built-in, with the handler that is set, as a game could have set one before Kit. */
function handlers(first?: Handler) {
  const state = { current: first, sets: 0 };
  const exception_unhandled_handler = (next: Handler | undefined) => {
    const before = state.current;
    state.current = next;
    state.sets += 1;
    return before;
  };
  return { state, functions: { exception_unhandled_handler } };
}

test("off by default: Kit sets no handler, and the runner shows its own window", { skip }, async () => {
  for (const config of [
    undefined,
    struct({}),
    struct({ report_uncaught_errors: false }),
    struct({ report_uncaught_errors: "yes" }),
  ]) {
    const kit = await fresh();
    kit.call("kit_init", config);
    assert.equal(kit.game.unhandled(boom()), undefined);
    assert.deepEqual([kit.game.shown, kit.sent], [["window: boom"], []]);
  }
});

test("the exception is reported with stack and build, and the player sees what the runner would show", {
  skip,
}, async () => {
  const kit = await fresh();
  kit.call("kit_init", on);
  assert.equal(kit.game.unhandled(boom()), -1);
  const [{ timestamp: _, ...report } = {}] = kit.payloads();
  assert.deepEqual(report, { message: "boom", stackTrace: "gml_Script_f (line 1)", build: "1.4.2" });
  assert.deepEqual(kit.game.shown, ["boom", "message: boom"]);
});

test("in a browser, where the runner shows nothing and sends beside the game, it shows nothing and does not wait", {
  skip,
}, async () => {
  const kit = await fresh({ isBrowser: true });
  kit.call("kit_init", on);
  const before = kit.looks();
  assert.equal(kit.game.unhandled(boom()), -1);
  assert.deepEqual([kit.sent.length, kit.game.shown], [1, ["boom"]]);
  assert.ok(kit.looks() - before < 5);
});

test("a handler that was set before is called with the exception, and its exit code counts", { skip }, async () => {
  const seen: unknown[] = [];
  const { state, functions } = handlers((exception) => {
    seen.push(exception);
    return 7;
  });
  const kit = await fresh({ functions });
  kit.call("kit_init", on);
  kit.call("kit_init", on);
  assert.equal(state.sets, 1, "Kit's handler is set once, so it never calls itself");
  const exception = struct({ message: "boom", longMessage: "a long boom", script: "s", stacktrace: ["a", "b"] });
  assert.equal(state.current?.(exception), 7);
  assert.deepEqual(seen, [exception]);
  assert.deepEqual(kit.game.shown, []);
  assert.equal(kit.payloads()[0]?.stackTrace, "a\nb");
});

test("only the first exception is reported, and the handler before is called for each", { skip }, async () => {
  let calls = 0;
  const { state, functions } = handlers(() => {
    calls += 1;
  });
  const kit = await fresh({ functions });
  kit.call("kit_init", on);
  for (let n = 0; n < 1_000; n += 1) state.current?.(struct({ message: `boom ${n}`, stacktrace: [] }));
  assert.deepEqual([calls, kit.payloads().map(({ message }) => message)], [1_000, ["boom 0"]]);
});

test("the game is held for 250 ms, so that the runner can send, also if its timer stands still", { skip }, async () => {
  const kit = await fresh();
  kit.call("kit_init", on);
  const before = kit.looks();
  kit.game.unhandled(boom());
  assert.ok(Math.abs(kit.looks() - before - 25) <= 4, `${kit.looks() - before} looks at the timer, 10 ms each`);
  const stopped = await fresh({ clock: { wallMs: Date.now, timerUs: () => 1 } });
  stopped.call("kit_init", on);
  stopped.game.unhandled(boom());
  assert.equal(stopped.sent.length, 1);
});

test("whatever is thrown is reported with what it says", { skip }, async () => {
  for (const [thrown, message] of [
    ["a text", "a text"],
    [7, "7"],
    [struct({ code: 5 }), "An exception without a message"],
    [undefined, "An exception without a message"],
    [struct({ message: "no stack" }), "no stack"],
  ] as const) {
    const { state, functions } = handlers();
    const kit = await fresh({ functions });
    kit.call("kit_init", on);
    state.current?.(thrown);
    const [report] = kit.payloads();
    assert.deepEqual([report?.message, report?.stackTrace], [message, ""]);
  }
});

test("an engine that fails while it ends throws nothing more, and the handler before is still called", {
  skip,
}, async () => {
  const broken = () => fail("the runner does not like this");
  for (const name of ["http_request", "get_timer", "show_message", "show_debug_message"]) {
    const { state, functions } = handlers();
    const kit = await fresh({ functions: { ...functions, [name]: broken } });
    kit.call("kit_init", on);
    assert.equal(state.current?.(struct({ message: "boom" })), -1, name);
  }
  const without = await fresh({ functions: { exception_unhandled_handler: broken } });
  without.call("kit_init", on);
  without.call("kit_social_trigger", "a_b");
  assert.equal(without.sent.length, 1, "a runner that takes no handler");
});

test("without monitor, or once kit_init switched it off again, nothing is reported", { skip }, async () => {
  for (const config of [struct({ report_uncaught_errors: true, enable_monitor: false }), struct({})]) {
    const kit = await fresh();
    kit.call("kit_init", on);
    kit.call("kit_init", config);
    const before = kit.looks();
    kit.game.unhandled(boom());
    assert.deepEqual(kit.sent, []);
    assert.ok(kit.looks() - before < 5, "the game is not held");
  }
});
