// Support: a supervisor with fake runs and a fake clock. Time passes and footage arrives only when a test says so.

import assert from "node:assert/strict";
import { textOf } from "@kit/contract";
import { CaptureSupervisor } from "../supervisor.ts";
import type { CaptureConfig } from "../thread-client.ts";
import { captureTimeouts } from "../timeouts.ts";
import type { CaptureRunEvents, FragmentFacts, QualityLevel } from "../watched-run.ts";

const level = (name: string): QualityLevel => ({
  args: [name],
  width: 1280,
  height: 720,
  frameRate: 30,
  constantRate: true,
});
/** A configuration with a level for each name. The name is the level's command. */
export const config = (names: string, at = 0, choiceId = 1): CaptureConfig => ({
  levels: names.split(" ").map(level),
  level: at,
  choiceId,
});

/** A clock that a test advances. Timers run in the order they are due. */
function fakeClock() {
  let monoMs = 1_000;
  let wallOffsetMs = 1_800_000_000_000;
  let due: { atMs: number; callback: () => void }[] = [];
  return {
    wallMs: () => monoMs + wallOffsetMs,
    monoMs: () => monoMs,
    after(ms: number, callback: () => void) {
      const entry = { atMs: monoMs + ms, callback };
      due.push(entry);
      return () => {
        due = due.filter((other) => other !== entry);
      };
    },
    pass(ms: number) {
      const untilMs = monoMs + ms;
      for (;;) {
        const next = due.filter((entry) => entry.atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)[0];
        if (next === undefined) break;
        due = due.filter((entry) => entry !== next);
        monoMs = Math.max(monoMs, next.atMs);
        next.callback();
      }
      monoMs = untilMs;
    },
    /** Advances the time without running timers, as if the thread had been suspended. */
    sleep(ms: number) {
      monoMs += ms;
    },
    set(byMs: number) {
      wallOffsetMs += byMs;
    },
    /** As on Windows, timers go on while the computer sleeps. */
    wake(afterMs: number) {
      wallOffsetMs += afterMs;
      const fired = due.filter(({ atMs }) => atMs <= monoMs + afterMs);
      due = due.filter((entry) => !fired.includes(entry));
      for (const { callback } of fired) callback();
    },
  };
}

type FakeRun = {
  args: readonly string[];
  events: CaptureRunEvents<FragmentFacts>;
  hasEnded: boolean;
  end(reason: string): void;
};

export function superviseFakeRuns() {
  const clock = fakeClock();
  const runs: FakeRun[] = [];
  const fragments: FragmentFacts[] = [];
  const ended: { reason: string; restartInMs: number | null }[] = [];
  const machine = { load: 0.1, isHeld: false };
  let failedChoices = 0;
  const supervisor = new CaptureSupervisor<FragmentFacts>({
    startRun({ args }, events) {
      const run: FakeRun = {
        args,
        events,
        hasEnded: false,
        end(reason) {
          if (run.hasEnded) return;
          run.hasEnded = true;
          events.onEnd({ text: reason, code: "test" });
        },
      };
      runs.push(run);
      return { end: () => run.end("it was killed") };
    },
    clock,
    timeouts: captureTimeouts,
    load: () => machine.load,
    isHeld: () => machine.isHeld,
    onFragment: (fragment) => fragments.push(fragment),
    onChanged: () => {},
    onRunEnded: (reason, restartInMs) => ended.push({ reason: textOf(reason), restartInMs }),
    onChoiceFailed: () => {
      failedChoices += 1;
    },
  });
  const running = () => {
    const last = runs.at(-1);
    assert.ok(last !== undefined && !last.hasEnded, "a run is in progress");
    return last;
  };
  /** Delivers a fragment of each active run every quarter of a second, except of the run named `mute`. */
  const deliver = (seconds: number, { frames = 7.5, deltaBytes = 9_000, mute = "" } = {}) => {
    for (let at = 0; at < seconds; at += 0.25) {
      clock.pass(250);
      for (const run of runs.filter(({ hasEnded, args }) => !hasEnded && args[0] !== mute)) {
        const endMs = clock.wallMs() - 30;
        run.events.onFragment({ startMs: endMs - 250, endMs, frames, deltaBytes });
      }
    }
  };
  const activeRuns = () => runs.filter(({ hasEnded }) => !hasEnded).map(({ args }) => args[0]);
  return {
    ...{ clock, runs, fragments, ended, supervisor, running, deliver, machine, activeRuns },
    failedChoices: () => failedChoices,
  };
}
