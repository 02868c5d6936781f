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
  /** Waits until there are at least `count` events. */
  events(count: number): Promise<StoredEvent[]>;
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

  const list = async <Stored>(what: string) => {
    const result = await promisify(execFile)(process.execPath, [...program, what, "--json", ...place]);
    return JSON.parse(result.stdout) as Stored[];
  };
  const listed = <Stored>(what: string, count: number) =>
    until(`there are ${count} ${what}`, async () => {
      const found = await list<Stored>(what);
      return found.length >= count ? found : undefined;
    });
  return {
    url,
    events: (count) => listed("events", count),
    issues: () => listed("issues", 1),
    async [Symbol.asyncDispose]() {
      launcher.kill();
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
