// Generates load with wrk, and measures accepted events per second and response times.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Say } from "../bench.ts";
import { inFolder } from "../machine.ts";
import { type Request, type SubjectName, startSubject, subjects } from "./subjects.ts";

/** Installs wrk if it is missing. Throws if that is impossible. */
export function provideWrk(say: Say): void {
  const isThere = () => (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, "wrk")));
  if (isThere()) return;
  const isDebian = existsSync("/usr/bin/apt-get");
  if (isDebian && process.getuid?.() === 0) {
    say("installing wrk (apt-get)");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const apt = (...words: string[]) => spawnSync("apt-get", ["-q", ...words], { stdio: ["ignore", 2, 2], env });
    apt("update");
    apt("install", "--yes", "--no-install-recommends", "wrk");
  }
  if (isThere()) return;
  throw new Error(
    `wrk missing. ${isDebian ? "Install with: sudo apt-get install wrk" : "Install it and run this again."}`,
  );
}

export function wrkVersion(): string {
  // wrk prints its version and exits with 1.
  const { stdout } = spawnSync("wrk", ["--version"], { encoding: "utf8" });
  return /wrk \S*?([\d.]+)/.exec(stdout)?.[1] ?? "of unknown version";
}

type LoadFigures = {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Responses with status 400 or above, which make a run invalid. */
  readonly refused: number;
  /** Broken connections, and responses that took more than ten seconds. */
  readonly broken: number;
};

type Load = { readonly port: number; readonly connections: number; readonly seconds: number };

/** Posts as fast as possible for `seconds` from one thread. The request body is written to `folder`. */
export async function postFor(
  { port, connections, seconds }: Load,
  request: Request,
  folder: string,
): Promise<LoadFigures> {
  const body = join(folder, "request-body");
  writeFileSync(body, request.body());
  const flags = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "10s"];
  const script = ["-s", join(import.meta.dirname, "post.lua"), `http://127.0.0.1:${port}${request.path}`];
  const wrk = spawn("wrk", [...flags, ...script, "--", body, request.contentType], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const keep = (chunk: Buffer) => {
    said += chunk.toString();
  };
  wrk.stdout.on("data", keep);
  wrk.stderr.on("data", keep);
  await once(wrk, "close");
  const [, line] = /^figures (.*)$/m.exec(said) ?? [];
  if (line === undefined) throw new Error(`wrk gave no figures:\n${said}`);
  const { requests, micros, p50Micros, p99Micros, refused, broken } = JSON.parse(line) as Record<string, number>;
  return {
    requests: requests ?? 0,
    requestsPerSecond: (requests ?? 0) / ((micros ?? 0) / 1e6),
    p50Ms: (p50Micros ?? 0) / 1_000,
    p99Ms: (p99Micros ?? 0) / 1_000,
    refused: refused ?? 0,
    broken: broken ?? 0,
  };
}

export const connectionCounts = [1, 64] as const;
const warmUpSeconds = 1;

export type IngestRun = LoadFigures & {
  readonly subject: SubjectName;
  readonly connections: number;
  readonly round: number;
};

/** Starts, warms up and loads every subject, over one and over many connections. */
export async function ingestRound(names: readonly SubjectName[], round: number, seconds: number): Promise<IngestRun[]> {
  const runs: IngestRun[] = [];
  for (const subject of names) {
    await inFolder(async (folder) => {
      const { request } = subjects[subject];
      const { port, end } = await startSubject(subject, folder);
      try {
        for (const connections of connectionCounts) {
          const load = { port, connections, seconds };
          await postFor({ ...load, seconds: warmUpSeconds }, request, folder);
          runs.push({ subject, connections, round, ...(await postFor(load, request, folder)) });
        }
      } finally {
        await end();
      }
    });
  }
  return runs;
}

/** Why a run is invalid, or undefined if it is valid. */
export function faultOf({ subject, connections, round, requests, refused, broken }: IngestRun): string | undefined {
  const where = `${subject} with ${connections} connections, round ${round}`;
  if (requests === 0) return `${where}: nothing was answered`;
  return refused + broken > 0 ? `${where}: ${refused} refused, ${broken} broken of ${requests}` : undefined;
}
