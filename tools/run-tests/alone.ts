// Test files that must run alone, because they depend on timing, frames or processor time. Slow files need not be listed.

/** Tests that kill, flood or measure the launcher. */
const ofTheLauncher = [
  "launcher/src/http/body.test.ts",
  "launcher/src/inbox/dispatcher.test.ts",
  "launcher/test/cli-tail.test.ts",
  "launcher/test/half-open.test.ts",
  "launcher/test/hostile-body.test.ts",
  "launcher/test/hostile-grammar.test.ts",
  "launcher/test/http-fuzz.test.ts",
  "launcher/test/kill9-storm.test.ts",
  "launcher/test/kill9.test.ts",
  "launcher/test/oversize.test.ts",
  "launcher/test/storage.test.ts",
  "launcher/test/storm.test.ts",
];

/** Tests that record a screen or depend on the timing of a capture. */
const ofRecording = [
  "dashboard/test/clip-real.test.ts",
  "dashboard/test/recording.test.ts",
  "launcher/src/recording/capture/probe/commands-run.test.ts",
  "launcher/src/recording/capture/probe/probe.test.ts",
  "launcher/src/recording/capture/probe/saved-choice.test.ts",
  "launcher/src/recording/capture/recorder.test.ts",
  "launcher/src/recording/capture/thread/disk-full.test.ts",
  "launcher/src/recording/capture/thread/faults.test.ts",
  "launcher/src/recording/capture/thread/handover-run.test.ts",
  "launcher/src/recording/capture/thread/orphans.test.ts",
  "launcher/src/recording/obs/footage.test.ts",
  "launcher/test/demo.test.ts",
  "launcher/test/file-modes.test.ts",
  "launcher/test/obs.test.ts",
  "launcher/test/recording-faults.test.ts",
  "launcher/test/recording-moment.test.ts",
  "launcher/test/recording.test.ts",
  "tools/engines/clock-window.test.ts",
];

/** Tests that play a game in real time, or several engines at once. */
const ofGames = [
  "bindings/godot/test/game.test.ts",
  "bindings/godot/test/sending.test.ts",
  "bindings/monogame/test/core.test.ts",
  "bindings/monogame/test/sample.test.ts",
  "bindings/rpgmaker/test/engines.test.ts",
  "bindings/rpgmaker/test/launcher.test.ts",
  "bindings/unity/test~/play.test.ts",
  "conformance/test/conformance.test.ts",
  "conformance/test/faults.test.ts",
];

/** Benchmarks that depend on timing. */
const ofMeasures = [
  "bench/capture/capture.test.ts",
  "bench/senders/senders.test.ts",
  "bench/storm/storm.test.ts",
  "dashboard/test/live.test.ts",
];

/** Paths relative to the root of the repository. */
export const alone: ReadonlySet<string> = new Set([...ofTheLauncher, ...ofRecording, ...ofGames, ...ofMeasures]);
