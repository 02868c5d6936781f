// Runs a packed Kit without the repository, for the tests of release files.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { getHealth, ingestOperations } from "@kit/contract";
import { freePort } from "../engines/free-port.ts";

/** Long, for a busy computer. */
const readyWithinMs = 240_000;

export type Run = { readonly code: number | null; readonly output: string };
export type Kit = { readonly program: readonly string[]; readonly env: NodeJS.ProcessEnv; readonly folder: string };

function spawnKit(
  { program, env, folder }: Kit,
  words: readonly string[],
): { child: ChildProcess; output: () => string } {
  const [file = "", ...before] = program;
  const child = spawn(file, [...before, ...words], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (output += chunk));
  return { child, output: () => output };
}

/** Runs one command until it exits. */
export async function runKit(kit: Kit, ...words: string[]): Promise<Run> {
  const { child, output } = spawnKit(kit, words);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output: output().trim() };
}

async function healthOf(at: string, child: ChildProcess, output: () => string): Promise<{ version: string }> {
  const deadlineMs = performance.now() + readyWithinMs;
  for (;;) {
    const answer = await fetch(at + getHealth.path).catch(() => undefined);
    if (answer?.ok) return (await answer.json()) as { version: string };
    assert.ok(child.exitCode === null && performance.now() < deadlineMs, `no launcher answers:\n${output()}`);
    await pause(50);
  }
}

/** Starts Kit, sends an event, loads the dashboard, calls `alongside`, and stops Kit with a signal. Fails if any step fails. */
export async function startAndStop(kit: Kit, version: string, alongside?: (words: string[]) => Promise<void>) {
  const port = await freePort();
  const place = ["--port", String(port), "--data-dir", join(kit.folder, "data")];
  const { child, output } = spawnKit(kit, ["start", "--no-open", ...place]);
  const closed = once(child, "close");
  try {
    const at = `http://127.0.0.1:${port}`;
    assert.equal((await healthOf(at, child, output)).version, version);
    const sent = await fetch(at + ingestOperations.recording.path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ eventId: "my_boss_defeated", timestamp: new Date().toISOString() }),
    });
    assert.equal(sent.status, 202, await sent.text());
    const page = await (await fetch(`${at}/`)).text();
    const script = /<script type="module"[^>]* src="([^"]+)"/.exec(page)?.[1] ?? "";
    assert.equal((await fetch(at + script)).headers.get("content-type"), "text/javascript");
    assert.equal((await fetch(`${at}/manifest.webmanifest`)).status, 200);
    await alongside?.(place);
    // Outside a checkout, npx would run a package of somebody else.
    assert.match(output(), /`kit open --data-dir/);
    child.kill("SIGTERM");
    const [code, signal] = await closed;
    assert.deepEqual([code, signal], [0, null], output());
  } finally {
    child.kill("SIGKILL");
  }
}
