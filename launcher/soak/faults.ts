// Lets file system calls of a launcher under load fail, and looks whether everything it acknowledged meanwhile is kept.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { listEvents, makeBackup } from "@kit/contract";
import { dataDirAt } from "../src/storage/data-dir.ts";
import { type OwnLauncher, startOwnLauncher } from "../test/own-launcher.ts";
import { chooseCuts, type Found } from "./cuts.ts";
import { type Account, createAccount, startLoad } from "./load.ts";
import { inThread } from "./power.ts";
import { readRecord } from "./record.ts";
import { keepPayloads, killRecorded } from "./recording.ts";
import { armedAt, compileShim, environmentOf, type Fault } from "./shim.ts";

const { EIO, ENOSPC } = constants.errno;

type Failing = Pick<Fault, "call" | "what"> & {
  readonly name: string;
  /** Every n-th call fails, and in another run each with this probability. */
  readonly every: number;
  readonly share: number;
};

/** The system gives up what it could not write, and takes it for written: the hardest of all. */
export const fsyncFails: Failing = { name: "most fsync EIO", call: "sync", what: EIO, every: 1, share: 0.6 };

export const failings: readonly Failing[] = [
  { name: "write EIO", call: "write", what: EIO, every: 97, share: 0.01 },
  { name: "write ENOSPC", call: "write", what: ENOSPC, every: 61, share: 0.02 },
  { name: "short write", call: "write", what: "short", every: 7, share: 0.05 },
  { name: "fsync EIO", call: "sync", what: EIO, every: 5, share: 0.25 },
  fsyncFails,
  { name: "read EIO", call: "read", what: EIO, every: 41, share: 0.02 },
  { name: "short read", call: "read", what: "short", every: 3, share: 0.05 },
  { name: "ftruncate EIO", call: "truncate", what: EIO, every: 1, share: 0.75 },
  { name: "rename EIO", call: "rename", what: EIO, every: 1, share: 0.75 },
  { name: "unlink EIO", call: "unlink", what: EIO, every: 1, share: 0.75 },
];

/**
 * While calls still fail it is killed, or ended and started again; or nothing happens to it. Alive, it has to take events as
 * soon as calls succeed.
 */
export const ends = ["killed", "goes on", "starts again"] as const;

export type FaultPlan = {
  readonly failing: Failing;
  readonly when: "every" | "share";
  readonly end: (typeof ends)[number];
  readonly seed: number;
  /** While calls fail. */
  readonly answers: number;
  /** Power cuts in the record of it. */
  readonly cuts: number;
};

export type FaultOutcome = {
  readonly faults: number;
  readonly answers: ReadonlyMap<number, number>;
  readonly acknowledged: number;
  readonly cuts: Found;
  /** What must not be, in words. */
  readonly wrong: readonly string[];
};

const recoversWithinMs = 20_000;
const takenBefore = 50;
const takenAfter = 100;
const backups = 6;
/** Busy, or unable to store: what the contract has for it. */
const mayAnswer = [202, 429, 503];

/** Where a launcher works, and what it is told and tells. */
type Scene = Pick<Parameters<typeof environmentOf>[1], "dataDir" | "record"> & {
  readonly env: Readonly<Record<string, string>>;
  readonly account: Account;
  readonly wrong: string[];
};

export async function withFaults({ failing, when, end, seed, answers, cuts }: FaultPlan): Promise<FaultOutcome> {
  const folder = mkdtempSync(join(tmpdir(), "kit-soak-"));
  const dataDir = join(folder, "data");
  const record = join(folder, "record");
  mkdirSync(dataDir);
  const { call, what } = failing;
  const fault: Fault = {
    call,
    what,
    seed,
    when: when === "every" ? { every: failing.every } : { share: failing.share },
  };
  const env = { DISPLAY: "", WAYLAND_DISPLAY: "", ...environmentOf(compileShim(folder), { dataDir, record, fault }) };
  const scene: Scene = { dataDir, record, env, account: createAccount(), wrong: [] };
  const { account, wrong } = scene;
  try {
    await whileCallsFail(scene, answers, end);
    await afterwards(scene);
    const operations = readRecord(record);
    const faults = operations.filter(({ kind }) => kind === "fault").length;
    if (faults === 0) wrong.push("no call failed");
    const chosen = chooseCuts(operations.length, cuts, "any", seed);
    keepPayloads(folder, account);
    const found = await inThread({ folder, cuts: chosen, syncs: "kept", place: folder });
    wrong.push(...found.examples);
    return { faults, answers: account.answers, acknowledged: account.acknowledged.size, cuts: found, wrong };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Takes events, backs up, lists; then ends as it is told. */
async function whileCallsFail(scene: Scene, answers: number, end: FaultPlan["end"]): Promise<void> {
  const { dataDir, record, env, account, wrong } = scene;
  await using launcher = await startOwnLauncher({ dataDir, env });
  const load = startLoad(launcher.port, "during", account);
  await load.answered([202], takenBefore);
  writeFileSync(armedAt(record), "");
  await Promise.all([load.answered(mayAnswer, answers), otherWork(launcher)]);
  if (!launcher.process().isRunning()) wrong.push(`the launcher ended: ${launcher.process().output()}`);
  if (account.unanswered.length > 0) wrong.push(`${account.unanswered.length} got no answer: ${account.unanswered[0]}`);
  if (end === "killed") await killRecorded(launcher, record);
  if (end === "goes on") rmSync(armedAt(record));
  if (end === "goes on") await load.answered([202], takenAfter, recoversWithinMs);
  await load.stop();
  await launcher.process().end("SIGTERM");
  if (end === "starts again") await startWhileCallsFail(scene);
  rmSync(armedAt(record), { force: true });
}

/** A start may end, when it says why. */
async function startWhileCallsFail({ dataDir, record, env, account, wrong }: Scene): Promise<void> {
  try {
    await using launcher = await startOwnLauncher({ dataDir, env });
    rmSync(armedAt(record));
    const load = startLoad(launcher.port, "again", account);
    await load.answered([202], takenAfter, recoversWithinMs);
    await load.stop();
    await launcher.process().end("SIGTERM");
  } catch (error) {
    const { message } = error as Error;
    if (!message.includes(" ended:\n")) wrong.push(message);
  }
}

/** A start without faults: nothing is set aside, and events are taken. */
async function afterwards({ dataDir, env, account, wrong }: Scene): Promise<void> {
  await using launcher = await startOwnLauncher({ dataDir, env });
  const load = startLoad(launcher.port, "after", account);
  await load.answered([202], takenAfter, recoversWithinMs);
  await load.stop();
  await launcher.process().end("SIGTERM");
  const others = [...account.answers].filter(([status]) => !mayAnswer.includes(status));
  wrong.push(...others.map(([status, count]) => `${count} answers ${status}`));
  const { quarantine } = dataDirAt(dataDir);
  if (existsSync(quarantine)) wrong.push(`the database was set aside: ${readdirSync(quarantine).join(", ")}`);
}

/** A backup reads everything and is put in its place by a rename. What these answer while calls fail is not asked here. */
async function otherWork({ api }: OwnLauncher): Promise<void> {
  for (let round = 0; round < backups; round += 1) {
    for (const { method, path } of [makeBackup, listEvents]) await api(method, path).catch(() => undefined);
  }
}
