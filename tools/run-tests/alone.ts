// The test files that run one at a time: they check milliseconds, frames or processor time, and other work on the machine would
// break them. A file that only takes long does not belong here, and neither does a quick one: the result of `npm test` must not
// depend on other work on the machine.

/** Each floods the launcher, and checks how soon it answers or how much memory it uses. */
const ofTheLauncher = [
  "launcher/test/http/half-open.test.ts",
  "launcher/test/http/oversize.test.ts",
  "launcher/test/storm/storm.test.ts",
];

/** Checks how soon nothing leaves any more. */
const ofForwarding = ["launcher/test/monitor/forwarding-off.test.ts"];

/** Tests that depend on the timing of a capture. One that only records is not among them. */
const ofRecording = [
  "dashboard/test/recording.test.ts",
  "launcher/src/recording/capture/probe/commands-run.test.ts",
  "launcher/src/recording/capture/probe/probe.test.ts",
  "launcher/src/recording/capture/recorder.test.ts",
  "launcher/src/recording/capture/thread/faults.test.ts",
  "launcher/src/recording/capture/thread/handover-run.test.ts",
  "launcher/src/recording/capture/obs/footage.test.ts",
  "launcher/test/recording/obs.test.ts",
  "launcher/test/recording/faults.test.ts",
  "launcher/test/recording/first-event.test.ts",
  "launcher/test/recording/moment.test.ts",
  "launcher/test/recording/sound.test.ts",
  "launcher/test/selftest/selftest.test.ts",
  "tools/bundle/windows/windows-recording.test.ts",
  "tools/bundle/windows/windows-selftest.test.ts",
  "tools/bundle/windows/windows-sizes.test.ts",
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
  // A game that closes its connections must be found within a tenth of a second.
  "tools/bundle/windows/windows-executable.test.ts",
];

/** Each measures a flood or a capture. The other benchmarks only have to run. */
const ofMeasures = ["bench/capture/capture.test.ts", "bench/senders.test.ts", "bench/storm/storm.test.ts"];

/** Paths relative to the root of the repository. */
export const alone: ReadonlySet<string> = new Set([
  ...ofTheLauncher,
  ...ofForwarding,
  ...ofRecording,
  ...ofGames,
  ...ofMeasures,
]);
