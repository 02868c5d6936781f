// The real launcher as a child process with data of its own, queried through its command line.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../../../tools/engines/free-port.ts";
import { until } from "../stage/until.ts";

export type StoredEvent = {
  kind: string;
  eventId: string | null;
  payload: { message?: string; stackTrace?: string; build?: string };
  status: string;
  client: string | null;
};

/** An issue, with the build in which it was last seen. */
type StoredIssue = { title: string; lastBuild: string | null };

export type RealLauncher = {
  readonly url: string;
  events(): Promise<StoredEvent[]>;
  /** Waits until there is an issue. */
  issues(): Promise<StoredIssue[]>;
  [Symbol.asyncDispose](): Promise<void>;
};

const program = ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "../../../dist/launcher/main.js")];

export async function startLauncher(): Promise<RealLauncher> {
  const port = await freePort();
  const dataDir = mkdtempSync(join(tmpdir(), "kit-rpg-"));
  const place = ["--port", String(port), "--data-dir", dataDir];
  const launcher = spawn(process.execPath, [...program, "start", ...place, "--no-open"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(launcher, "exit");
  let output = "";
  for (const stream of [launcher.stdout, launcher.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk;
    });
  }
  const url = `http://127.0.0.1:${port}`;
  await until("the launcher listens", () => output.includes(`listens on ${url}`) || launcher.exitCode !== null);
  if (launcher.exitCode !== null) throw new Error(`the launcher ended before it listened:\n${output}`);

  const list = async (what: string): Promise<unknown> => {
    const result = await promisify(execFile)(process.execPath, [...program, what, "--json", ...place]);
    return JSON.parse(result.stdout);
  };
  return {
    url,
    events: async () => (await list("events")) as StoredEvent[],
    async issues() {
      let issues: StoredIssue[] = [];
      while (issues.length === 0) issues = (await list("issues")) as StoredIssue[];
      return issues;
    },
    async [Symbol.asyncDispose]() {
      launcher.kill();
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
