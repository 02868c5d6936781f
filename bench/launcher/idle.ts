// Measures the cost of an idle server after it received events. Linux only, because it reads /proc.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ask, residentBytesOf } from "../../launcher/test/support/launcher-process.ts";
import { cpuSecondsOf, inFolder, watchProcessor } from "../machine.ts";
import { postFor } from "./load.ts";
import { type Request, type SubjectName, startSubject, subjects } from "./subjects.ts";

const measurable = ["kit", "bare", "spotlight", "spotlight-quiet"] as const satisfies readonly SubjectName[];
/** Longer than the delay before Kit's journal maintenance. */
const restSecondsMin = 15;
const restSecondsMax = 120;
/** A server is idle if it uses less processor time than this in three seconds. */
const restSecondsOfCore = 0.03;

/** About the number of events of a game in an hour. */
const aFew = 100;

export type IdleFigures = {
  readonly subject: SubjectName;
  readonly after: "a few" | "a flood";
  /** Accepted events or envelopes. */
  readonly received: number;
  /** Percent of one core. */
  readonly cpuPercent: number;
  readonly residentBytes: number;
};

async function sendFew(port: number, { path, body, contentType }: Request): Promise<number> {
  for (let sent = 0; sent < aFew; sent += 1) await ask(port, { path, body: body(), contentType });
  return aFew;
}

/** Loads each subject, waits until all are idle, then measures all of them at once. */
export function measureIdle(
  names: readonly SubjectName[],
  loadSeconds: number,
  seconds: number,
): Promise<IdleFigures[]> {
  return inFolder(async (folder) => {
    await using opened = new AsyncDisposableStack();
    const start = async (subject: SubjectName, after: IdleFigures["after"]) => {
      const own = join(folder, `${subject} ${after}`);
      mkdirSync(own);
      const { request } = subjects[subject];
      const { pid, port, end } = await startSubject(subject, own);
      opened.defer(() => end());
      const load = { port, connections: 64, seconds: loadSeconds };
      const received = after === "a few" ? await sendFew(port, request) : (await postFor(load, request, own)).requests;
      return { subject, after, received, pid };
    };
    const running: Awaited<ReturnType<typeof start>>[] = [];
    for (const subject of measurable.filter((name) => names.includes(name))) {
      running.push(await start(subject, "a few"), await start(subject, "a flood"));
    }
    await atRest(running.map(({ pid }) => pid));
    const watched = running.map(({ pid }) => watchProcessor([pid]));
    await pause(seconds * 1_000);
    return running.map(({ pid, ...facts }, index) => ({
      ...facts,
      cpuPercent: watched[index]?.() ?? Number.NaN,
      residentBytes: residentBytesOf(pid),
    }));
  });
}

async function atRest(pids: readonly number[]): Promise<void> {
  for (let second = 0; second < restSecondsMax; second += 3) {
    const before = pids.map((pid) => cpuSecondsOf(pid));
    await pause(3_000);
    const isQuiet = pids.every((pid, index) => cpuSecondsOf(pid) - (before[index] ?? 0) <= restSecondsOfCore);
    if (isQuiet && second + 3 >= restSecondsMin) return;
  }
  throw new Error(`Not all servers came to rest within ${restSecondsMax} s.`);
}
