// A supervisor with runs and a clock of the test's own: time passes, and footage comes, only when a test says so.
import assert from "node:assert/strict";
import type { Delivered, RunEvents } from "../live-run.ts";
import type { Level, Offer } from "../messages.ts";
import { createSupervisor } from "../supervisor.ts";
import { patience } from "../watchdogs.ts";

const level = (name: string): Level => ({ args: [name], width: 1280, height: 720, frameRate: 30, steady: true });
/** Of levels with those names as their commands. */
export const offer = (names: string, at = 0, choice = 1): Offer => ({
  levels: names.split(" ").map(level),
  level: at,
  choice,
});

/** Time passes only when a test says so; what is due happens in order. */
function fakeClock() {
  let monoMs = 1_000;
  let aheadMs = 1_800_000_000_000;
  let due: { atMs: number; act: () => void }[] = [];
  return {
    wallMs: () => monoMs + aheadMs,
    monoMs: () => monoMs,
    after(ms: number, act: () => void) {
      const entry = { atMs: monoMs + ms, act };
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
        next.act();
      }
      monoMs = untilMs;
    },
    /** The thread itself was stopped: nothing could happen when it was due. */
    sleep(ms: number) {
      monoMs += ms;
    },
    set(byMs: number) {
      aheadMs += byMs;
    },
  };
}

type FakeRun = { args: readonly string[]; events: RunEvents<Delivered>; isOver: boolean; end(why: string): void };

export function stage() {
  const clock = fakeClock();
  const runs: FakeRun[] = [];
  const kept: Delivered[] = [];
  const ended: { why: string; againInMs: number | null }[] = [];
  const machine = { load: 0.1, isHeld: false };
  let stale = 0;
  const supervisor = createSupervisor<Delivered>({
    startRun({ args }, events) {
      const run: FakeRun = {
        args,
        events,
        isOver: false,
        end(why) {
          if (run.isOver) return;
          run.isOver = true;
          events.onEnd(why);
        },
      };
      runs.push(run);
      return { end: () => run.end("it was killed") };
    },
    clock,
    patience,
    load: () => machine.load,
    isHeld: () => machine.isHeld,
    onFragment: (fragment) => kept.push(fragment),
    onChanged: () => {},
    onRunEnded: (why, againInMs) => ended.push({ why, againInMs }),
    onStale: () => {
      stale += 1;
    },
  });
  const running = () => {
    const last = runs.at(-1);
    assert.ok(last !== undefined && !last.isOver, "a run is under way");
    return last;
  };
  /** A quarter of a second of footage each quarter of a second, of each run under way but those named. */
  const deliver = (seconds: number, { frames = 7.5, deltaBytes = 9_000, mute = "" } = {}) => {
    for (let at = 0; at < seconds; at += 0.25) {
      clock.pass(250);
      for (const run of runs.filter(({ isOver, args }) => !isOver && args[0] !== mute)) {
        const endMs = clock.wallMs() - 30;
        run.events.onFragment({ startMs: endMs - 250, endMs, frames, deltaBytes });
      }
    }
  };
  const underWay = () => runs.filter(({ isOver }) => !isOver).map(({ args }) => args[0]);
  return { clock, runs, kept, ended, supervisor, running, deliver, machine, underWay, stale: () => stale };
}
