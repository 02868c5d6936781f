// Measures the time from the start of the process to the first accepted event.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ServerProcess } from "../../launcher/test/support/launcher-process.ts";
import { postFor } from "./load.ts";
import { type SubjectName, startSubject, subjects } from "./subjects.ts";

const startable = ["kit", "bare", "spotlight", "spotlight-quiet"] as const satisfies readonly SubjectName[];
/** `kit` starts with the data of a clean stop, and `kit-killed` after a kill under load. */
const kitCases = ["kit", "kit-killed"] as const;
export type StartCase = (typeof startable)[number] | (typeof kitCases)[number];
export type StartRun = { readonly subject: StartCase; readonly round: number; readonly readyMs: number };

/** Duration of the load that created the existing data. */
const loadSeconds = 2;

export const startCasesOf = (names: readonly SubjectName[]): readonly StartCase[] =>
  startable.filter((name) => names.includes(name)).flatMap((name) => (name === "kit" ? kitCases : [name]));

const start = (name: StartCase, folder: string): Promise<ServerProcess> =>
  startSubject(name === "kit-killed" ? "kit" : name, folder);

const load = ({ port }: ServerProcess, folder: string) =>
  postFor({ port, connections: 64, seconds: loadSeconds }, subjects.kit.request, folder);

/** For `kit-killed`, kills the launcher halfway through a load; otherwise stops the server cleanly. */
async function end(name: StartCase, server: ServerProcess, folder: string): Promise<void> {
  if (name === "kit-killed") {
    await Promise.all([load(server, folder), pause((loadSeconds * 1_000) / 2).then(() => server.end("SIGKILL"))]);
  } else {
    await server.end("SIGTERM");
  }
}

/** Creates the data directories for `kit` and `kit-killed`. Also warms up the file cache. */
export async function prepareStarts(cases: readonly StartCase[], folder: string): Promise<void> {
  for (const subject of cases) {
    const own = join(folder, subject);
    mkdirSync(own);
    const server = await start(subject, own);
    if (subject === "kit") await load(server, folder);
    await end(subject, server, folder);
  }
}

export async function startRound(cases: readonly StartCase[], round: number, folder: string): Promise<StartRun[]> {
  const runs: StartRun[] = [];
  for (const subject of cases) {
    const server = await start(subject, join(folder, subject));
    await end(subject, server, folder);
    runs.push({ subject, round, readyMs: server.readyMs });
  }
  return runs;
}
