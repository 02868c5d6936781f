// How long it takes from the start of the process to the first event that is taken in.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { postFor } from "./load.ts";
import { type SubjectName, startSubject, subjects } from "./subjects.ts";

const startable = ["kit", "bare", "spotlight", "spotlight-quiet"] as const satisfies readonly SubjectName[];
/** Load that Kit's existing data directory has behind it. */
const historySeconds = 2;

/** `kit` starts with a data directory it has used before, `kit-fresh` with none. */
export type StartCase = (typeof startable)[number] | "kit-fresh";
export type StartRun = { readonly subject: StartCase; readonly round: number; readonly readyMs: number };

export const startCasesOf = (names: readonly SubjectName[]): readonly StartCase[] =>
  startable.filter((name) => names.includes(name)).flatMap((name) => (name === "kit" ? [name, "kit-fresh"] : [name]));

/** Makes the data directory that `kit` starts with. Also the first start of all, which finds cold files. */
export async function prepareStarts(cases: readonly StartCase[], folder: string): Promise<void> {
  for (const subject of cases) {
    const server = await startSubject(subject === "kit-fresh" ? "kit" : subject, folderOf(folder, subject, 0));
    if (subject === "kit") {
      await postFor({ port: server.port, connections: 64, seconds: historySeconds }, subjects.kit.request, folder);
    }
    await server.end("SIGTERM");
  }
}

export async function startRound(cases: readonly StartCase[], round: number, folder: string): Promise<StartRun[]> {
  const runs: StartRun[] = [];
  for (const subject of cases) {
    const server = await startSubject(subject === "kit-fresh" ? "kit" : subject, folderOf(folder, subject, round));
    await server.end("SIGTERM");
    runs.push({ subject, round, readyMs: server.readyMs });
  }
  return runs;
}

function folderOf(folder: string, subject: StartCase, round: number): string {
  const own = join(folder, subject === "kit-fresh" ? `${subject}-${round}` : subject);
  mkdirSync(own, { recursive: true });
  return own;
}
