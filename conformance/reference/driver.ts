// Plays a conformance plan with the reference binding. Cases share a game process where possible.
// Usage: `driver.ts [--silent] <plan>`. With --silent the binding sends nothing, so that the runner's tests see cases fail.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { PlannedCase } from "./plan.ts";

// High, because games mostly wait.
const gamesMax = 12;

const [path = "", ...words] = process.argv.slice(2).toReversed();
const { cases } = JSON.parse(readFileSync(path, "utf8")) as { cases: readonly PlannedCase[] };

const scratch = mkdtempSync(join(tmpdir(), "kit-reference-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** Runs one game process, passes its output through, and reports how long it took to end after a quit. */
async function playGame(name: string, cases: readonly PlannedCase[]): Promise<void> {
  const path = join(scratch, `${name}.json`);
  writeFileSync(path, JSON.stringify(cases));
  const player = spawn(process.execPath, [join(import.meta.dirname, "player.ts"), path, ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = once(player, "exit").then(() => Date.now());
  let quit: { quitOf: string; atMs: number } | undefined;
  createInterface({ input: player.stdout }).on("line", (line) => {
    if (line.startsWith('{"quitOf"')) quit = JSON.parse(line);
    else process.stdout.write(`${line}\n`);
  });
  await once(player, "close");
  if (quit) say({ case: quit.quitOf, quitMs: (await gone) - quit.atMs });
}

/** Duration of a case. The longest cases start first. */
function waitMsOf({ steps }: PlannedCase): number {
  return steps.reduce((sum, step) => sum + (step.do === "wait" ? step.ms : 0), 0);
}

say({ engine: `Node.js ${process.versions.node}` });
const { true: alone = [], false: together = [] } = Object.groupBy(cases, ({ alone }) => String(alone));
const games = [together, ...alone.sort((one, other) => waitMsOf(other) - waitMsOf(one)).map((one) => [one])];
const waiting = games.filter(({ length }) => length > 0).entries();
await Promise.all(
  Array.from({ length: gamesMax }, async () => {
    for (const [at, cases] of waiting) await playGame(`game-${at}`, cases);
  }),
);
