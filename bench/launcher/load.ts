// Generates load with wrk and reads its figures.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Request } from "./subjects.ts";

export type LoadFigures = {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Responses with status 400 or above, which make a run invalid. */
  readonly refused: number;
  /** Broken connections, and responses that took more than ten seconds. */
  readonly broken: number;
};

export type Load = { readonly port: number; readonly connections: number; readonly seconds: number };

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
