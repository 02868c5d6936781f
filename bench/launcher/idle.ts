// Measures the cost of an idle server after it received events. Linux only, because it reads /proc.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ask, residentBytesOf, type ServerProcess } from "../../launcher/test/support/launcher-process.ts";
import { cpuSecondsOf, inFolder } from "../machine.ts";
import { postFor } from "./load.ts";
import { type SubjectName, startSubject, subjects } from "./subjects.ts";

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

async function sendFew(port: number, subject: SubjectName): Promise<number> {
  const { path, body, contentType } = subjects[subject].request;
  for (let sent = 0; sent < aFew; sent += 1) await ask(port, { path, body: body(), contentType });
  return aFew;
}

async function sendFlood(port: number, subject: SubjectName, seconds: number, folder: string): Promise<number> {
  const { requests } = await postFor({ port, connections: 64, seconds }, subjects[subject].request, folder);
  return requests;
}

/** Loads each subject, waits until all are idle, then measures all of them at once. */
export function measureIdle(
  names: readonly SubjectName[],
  loadSeconds: number,
  idleSeconds: number,
): Promise<IdleFigures[]> {
  return inFolder(async (folder) => {
    const running: (Pick<IdleFigures, "subject" | "after" | "received"> & { server: ServerProcess })[] = [];
    const cases = measurable
      .filter((name) => names.includes(name))
      .flatMap((subject) => [{ subject, after: "a few" } as const, { subject, after: "a flood" } as const]);
    try {
      for (const { subject, after } of cases) {
        const own = join(folder, `${subject} ${after}`);
        mkdirSync(own);
        const server = await startSubject(subject, own);
        running.push({ subject, after, server, received: 0 });
        const few = after === "a few";
        const received = await (few
          ? sendFew(server.port, subject)
          : sendFlood(server.port, subject, loadSeconds, own));
        running[running.length - 1] = { subject, after, server, received };
      }
      await atRest(running.map(({ server }) => server.pid));
      const before = running.map(({ server }) => cpuSecondsOf(server.pid));
      const beganMs = performance.now();
      await pause(idleSeconds * 1_000);
      const seconds = (performance.now() - beganMs) / 1_000;
      return running.map(({ subject, after, server, received }, index) => {
        const cpuSeconds = cpuSecondsOf(server.pid) - (before[index] ?? 0);
        const cpuPercent = (cpuSeconds / seconds) * 100;
        return { subject, after, received, cpuPercent, residentBytes: residentBytesOf(server.pid) };
      });
    } finally {
      for (const { server } of running) await server.end();
    }
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
