// Which test file belongs to which speed. Nothing else decides that. CI runs every speed, and a test checks that it does.

/** `quick` proves the product (`npm test`), `engines` plays real engines, `slow` takes long, floods, kills or measures. */
export const speeds = ["quick", "engines", "slow"] as const;
export type Speed = (typeof speeds)[number];

/** The npm script that runs a speed. */
export const scriptOf: Readonly<Record<Speed, string>> = {
  quick: "test",
  engines: "test:engines",
  slow: "test:slow",
};

/** Beginnings of paths. The longest one that matches decides. */
export const speedTable: Readonly<Record<string, Speed>> = {
  "": "quick",
  "bench/": "slow",
  "bindings/": "engines",
  "bindings/rpgmaker/test/plugin.test.ts": "quick",
  "bindings/rpgmaker/test/fetch.test.ts": "quick",
  "conformance/test/": "engines",
  "conformance/test/cases.test.ts": "quick",
  "conformance/test/launcher-": "quick",
  "dashboard/test/connect-godot.test.ts": "engines",
  "dashboard/test/clip-real.test.ts": "slow",
  "dashboard/test/posting-clips.test.ts": "slow",
  "dashboard/test/accessibility.test.ts": "slow",
  "dashboard/test/clips-accessibility.test.ts": "slow",
  "dashboard/test/clips-many.test.ts": "slow",
  "dashboard/test/hostile": "slow",
  "dashboard/test/issues-accessibility.test.ts": "slow",
  "dashboard/test/posts-accessibility.test.ts": "slow",
  "dashboard/test/recording.test.ts": "slow",
  "dashboard/test/sessions-accessibility.test.ts": "slow",
  "launcher/soak/": "slow",
  "launcher/src/recording/capture/probe/commands-run.test.ts": "slow",
  "launcher/src/recording/capture/probe/probe.test.ts": "slow",
  "launcher/src/recording/capture/probe/saved-choice.test.ts": "slow",
  "launcher/src/recording/capture/recorder.test.ts": "slow",
  "launcher/src/recording/capture/thread/disk-full.test.ts": "slow",
  "launcher/src/recording/capture/thread/faults.test.ts": "slow",
  "launcher/src/recording/capture/thread/handover-run.test.ts": "slow",
  "launcher/src/recording/capture/thread/orphans.test.ts": "slow",
  "launcher/src/recording/capture/obs/footage.test.ts": "slow",
  "launcher/src/recording/exports/media-fitter.test.ts": "slow",
  "launcher/src/recording/exports/presets.test.ts": "slow",
  "launcher/src/recording/reels/reels.test.ts": "slow",
  "launcher/src/recording/trim/trim.test.ts": "slow",
  "launcher/test/recording/cli-clips.test.ts": "slow",
  "launcher/test/start/code-cache.test.ts": "slow",
  "launcher/test/data/damaged.test.ts": "slow",
  "launcher/test/data/development-data.test.ts": "slow",
  "launcher/test/demo/demo.test.ts": "slow",
  "launcher/test/start/file-modes.test.ts": "slow",
  "launcher/test/games/wine-games.test.ts": "engines",
  "launcher/test/http/half-open.test.ts": "slow",
  "launcher/test/kill-9/storm.test.ts": "slow",
  "launcher/test/monitor/forwarding-aspire.test.ts": "engines",
  "launcher/test/monitor/forwarding-bucket.test.ts": "slow",
  "launcher/test/monitor/forwarding-clickhouse.test.ts": "engines",
  "launcher/test/monitor/forwarding-full-disk.test.ts": "slow",
  "launcher/test/monitor/forwarding-off.test.ts": "slow",
  "launcher/test/monitor/forwarding-prometheus.test.ts": "engines",
  "launcher/test/monitor/forwarding-trackers.test.ts": "engines",
  "launcher/test/monitor/forwarding-wire.test.ts": "slow",
  "launcher/test/data/lost-files.test.ts": "slow",
  "launcher/test/data/newer-database.test.ts": "slow",
  "launcher/test/start/no-room.test.ts": "slow",
  "launcher/test/recording/obs.test.ts": "slow",
  "launcher/test/http/oversize.test.ts": "slow",
  "launcher/test/recording/faults.test.ts": "slow",
  "launcher/test/recording/first-event.test.ts": "slow",
  "launcher/test/recording/game-window.test.ts": "slow",
  "launcher/test/recording/moment.test.ts": "slow",
  "launcher/test/recording/sound.test.ts": "slow",
  "launcher/test/recording/sources.test.ts": "slow",
  "launcher/test/selftest/": "slow",
  "launcher/test/social/clip.test.ts": "slow",
  "launcher/test/social/kill-9.test.ts": "slow",
  "launcher/test/social/part.test.ts": "slow",
  "launcher/test/storm/storm.test.ts": "slow",
  "tools/bundle/executables": "slow",
  "tools/bundle/sdk/nupkg.test.ts": "engines",
  "tools/bundle/windows/": "engines",
  "tools/engines/": "engines",
  "tools/evening/": "slow",
};

/** These mostly wait, and for minutes. They start first, because nothing would run beside them at the end. */
export const startedFirst: readonly string[] = [
  "tools/evening/evening.test.ts",
  "launcher/test/recording/game-window.test.ts",
  "launcher/test/start/second-launcher.test.ts",
];

/** `slow` also runs these, with these settings: tests with random input find more the longer they run. */
export const atLength = {
  paths: [
    "bindings/gamemaker/test/clock.test.ts",
    "launcher/src/http/admission/admission.property.test.ts",
    "launcher/src/recording/plans/schedule.property.test.ts",
    "launcher/test/kill-9/kill-9.test.ts",
    "launcher/test/http/malformed.test.ts",
    "launcher/test/recording/game-window.test.ts",
  ],
  settings: { KIT_PROPERTY_RUNS: "1000000", KIT_KILL_CYCLES: "50", KIT_FUZZ_RUNS: "10000", KIT_GAME_ROUNDS: "25" },
} as const;

/** The line of the table that decides the speed of a test file, by its path from the root of the repository. */
export function decidingFor(path: string): string {
  const fitting = Object.keys(speedTable).filter((beginning) => path.startsWith(beginning));
  return fitting.reduce((longest, beginning) => (beginning.length > longest.length ? beginning : longest), "");
}

export const speedOf = (path: string): Speed => speedTable[decidingFor(path)] as Speed;
