// Makes file system calls of a launcher under load fail, and checks that every acknowledged event is still stored.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { listEvents, makeBackup } from "@kit/contract";
import { dataDirAt } from "../src/storage/data-dir.ts";
import { type LauncherProcess, startLauncherProcess } from "../test/support/own-launcher.ts";
import { type CutResults, chooseCuts } from "./cuts.ts";
import { createLoadLog, type LoadLog, startLoad } from "./load.ts";
import { tryCutsInThread } from "./power.ts";
import { killRecorded, savePayloads } from "./record-launcher.ts";
import { armFile, compileShim, type Fault, readRecord, shimEnvironment } from "./shim.ts";

const { EIO, ENOSPC } = constants.errno;

type FailureCase = Pick<Fault, "call" | "what"> & {
  readonly name: string;
  /** In one run every n-th call fails; in another run each call fails with the probability `share`. */
  readonly every: number;
  readonly share: number;
};

/** The hardest case: after a failed fsync, the kernel drops the unwritten pages and treats them as written. */
export const fsyncFails: FailureCase = { name: "most fsync EIO", call: "sync", what: EIO, every: 1, share: 0.6 };

export const failureCases: readonly FailureCase[] = [
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
 * What happens to the launcher while calls still fail: it is killed, it keeps running, or it is restarted. A running
 * launcher must accept events as soon as calls succeed again.
 */
export const endings = ["killed", "goes on", "starts again"] as const;

export type FaultPlan = {
  readonly failing: FailureCase;
  readonly when: "every" | "share";
  readonly end: (typeof endings)[number];
  readonly seed: number;
  /** Answers to wait for while calls fail. */
  readonly answers: number;
  /** Power cuts to try in the recording. */
  readonly cuts: number;
};

export type FaultOutcome = {
  readonly faults: number;
  readonly answers: ReadonlyMap<number, number>;
  readonly acknowledged: number;
  readonly cuts: CutResults;
  /** Descriptions of everything that violated an expectation. */
  readonly wrong: readonly string[];
};

const takenBefore = 50;
const takenAfter = 100;
const backups = 6;
/** The statuses that the contract allows: accepted, busy, unable to store. */
const mayAnswer = [202, 429, 503];

/** The folders, environment and results of one launcher under test. */
type Scene = Pick<Parameters<typeof shimEnvironment>[1], "dataDir" | "record"> & {
  readonly env: Readonly<Record<string, string>>;
  readonly account: LoadLog;
  readonly wrong: string[];
};

export async function runWithFaults({ failing, when, end, seed, answers, cuts }: FaultPlan): Promise<FaultOutcome> {
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
  const env = { DISPLAY: "", WAYLAND_DISPLAY: "", ...shimEnvironment(compileShim(folder), { dataDir, record, fault }) };
  const scene: Scene = { dataDir, record, env, account: createLoadLog(), wrong: [] };
  const { account, wrong } = scene;
  try {
    await whileCallsFail(scene, answers, end);
    await afterwards(scene);
    const operations = readRecord(record);
    const faults = operations.filter(({ kind }) => kind === "fault").length;
    if (faults === 0) wrong.push("no call failed");
    const chosen = chooseCuts(operations.length, cuts, "any", seed);
    savePayloads(folder, account);
    const found = await tryCutsInThread({ folder, cuts: chosen, syncs: "kept", place: folder });
    wrong.push(...found.examples);
    return { faults, answers: account.answers, acknowledged: account.acknowledged.size, cuts: found, wrong };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sends events, makes backups and lists events while calls fail, then ends the launcher as planned. */
async function whileCallsFail(scene: Scene, answers: number, end: FaultPlan["end"]): Promise<void> {
  const { dataDir, record, env, account, wrong } = scene;
  await using launcher = await startLauncherProcess({ dataDir, env });
  const load = startLoad(launcher.port, "during", account);
  await load.waitForAnswers([202], takenBefore);
  writeFileSync(armFile(record), "");
  await Promise.all([load.waitForAnswers(mayAnswer, answers), otherWork(launcher)]);
  if (!launcher.process().isRunning()) wrong.push(`the launcher ended: ${launcher.process().output()}`);
  if (account.unanswered.length > 0) wrong.push(`${account.unanswered.length} got no answer: ${account.unanswered[0]}`);
  if (end === "killed") await killRecorded(launcher, record);
  if (end === "goes on") rmSync(armFile(record));
  if (end === "goes on") await load.waitForAnswers([202], takenAfter);
  await load.stop();
  await launcher.process().end("SIGTERM");
  if (end === "starts again") await startWhileCallsFail(scene);
  rmSync(armFile(record), { force: true });
}

/** Starts the launcher while calls fail. The start may fail, but must print the reason. */
async function startWhileCallsFail({ dataDir, record, env, account, wrong }: Scene): Promise<void> {
  try {
    await using launcher = await startLauncherProcess({ dataDir, env });
    rmSync(armFile(record));
    const load = startLoad(launcher.port, "again", account);
    await load.waitForAnswers([202], takenAfter);
    await load.stop();
    await launcher.process().end("SIGTERM");
  } catch (error) {
    const { message } = error as Error;
    if (!message.includes(" ended:\n")) wrong.push(message);
  }
}

/** Starts the launcher without faults: it must accept events and must not quarantine the database. */
async function afterwards({ dataDir, env, account, wrong }: Scene): Promise<void> {
  await using launcher = await startLauncherProcess({ dataDir, env });
  const load = startLoad(launcher.port, "after", account);
  await load.waitForAnswers([202], takenAfter);
  await load.stop();
  await launcher.process().end("SIGTERM");
  const others = [...account.answers].filter(([status]) => !mayAnswer.includes(status));
  wrong.push(...others.map(([status, count]) => `${count} answers ${status}`));
  const { quarantine } = dataDirAt(dataDir);
  if (existsSync(quarantine)) wrong.push(`the database was set aside: ${readdirSync(quarantine).join(", ")}`);
}

/** Makes backups, which read the whole database and rename a file, and lists events. Their answers are not checked. */
async function otherWork({ api }: LauncherProcess): Promise<void> {
  for (let round = 0; round < backups; round += 1) {
    for (const { method, path } of [makeBackup, listEvents]) await api(method, path).catch(() => undefined);
  }
}
