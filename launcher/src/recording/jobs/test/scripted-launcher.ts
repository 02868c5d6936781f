// Support: planner, jobs and footage requests with a real database, a scripted recorder and a clock.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import {
  eventInWords,
  KitError,
  type KitEvent,
  type Message,
  type RecorderState,
  type RecordingRule,
  recordingRuleDefaults,
  textOf,
} from "@kit/contract";
import { patienceMs } from "../../../../test/support/until.ts";
import { fromMessageColumn, sql, toMessageColumn } from "../../../storage/sql.ts";
import type { Storage } from "../../../storage/storage.ts";
import { createClipStore } from "../../clips/clip-store.ts";
import type { ClipPlan, Footage, Moment } from "../../plans/plan.ts";
import { ClipPlanner, type MomentRequest, type PlannedWrite } from "../../plans/planner.ts";
import { ClipSchedule } from "../../plans/schedule.ts";
import { createBoundedQueue } from "../bounded-queue.ts";
import { createFootageRequests } from "../footage-requests.ts";
import { ClipJobs } from "../jobs.ts";

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

type Cutting = (plan: ClipPlan) => Promise<Footage> | Footage;
export const whole = ({ fromMs, toMs }: ClipPlan): Footage => ({
  fromMs,
  toMs,
  frames: 9,
  width: 64,
  height: 48,
  bytes: 7,
  gaps: [],
  otherFormat: [],
});

const verifiedFile = (file: string, durationMs: number) => ({
  file,
  bytes: 7,
  durationMs,
  width: 64,
  height: 48,
  frames: 9,
  notes: [],
  outdated: null,
});
type Expected = Pick<Footage, "fromMs" | "toMs">;
const files = {
  partPath: (id: string) => `/clips/${id}.part`,
  rehearsalPath: (id: string) => `/clips/${id}.mp4.part`,
  createFolders: async () => {},
  rehearse: async () => undefined,
  discard: async () => {},
  absolutePath: (file: string) => `/clips/${file}`,
  verify: async (file: string) => verifiedFile(file, 1),
  saveVideo: async (id: string, _part: string, footage: Expected | undefined) =>
    verifiedFile(`${id}.mp4`, footage === undefined ? 0 : footage.toMs - footage.fromMs),
  saveScreenshot: async (id: string) => verifiedFile(`${id}.jpg`, 0),
};
const receiptStatements = (all: readonly Moment[], state: string, reason: Message | null) => [
  sql`INSERT INTO receipt (event_seq, state, at_ms, by, reason)
    SELECT value, ${state}, 0, 'recording', ${toMessageColumn(reason)} FROM json_each(${JSON.stringify(
      all.filter(({ kind }) => kind === "recording").map(({ seq }) => seq),
    )})`,
];
async function receiptOf(storage: Storage, seq: number) {
  const rows = await storage.read(sql`SELECT state, reason FROM receipt WHERE event_seq = ${seq} ORDER BY seq`);
  return {
    states: rows.map(({ state }) => state),
    reasons: rows.map(({ reason }) => textOf(fromMessageColumn(reason) ?? "")),
  };
}

/** A recorder whose cuts a test scripts. */
function scripted() {
  const world = {
    nowMs: 1_000_000,
    state: recording,
    cut: whole as Cutting,
    cuts: [] as ClipPlan[],
    held: new Set<string>(),
    isOn: true,
    /** Clips whose file is missing. */
    missing: new Set<string>(),
    tidy: (): Promise<readonly never[]> => Promise.resolve([]),
    /** Called when a job releases its footage. */
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
    async cut(plan: ClipPlan) {
      world.cuts.push(plan);
      return world.cut(plan);
    },
  };
  return { world, recorder };
}

/** `next` resolves with the next call of `wake`. */
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

/** Planner, jobs and footage requests with a clock that the test sets. */
export function launcher(storage: Storage, rules: Rules = {}) {
  const { world, recorder } = scripted();
  const { next, wake } = signal();
  const schedule = new ClipSchedule();
  world.onRelease = wake;
  const store = createClipStore(storage, "/clips", (id) => jobs.stageById(id));
  const jobs = new ClipJobs({
    recorder,
    schedule,
    files,
    receiptStatements,
    find: store.find,
    write: storage.write,
    onChanged: wake,
    library: { prepareCut: async () => [], enforceLimits: () => world.tidy() },
    queue: createBoundedQueue({ concurrency: 2, waitingMax: 10 }),
    pictures: {
      requestPoster() {},
      requestPreview() {},
      requestMissing() {},
      pausePreviews() {},
      resumePreviews() {},
      stop: async () => {},
    },
    onFailure: (what, error) => world.onFailure(what, error),
  });
  const ruleOf = (eventId: string) => ({ ...recordingRuleDefaults, eventId, changed: false, ...rules[eventId] });
  const clock = { now: () => world.nowMs, startedAtMs: () => 900_000, labelOf: eventInWords };
  const planner = new ClipPlanner({
    ...clock,
    rules: { ruleOf },
    schedule,
    jobs,
    recorder,
    receiptStatements,
    gameOf: () => "saga",
  });
  const commit = async (planned: PlannedWrite) => {
    await storage.write(...planned.statements, sql`SELECT 1`);
    planned.committed();
  };
  const footage = createFootageRequests({
    planner,
    jobs,
    rules: { ruleOf },
    store,
    ...clock,
    write: commit,
    isOn: () => world.isOn,
    recorder: { markGameActive() {} },
    files: { picturePath: (id) => `/clips/.media/${id}.jpg` },
    library: {
      async get(id) {
        const stored = await store.find(id);
        if (stored === undefined) throw new KitError("not_found", "There is no such clip.");
        return { ...stored.clip, missing: world.missing.has(id) };
      },
    },
  });
  footage.releaseWaiting();
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
    schedule,
    jobs,
    store,
    statesOf,
    reasonsOf: async (seq: number) => (await receiptOf(storage, seq)).reasons,
    planEvents: (...events: { seq: number; event: KitEvent }[]): PlannedWrite => planner.planEvents(events),
    planMoment: (request: MomentRequest): PlannedWrite => planner.planMoment(request),
    commit,
    footage,
    /** Advances the clock, and handles due plans. */
    tick(toMs: number) {
      world.nowMs = toMs;
      const { cut, closed } = schedule.takeDue(toMs);
      for (const { id } of cut) jobs.startCut(id);
      for (const { id } of closed) jobs.closeJob(id);
    },
    /** Resolves when no job holds footage. */
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
