// The heart of recording over a real database, with a recorder and a clock that do as the test says.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import {
  eventInWords,
  KitError,
  type KitEvent,
  type RecorderState,
  type RecordingRule,
  recordingRuleDefaults,
} from "@kit/contract";
import { patienceMs } from "../../../test/until.ts";
import { sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import type { CutOrder, Footage } from "../capture/backend.ts";
import { createClipJobs } from "../clip-jobs/clip-jobs.ts";
import { createClipPlanner, type Taken } from "../clip-planner.ts";
import { createClipStore } from "../clips/clip-store.ts";
import { createCutQueue } from "../cut-queue.ts";
import { createFootage } from "../footage.ts";
import { createWindows } from "../moments/windows.ts";
import type { Moment } from "../plan.ts";

export const recording: RecorderState = {
  state: "recording",
  detail: "Captures screen :0",
  backend: "ffmpeg",
  source: "screen :0",
  encoder: "x",
  width: 64,
  height: 48,
  frameRate: 30,
  heldSeconds: 60,
  heldBytes: 1,
  degraded: null,
  restarts: 0,
  lostSeconds: 0,
};

type Cutting = (order: CutOrder) => Promise<Footage> | Footage;
export const whole: Cutting = ({ fromMs, toMs }) => ({
  fromMs,
  toMs,
  frames: 9,
  width: 64,
  height: 48,
  bytes: 7,
  holes: [],
  apart: [],
});

const keptOf = (file: string, durationMs: number) => ({
  file,
  bytes: 7,
  durationMs,
  width: 64,
  height: 48,
  frames: 9,
  notes: [],
});
type Said = Pick<Footage, "fromMs" | "toMs">;
const files = {
  partOf: (id: string) => `/clips/${id}.part`,
  discard: async () => {},
  checked: async (file: string) => keptOf(file, 1),
  keep: async (id: string, _part: string, footage: Said | Promise<Said> | undefined) => {
    const said = await footage;
    return keptOf(`${id}.mp4`, said === undefined ? 0 : said.toMs - said.fromMs);
  },
  keepPicture: async (id: string) => keptOf(`${id}.jpg`, 0),
};
const reached = (all: readonly Moment[], state: string, reason: string | null) => [
  sql`INSERT INTO receipt (event_seq, state, at_ms, by, reason)
    SELECT value, ${state}, 0, 'recording', ${reason} FROM json_each(${JSON.stringify(
      all.filter(({ kind }) => kind === "recording").map(({ seq }) => seq),
    )})`,
];
async function receiptOf(storage: Storage, seq: number) {
  const rows = await storage.read(sql`SELECT state, reason FROM receipt WHERE event_seq = ${seq} ORDER BY seq`);
  return { states: rows.map(({ state }) => state), reasons: rows.map(({ reason }) => reason) };
}

/** A recorder that does as the test says. */
function scripted() {
  const world = {
    nowMs: 1_000_000,
    state: recording,
    cut: whole,
    cuts: [] as CutOrder[],
    held: new Set<string>(),
    isOn: true,
    /** What lies in the clips folder no more. */
    missing: new Set<string>(),
    tidy: (): Promise<readonly never[]> => Promise.resolve([]),
    /** Called when footage is let go: nothing is made of it any more. */
    onRelease: (): void => undefined,
    onFailure: (what: string, error: unknown): void => assert.fail(`${what}: ${error}`),
  };
  const recorder = {
    state: () => world.state,
    hold: (id: string) => void world.held.add(id),
    release(id: string) {
      world.held.delete(id);
      world.onRelease();
    },
    async cut(order: CutOrder) {
      world.cuts.push(order);
      return world.cut(order);
    },
  };
  return { world, recorder };
}

/** Says when something may have changed. */
function signal() {
  let changed = Promise.withResolvers<void>();
  const next = () => changed.promise;
  const wake = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  return { next, wake };
}

type Rules = Partial<Record<string, Partial<RecordingRule>>>;

/** The slice's heart, with a clock that stands where the test puts it. */
export function launcher(storage: Storage, rules: Rules = {}) {
  const { world, recorder } = scripted();
  const { next, wake } = signal();
  const windows = createWindows();
  world.onRelease = wake;
  const store = createClipStore(storage, "/clips", (id) => making.stageOf(id));
  const making = createClipJobs({
    recorder,
    windows,
    files,
    reached,
    find: store.find,
    write: storage.write,
    onChanged: wake,
    library: { prepareCut: async () => [], tidy: () => world.tidy() },
    queue: createCutQueue({ concurrency: 2, waitingMax: 10 }),
    pictures: { poster() {}, preview() {}, hold() {}, release() {}, stop: async () => {} },
    onFailure: (what, error) => world.onFailure(what, error),
  });
  const ruleOf = (eventId: string) => ({ ...recordingRuleDefaults, eventId, changed: false, ...rules[eventId] });
  const clock = { now: () => world.nowMs, startedAtMs: () => 900_000, wordsOf: eventInWords };
  const intake = createClipPlanner({
    ...clock,
    rules: { ruleOf },
    windows,
    making,
    recorder,
    reached,
    gameOf: () => "saga",
  });
  const commit = async (taken: Taken) => {
    await storage.write(...taken.statements, sql`SELECT 1`);
    taken.committed();
  };
  const footage = createFootage({
    intake,
    making,
    rules: { ruleOf },
    store,
    ...clock,
    keep: commit,
    isOn: () => world.isOn,
    recorder: { gameActive() {} },
    files: { picturePathOf: (id) => `/clips/.media/${id}.jpg` },
    library: {
      async get(id) {
        const kept = await store.find(id);
        if (kept === undefined) throw new KitError("not_found", "There is no such clip.");
        return { ...kept.clip, missing: world.missing.has(id) };
      },
    },
  });
  footage.ready();
  const eventually = async (isSo: () => Promise<boolean>, what: () => string) => {
    const deadlineMs = performance.now() + patienceMs;
    for (;;) {
      const changed = next();
      if (await isSo()) return;
      assert.ok(performance.now() < deadlineMs, what());
      await Promise.race([changed, pause(1_000, undefined, { ref: false })]);
    }
  };
  const statesOf = async (seq: number) => (await receiptOf(storage, seq)).states;
  return {
    world,
    windows,
    making,
    store,
    statesOf,
    reasonsOf: async (seq: number) => (await receiptOf(storage, seq)).reasons,
    take: (...entries: { seq: number; event: KitEvent }[]): Taken => intake.takeEntries(entries),
    commit,
    footage,
    /** The clock goes on; what is due is done. */
    tick(toMs: number) {
      world.nowMs = toMs;
      const { cut, closed } = windows.due(toMs);
      for (const { id } of cut) making.cut(id);
      for (const { id } of closed) making.close(id);
    },
    /** Resolves when nothing is made any more. */
    allLeft: () =>
      eventually(
        async () => world.held.size === 0,
        () => `held: ${[...world.held]}`,
      ),
    async until(seq: number, ...states: string[]) {
      let last = "";
      const isSo = async () => {
        last = JSON.stringify(await statesOf(seq));
        return last === JSON.stringify(states);
      };
      await eventually(isSo, () => `${seq} is ${last} instead of ${states}`);
    },
  };
}

let seq = 0;
export function entry(atMs: number, eventId = "saga_boss") {
  seq += 1;
  const actsOn = new Date(atMs).toISOString();
  const event = { id: `event-${seq}`, kind: "recording", game: "saga", eventId, actsOn } as KitEvent;
  return { seq, event };
}
