// Runs all checks of the self-test in order, within a time limit, on a launcher and in a folder of their own.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { findProcessTree, openSystemLookup } from "../games/index.ts";
import { findFfmpeg } from "../recording/ffmpeg/find.ts";
import { type Bench, type CheckResult, failed, impossible, type Outcome, passed, reportIt, runAgain } from "./check.ts";
import { checkEncoders, checkSources } from "./checks/capture.ts";
import { type ClipOutcomes, checkClip } from "./checks/clip.ts";
import {
  checkClipboard,
  checkHotkey,
  checkNotification,
  checkSession,
  judgeInSession,
  readSession,
} from "./checks/desktop.ts";
import { checkPermissions, checkPorts, checkSender } from "./checks/launcher.ts";
import { checkOwnSound } from "./checks/own-sound.ts";
import { checkAutostart, checkClocks, checkLongPaths, checkRename, startClocks } from "./checks/system.ts";
import { type OwnLauncher, startOwnLauncher } from "./own-launcher.ts";
import { type PersonalWords, personalWords, withoutPersonalWords } from "./report.ts";
import { type Sender, startSender } from "./sender.ts";

const limitMs = 170_000;

const cancelled = impossible("The self-test was cancelled before this check. Run it again.");
const late = failed("There was no time left for this check.", runAgain);
const unfinished = (error: unknown) =>
  failed(`The self-test could not finish this check (${(error as Error).message}).`, reportIt);

export type SelftestOptions = {
  readonly config: Config;
  readonly signal: AbortSignal;
  /** Called before a check runs. */
  readonly onBegin: (what: string) => void;
  readonly onResult: (result: CheckResult) => void;
};

/** Removes the folder. On Windows, a program that has just ended may hold a file in it for a moment. */
const removeFolder = (folder: string) =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });

function anonymous({ id, status, figures, advice, picture }: CheckResult, words: PersonalWords): CheckResult {
  const clean = (text: string) => withoutPersonalWords(text, words);
  const entries = Object.entries(figures).map(([name, value]) => [
    name,
    typeof value === "string" ? clean(value) : value,
  ]);
  return { id, status, figures: Object.fromEntries(entries), advice: clean(advice), ...(picture && { picture }) };
}

/** Never rejects: a check that throws has failed. */
export async function runSelftest({ config, signal, onBegin, onResult }: SelftestOptions): Promise<CheckResult[]> {
  const clocks = startClocks();
  const folder = mkdtempSync(join(tmpdir(), "kit-selftest-"));
  const limit = AbortSignal.timeout(limitMs);
  const ended = AbortSignal.any([signal, limit]);
  const words = personalWords([[folder, "SELFTEST"]]);
  const results: CheckResult[] = [];
  /** A check that was ended did not find out anything. */
  const judgeFailure = (id: string, failure: Outcome) => {
    if (signal.aborted) return cancelled;
    return limit.aborted ? late : judgeInSession(id, failure, readSession());
  };
  const add = (id: string, outcome: Outcome) => {
    const result = anonymous({ id, ...(outcome.status === "failed" ? judgeFailure(id, outcome) : outcome) }, words);
    results.push(result);
    onResult(result);
  };
  const tryTo = async <T extends Outcome>(what: string, check: () => T | Promise<T>): Promise<T | Outcome> => {
    if (signal.aborted) return cancelled;
    if (limit.aborted) return late;
    onBegin(what);
    try {
      return await check();
    } catch (error) {
      return unfinished(error);
    }
  };
  const check = async (id: string, what: string, run: () => Outcome | Promise<Outcome>) =>
    add(id, await tryTo(what, run));

  const found = await findFfmpeg({ chosen: config.ffmpeg, searchPath: config.searchPath });
  // Without it, the checks that need it say what is missing.
  const system = process.platform === "win32" ? openSystemLookup(() => undefined) : undefined;
  const processesOf = system?.processesOf ?? findProcessTree;
  const given = { config, folder, signal: ended, windowsDesktop: system?.desktop, processesOf };
  const bench: Bench = { ...given, ffmpeg: found.ffmpeg, noFfmpeg: found.says };
  try {
    const session = readSession();
    if (session !== undefined) add("session", checkSession(session));
    await withLauncher(bench, { check, add, tryTo });
    await check("own sound", "the sound of one program", () => checkOwnSound(bench));
    const encoders = await tryTo("encoders", () => checkEncoders(bench));
    add("encoders", encoders);
    onBegin("recording the screen");
    try {
      const encoder = "encoder" in encoders ? encoders.encoder : undefined;
      for await (const [name, outcome] of checkSources(bench, encoder)) add(`source ${name}`, outcome);
    } catch (error) {
      add("source screen", unfinished(error));
    }
    await check("notification", "a notification", () => checkNotification(bench));
    await check("hotkey", "a hotkey", () => checkHotkey(bench));
    await check("clipboard", "the clipboard", () => checkClipboard(bench));
    await check("rename", "a rename of a file in use", () => checkRename(bench));
    await check("long paths", "long paths", () => checkLongPaths(bench));
    await check("clocks", "the clocks", () => checkClocks(clocks));
  } finally {
    system?.stop();
    removeFolder(folder);
  }
  return results;
}

type Checking = {
  readonly check: (id: string, what: string, run: () => Outcome | Promise<Outcome>) => Promise<void>;
  readonly add: (id: string, outcome: Outcome) => void;
  readonly tryTo: <T extends Outcome>(what: string, check: () => T | Promise<T>) => Promise<T | Outcome>;
};

const needingLauncher = ["permissions", "sender", "clip", "sound", "autostart", "end"];

/** The checks that need the launcher. */
async function withLauncher(bench: Bench, { check, add, tryTo }: Checking): Promise<void> {
  const { config, folder, signal } = bench;
  const beganMs = performance.now();
  let launcher: OwnLauncher | undefined;
  await check("ports", "ports", async () => {
    launcher = await startOwnLauncher({ ownCommand: config.ownCommand, folder, signal });
    return checkPorts(launcher, config.port, performance.now() - beganMs);
  });
  const own = launcher;
  if (own === undefined) {
    for (const id of needingLauncher)
      add(id, impossible("The launcher of the self-test did not start: the check `ports` says why."));
    return;
  }
  const senders: Sender[] = [];
  const send = async () => {
    const sender = await startSender(config.ownCommand, own.port);
    senders.push(sender);
    return sender.event;
  };
  try {
    await check("permissions", "permissions of a new data folder", () => checkPermissions(own.dataDir, folder));
    const made = await tryTo("a clip with sound", async () => {
      const outcomes = await checkClip(bench, own, send);
      return { ...passed({}), outcomes };
    });
    const { clip, sound }: ClipOutcomes = "outcomes" in made ? made.outcomes : { clip: made, sound: made };
    add("clip", clip);
    add("sound", sound);
    await check("sender", "who sent an event", async () => {
      if (senders.length === 0) await send();
      return checkSender(own, bench);
    });
    await check("autostart", "autostart", () => checkAutostart(own));
  } finally {
    for (const sender of senders) await sender.close();
    const isClean = await own.stop();
    add(
      "end",
      isClean ? passed({}) : failed("The launcher did not end cleanly when the self-test asked it to.", reportIt),
    );
  }
}
