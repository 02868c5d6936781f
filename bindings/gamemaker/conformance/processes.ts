// Plays jobs in processes of Node.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Job } from "./case-player.ts";

/** One process; its lines are passed on. Says how long it took to end after a quit. */
export async function runProcess(job: Job, say: (line: object) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kit-gml-"));
  const forget = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", forget);
  const path = join(folder, "job.json");
  writeFileSync(path, JSON.stringify(job));
  const player = spawn(process.execPath, [...process.execArgv, join(import.meta.dirname, "player.ts"), path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let quit: { quitOf: string; atMs: number } | undefined;
  createInterface({ input: player.stdout }).on("line", (line) => {
    if (line.startsWith('{"quitOf"')) quit = JSON.parse(line);
    else process.stdout.write(`${line}\n`);
  });
  const ended = once(player, "exit").then(() => Date.now());
  await once(player, "close");
  if (quit) say({ case: quit.quitOf, quitMs: (await ended) - quit.atMs });
  process.off("exit", forget);
  forget();
}
