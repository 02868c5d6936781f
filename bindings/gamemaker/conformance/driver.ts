// Plays a conformance plan in GML: one process for all cases that may share one, a few for those that may not, and one
// for each that ends its game.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { readProject, sdkPath } from "../test/game.ts";
import { loadBuiltIns, parserVersion } from "../test/translation/parser.ts";
import { loadTranslator } from "../test/translation/translate.ts";
import type { Case, Plan } from "./plan.ts";
import type { Job } from "./player.ts";

const processesMax = 4;

const { cases } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Plan;
const scratch = mkdtempSync(join(tmpdir(), "kit-gml-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

const translate = await loadTranslator();
const game = { translated: translate({ scripts: [readProject(sdkPath)] }), builtIns: [...loadBuiltIns()] };

const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
say({ engine: `GML (strict translation, parser ${parserVersion()})` });

/** One process; its lines are passed on. Says how long it took to end after a quit. */
async function run(name: string, job: Pick<Job, "cases" | "anew">): Promise<void> {
  const path = join(scratch, `${name}.json`);
  writeFileSync(path, JSON.stringify({ ...game, ...job } satisfies Job));
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
}

const endsGame = ({ steps }: Case) => steps.at(-1)?.do === "quit";
const together = cases.filter((one) => !one.alone && !endsGame(one));
const alone = cases.filter((one) => one.alone && !endsGame(one));
const quitting = cases.filter(endsGame);

const jobs: (() => Promise<void>)[] = [];
if (together.length > 0) jobs.push(() => run("together", { cases: together, anew: false }));
// A game of its own is a binding nobody has used before: all its state is GML's.
const share = Math.max(1, Math.ceil(alone.length / processesMax));
for (let from = 0; from < alone.length; from += share) {
  jobs.push(() => run(`alone-${from}`, { cases: alone.slice(from, from + share), anew: true }));
}
quitting.forEach((one, index) => {
  jobs.push(() => run(`quit-${index}`, { cases: [one], anew: true }));
});

const waiting = jobs.values();
await Promise.all(
  Array.from({ length: processesMax }, async () => {
    for (const job of waiting) await job();
  }),
);
