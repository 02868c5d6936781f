// Measures the time from the start of the process to the first accepted event.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ServerProcess } from "../../launcher/test/launcher-process.ts";
import { postFor } from "./load.ts";
import { type SubjectName, startSubject, subjects } from "./subjects.ts";

const startable = ["kit", "bare", "spotlight", "spotlight-quiet"] as const satisfies readonly SubjectName[];
/** Duration of the load that created the existing data. */
const historySeconds = 2;

/** `kit` starts with existing data, `kit-fresh` without data, and `kit-killed` after a kill under load. */
const ownCases = ["kit", "kit-fresh", "kit-killed"] as const;
export type StartCase = (typeof startable)[number] | (typeof ownCases)[number];
export type StartRun = { readonly subject: StartCase; readonly round: number; readonly readyMs: number };

export const startCasesOf = (names: readonly SubjectName[]): readonly StartCase[] =>
  startable.filter((name) => names.includes(name)).flatMap((name) => (name === "kit" ? ownCases : [name]));

const subjectOf = (name: StartCase): SubjectName => (name === "kit-fresh" || name === "kit-killed" ? "kit" : name);

/** Kills the launcher under load. */
async function killUnderLoad(server: ServerProcess, folder: string): Promise<void> {
  const loading = postFor(
    { port: server.port, connections: 64, seconds: historySeconds },
    subjects.kit.request,
    folder,
  ).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, (historySeconds * 1_000) / 2));
  await server.end("SIGKILL");
  await loading;
}

/** Creates the data directories for `kit` and `kit-killed`. Also warms up the file cache. */
export async function prepareStarts(cases: readonly StartCase[], folder: string): Promise<void> {
  for (const subject of cases) {
    const own = folderOf(folder, subject, 0);
    const server = await startSubject(subjectOf(subject), own);
    if (subject === "kit") {
      await postFor({ port: server.port, connections: 64, seconds: historySeconds }, subjects.kit.request, folder);
    }
    if (subject === "kit-killed") await killUnderLoad(server, folder);
    else await server.end("SIGTERM");
  }
}

export async function startRound(cases: readonly StartCase[], round: number, folder: string): Promise<StartRun[]> {
  const runs: StartRun[] = [];
  for (const subject of cases) {
    const server = await startSubject(subjectOf(subject), folderOf(folder, subject, round));
    if (subject === "kit-killed") await killUnderLoad(server, folder);
    else await server.end("SIGTERM");
    runs.push({ subject, round, readyMs: server.readyMs });
  }
  return runs;
}

function folderOf(folder: string, subject: StartCase, round: number): string {
  const own = join(folder, subject === "kit-fresh" ? `${subject}-${round}` : subject);
  mkdirSync(own, { recursive: true });
  return own;
}
