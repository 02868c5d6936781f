// Tests of what is special to Godot: the tree, the frame, quitting and the settings. The conformance cases cover the requests.
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { until } from "../../rpgmaker/stage/until.ts";
import { openRecorder, type Recorder } from "../../rpgmaker/test/recorder.ts";
import { play, printed, untilAnswered } from "./game.ts";

const skip = skipWithout("Godot");
const eventIds = (launcher: Recorder) => launcher.requests.map(({ body }) => JSON.parse(body.toString()).eventId);

/** In the game: waits at most five seconds until nothing is pending, and prints the count. */
const settle = `
var end_ms: int = Time.get_ticks_msec() + 5000
while KitSDK._transport._pending > 0 and Time.get_ticks_msec() < end_ms:
	await get_tree().process_frame
print("pending ", KitSDK._transport._pending)
`;

async function withLauncher(work: (launcher: Recorder) => Promise<void>): Promise<void> {
  const launcher = await openRecorder();
  try {
    await work(launcher);
  } finally {
    await launcher.close();
  }
}

describe("a game in Godot", { skip, concurrent: true }, () => {
  test("autoloads listed before and after KitSDK send from _enter_tree, _ready and _exit_tree", () =>
    withLauncher(async (launcher) => {
      const caller = (name: string) =>
        ["enter_tree", "ready", "exit_tree"]
          .map((when) => `func _${when}() -> void:\n\tKitSDK.recording.trigger_event("${name}_${when}")\n`)
          .join("\n");
      const autoloads = {
        Early: `extends Node\n${caller("early")}`,
        KitSDK: "",
        Late: `extends Node\n${caller("late")}`,
      };
      // The events of `_exit_tree` have the whole flush time for themselves.
      const game = { ready: untilAnswered, settings: { launcher_url: launcher.url }, autoloads };
      const outcome = await play(game);
      const expected = ["early", "late"].flatMap((name) =>
        ["enter_tree", "exit_tree", "ready"].map((at) => `${name}_${at}`),
      );
      await until("all six arrived", () => launcher.requests.length === expected.length);
      assert.deepEqual(eventIds(launcher).sort(), expected);
      assert.deepEqual(printed(outcome), []);
    }));

  test("a paused game at time scale 0 still sends", () =>
    withLauncher(async (launcher) => {
      const ready = `
Engine.time_scale = 0.0
get_tree().paused = true
KitSDK.social.trigger_event("sky_still")
${settle}`;
      const outcome = await play({ ready, settings: { launcher_url: launcher.url } });
      assert.deepEqual(printed(outcome), ["pending 0"]);
      assert.deepEqual(eventIds(launcher), ["sky_still"]);
    }));

  test("an event leaves in the frame of its call", () =>
    withLauncher(async (launcher) => {
      // The game is killed in the frame of the call, so neither a drain nor a second frame can send the event.
      const caller = `extends Node
func _process(_delta: float) -> void:
	if Engine.get_process_frames() == 5:
		KitSDK.recording.trigger_event("sky_at_once")
		var _connected: int = get_tree().process_frame.connect(func() -> void: OS.kill(OS.get_process_id()))
`;
      const ready = "await get_tree().create_timer(20.0).timeout";
      const game = { ready, settings: { launcher_url: launcher.url }, autoloads: { Caller: caller, KitSDK: "" } };
      // On a busy machine the thread may lose its time for longer than Kit's share of a frame, but not three times in a row.
      for (let attempt = 0; attempt < 3 && launcher.requests.length === 0; attempt += 1) {
        await assert.rejects(play(game), /ended with null/);
        // What the game sent is in line before this.
        await fetch(launcher.url, { method: "OPTIONS" });
      }
      assert.deepEqual(eventIds(launcher), ["sky_at_once"]);
    }));

  test("a changed address, switch or log setting takes effect with the next call", () =>
    withLauncher((first) =>
      withLauncher(async (second) => {
        const ready = `
KitSDK.recording.trigger_event("sky_first")
KitSDK.launcher_url = " ${second.url}// "
KitSDK.recording.trigger_event("sky_second")
print(KitSDK.launcher_url)
KitSDK.enable_recording = false
KitSDK.recording.trigger_event("sky_none")
KitSDK.enable_recording = true
KitSDK.launcher_url = "nonsense"
KitSDK.recording.trigger_event("sky_none")
${untilAnswered}`;
        const outcome = await play({ ready, settings: { launcher_url: first.url } });
        assert.deepEqual(printed(outcome), [second.url]);
        assert.deepEqual([eventIds(first), eventIds(second)], [["sky_first"], ["sky_second"]]);
      }),
    ));

  test("settings of the wrong type are converted if possible, otherwise they have their defaults", async () => {
    const settings = { enable_recording: "False", enable_monitor: "perhaps", enable_social: "1" };
    const ready = `
print(KitSDK.enable_recording, KitSDK.enable_monitor, KitSDK.enable_social, KitSDK.debug_logging)
print("<", KitSDK.launcher_url, "> <", KitSDK.build, ">")`;
    const expected = ["falsetruetruefalse", "<http://127.0.0.1:9876> <>"];
    assert.deepEqual(printed(await play({ ready, settings })), expected, "and without a version there is no build");
  });

  test("the build is the project's version, with what the settings add, and the game may change or empty it", () =>
    withLauncher(async (launcher) => {
      const settings = { launcher_url: launcher.url, build: "{version}-demo", "build.windows": "none" };
      const ready = `
KitSDK.monitor.report_error("set")
KitSDK.build = " 1.5\\t%s " % "x".repeat(200)
print(KitSDK.build.length())
KitSDK.monitor.report_error("changed")
KitSDK.build = " "
KitSDK.monitor.report_error("emptied")
KitSDK.recording.trigger_event("sky_event")
${settle}`;
      const outcome = await play({ ready, settings, version: "1.4.2" });
      assert.deepEqual(printed(outcome), ["100", "pending 0"]);
      const bodies = launcher.requests.map(({ body }) => JSON.parse(body.toString()) as Record<string, string>);
      const builds = Object.fromEntries(bodies.map(({ message, eventId, build }) => [message ?? eventId, build]));
      assert.deepEqual(builds, {
        set: "1.4.2-demo",
        changed: `1.5\t${"x".repeat(96)}`,
        emptied: undefined,
        sky_event: undefined,
      });
    }));

  test("a setting that is only overridden for a platform is used there", async () => {
    const settings = { "launcher_url.linux": "http://127.0.0.1:4000", "enable_social.windows": false };
    const ready = `print(KitSDK.launcher_url, " ", KitSDK.enable_social)`;
    assert.deepEqual(printed(await play({ ready, settings })), ["http://127.0.0.1:4000 true"]);
  });

  test("debug logging prints each request, its outcome and each omission, and without it nothing is printed", () =>
    withLauncher(async (launcher) => {
      const ready = (debug: boolean) => `
KitSDK.debug_logging = ${debug}
KitSDK.recording.trigger_event("sky_said")
${settle.replaceAll("print(", "str(")}
KitSDK.recording.trigger_event("")
KitSDK.monitor.report_error("")
KitSDK.social.trigger_event("")
KitSDK.launcher_url = "http://127.0.0.1:1"
KitSDK.recording.trigger_event("sky_refused")
KitSDK.launcher_url = "nonsense"
KitSDK.recording.trigger_event("sky_unusable")
${untilAnswered}`;
      const settings = { launcher_url: launcher.url };
      const loud = printed(await play({ ready: ready(true), settings })).filter((line) => !/^\s/.test(line));
      assert.deepEqual(loud.sort(), [
        "Kit: /api/recording/trigger: answered 202",
        "Kit: /api/recording/trigger: nobody listens there",
        "WARNING: Kit: monitor.report_error: the message is empty; nothing was sent",
        "WARNING: Kit: recording.trigger_event: the event ID is empty; nothing was sent",
        "WARNING: Kit: social.trigger_event: the event ID is empty; nothing was sent",
        'WARNING: Kit: the launcher URL "nonsense" cannot be used; nothing was sent',
      ]);
      assert.deepEqual(printed(await play({ ready: ready(false), settings })), []);
    }));

  test("a long stack trace is written in short pieces, and arrives unchanged", () =>
    withLauncher(async (launcher) => {
      const ready = `
const KitPayload = preload("res://addons/kit_sdk/kit_payload.gd")
var trace: String = "at \\"a\\"\\n\\u001b\\u3042 ".repeat(13000)
var payload: KitPayload = KitPayload.new({"message": "m", "stackTrace": trace})
var longest: int = 0
while true:
	var size: int = payload.bytes.size()
	if not payload.write_piece():
		break
	longest = maxi(longest, payload.bytes.size() - size)
print("longest piece below 16 KiB: ", longest < 16384)
KitSDK.monitor.report_error("m", trace)
${settle}`;
      const outcome = await play({ ready, settings: { launcher_url: launcher.url } });
      assert.deepEqual(printed(outcome), ["longest piece below 16 KiB: true", "pending 0"]);
      const { stackTrace } = JSON.parse(launcher.requests[0]?.body.toString() ?? "");
      assert.equal(stackTrace, 'at "a"\n\u001b\u3042 '.repeat(13_000));
    }));
});
