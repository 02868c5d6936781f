// Measures accepted events per second, and response times.
import { inFolder } from "../machine.ts";
import { type LoadFigures, postFor } from "./load.ts";
import { type SubjectName, startSubject, subjects } from "./subjects.ts";

export const connectionCounts = [1, 64] as const;
const warmUpSeconds = 1;

export type IngestRun = LoadFigures & {
  readonly subject: SubjectName;
  readonly connections: number;
  readonly round: number;
};

/** Starts, warms up and loads every subject, with few and with many connections. */
export async function ingestRound(names: readonly SubjectName[], round: number, seconds: number): Promise<IngestRun[]> {
  const runs: IngestRun[] = [];
  for (const subject of names) {
    runs.push(...(await inFolder((folder) => ingestOf(subject, round, seconds, folder))));
  }
  return runs;
}

async function ingestOf(subject: SubjectName, round: number, seconds: number, folder: string): Promise<IngestRun[]> {
  const { request } = subjects[subject];
  const { port, end } = await startSubject(subject, folder);
  try {
    const runs: IngestRun[] = [];
    for (const connections of connectionCounts) {
      await postFor({ port, connections, seconds: warmUpSeconds }, request, folder);
      runs.push({ subject, connections, round, ...(await postFor({ port, connections, seconds }, request, folder)) });
    }
    return runs;
  } finally {
    await end();
  }
}

/** Why a run is invalid, or undefined if it is valid. */
export function faultOf({ subject, connections, round, requests, refused, broken }: IngestRun): string | undefined {
  const where = `${subject} with ${connections} connections, round ${round}`;
  if (requests === 0) return `${where}: nothing was answered`;
  return refused + broken > 0 ? `${where}: ${refused} refused, ${broken} broken of ${requests}` : undefined;
}
