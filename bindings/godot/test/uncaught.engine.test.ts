// Tests of script errors that the add-on reports, in the real engine. The conformance cases cover the rate and release exports.
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { openRecorder } from "../../rpgmaker/test/recorder.ts";
import { play, printed, untilAnswered } from "./game.ts";

const skip = skipWithout("Godot");

/** Plays a game whose script errors do not end the test, and returns what it reported and printed. */
async function reportsOf(
  ready: string,
  settings: Readonly<Record<string, boolean>> = { report_uncaught_errors: true },
) {
  const launcher = await openRecorder();
  try {
    const game = {
      ready: `${ready}${untilAnswered}`,
      settings: { launcher_url: launcher.url, ...settings },
      version: "1.4.2",
    };
    const outcome = await play(game, /^nothing is hopeless/);
    const reports = launcher.requests.map(({ body }) => JSON.parse(body.toString()) as Record<string, string>);
    return { reports, outcome };
  } finally {
    await launcher.close();
  }
}

const messagesOf = (reports: readonly Record<string, string>[]) => reports.map(({ message }) => message);
const broken = (name: string) => `RefCounted.new().call("${name}")`;
const errorOf = (name: string) => `Invalid call. Nonexistent function '${name} (via call)' in base 'RefCounted'.`;
/** The engine ends the function that has the error, and goes on with its caller. */
const failing = (name: string) => `(func() -> void: ${broken(name)}).call()`;

describe("script errors in Godot", { skip, concurrent: true }, () => {
  test("a script error is reported once, with backtrace and build, and the engine prints it as without Kit", async () => {
    const [on, off] = [await reportsOf(failing("sky_boom")), await reportsOf(failing("sky_boom"), {})];
    assert.deepEqual(messagesOf(on.reports), [errorOf("sky_boom")]);
    assert.deepEqual(off.reports, []);
    assert.deepEqual(printed(on.outcome), printed(off.outcome));
    const { stackTrace = "", build } = on.reports[0] ?? {};
    assert.equal(build, "1.4.2");
    assert.match(stackTrace, /^at: .* \(res:\/\/main\.gd:5\)\nGDScript backtrace \(most recent call first\):\n/);
    assert.match(stackTrace, /_ready \(res:\/\/main\.gd:5\)/);
  });

  test("warnings, errors of the engine and push_error are not reported", async () => {
    const { reports, outcome } = await reportsOf('push_warning("w")\npush_error("e")\nget_node("nobody")');
    assert.deepEqual(reports, []);
    assert.ok(outcome.errors.length >= 3, outcome.output);
  });

  test("an error on another thread is reported", async () => {
    const { reports } = await reportsOf(`
var thread: Thread = Thread.new()
thread.start(func() -> void: ${broken("sky_thread")})
thread.wait_to_finish()`);
    assert.deepEqual(messagesOf(reports), [errorOf("sky_thread")]);
  });

  test("the game can switch it on and off while it runs", async () => {
    const ready = `
${failing("sky_before")}
KitSDK.report_uncaught_errors = true
KitSDK.report_uncaught_errors = true
${failing("sky_on")}
KitSDK.report_uncaught_errors = false
${failing("sky_after")}`;
    const { reports } = await reportsOf(ready, { report_uncaught_errors: false });
    assert.deepEqual(messagesOf(reports), [errorOf("sky_on")]);
  });

  test("an error of the add-on itself, or without monitor, is not reported", async () => {
    const own = `
var script: GDScript = GDScript.new()
script.source_code = "static func fail() -> void:\\n\\tRefCounted.new().call(\\"sky_own\\")\\n"
script.resource_path = "res://addons/kit_sdk/kit_later.gd"
script.reload()
script.call("fail")`;
    const { reports, outcome } = await reportsOf(own);
    assert.match(outcome.output, /sky_own[\s\S]*addons\/kit_sdk\/kit_later\.gd/);
    assert.deepEqual(reports, []);
    const off = await reportsOf(failing("sky_off"), { report_uncaught_errors: true, enable_monitor: false });
    assert.deepEqual(off.reports, []);
  });

  test("an engine without loggers is told once that Godot 4.5 is needed", async () => {
    const { outcome } = await reportsOf("for each: int in 2:\n\tprint(KitSDK._uncaught.can_listen(false))");
    assert.deepEqual(
      printed(outcome).filter((line) => !line.startsWith("   ")),
      [
        "WARNING: Kit: report_uncaught_errors needs Godot 4.5 or newer; no error is reported by itself.",
        "false",
        "false",
      ],
    );
  });
});
