// The conformance driver: plays the cases of a plan in a real engine. See conformance/README.md of the repository.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Flavour, writeManifest } from "../stage/game-folder.ts";
import { type House, openHouse, type PlayerEngine } from "../stage/players.ts";
import { type Answer, type Served, serve } from "../stage/serve.ts";
import { until } from "../stage/until.ts";
import { type Case, casesOf, endsByQuitting, writeCase } from "./plan.ts";

// Most of the time a case waits, so several engines play at once; each more costs its start.
const theatresMax = 5;
const caseTimeoutMs = 45_000;

const [engine, flavour, planPath] = process.argv.slice(2) as [PlayerEngine, Flavour, string];
const cases = casesOf(planPath);
/** Numbers of cases that are over, or were given up. */
const over = new Set<number>();
let isNamed = false;

function print(members: object): void {
  process.stdout.write(`${JSON.stringify(members)}\n`);
}

/** Passes on what a game told of its case; the engine's name goes first, once. Returns when the case quit, if it did. */
function passOn(number: number, told: string): number | undefined {
  const { engine: name, quitAtMs, ...members } = JSON.parse(told) as { engine: string; quitAtMs?: number };
  if (!isNamed) print({ engine: name });
  isNamed = true;
  print({ case: cases[number]?.id, ...members });
  over.add(number);
  return quitAtMs;
}

const toldFileOf = (folder: string, number: number) => join(folder, `${number}.told`);

/** Answers a theatre's question for the next case once the one it plays is over. */
function nextAnswer(waiting: number[]): Answer {
  return async (url, _request, response) => {
    const after = url.searchParams.get("after");
    if (after) {
      await until(`${cases[Number(after)]?.id} ends`, () => over.has(Number(after)), caseTimeoutMs).catch((error) => {
        process.stderr.write(`${error.message}\n`);
        over.add(Number(after));
      });
    }
    const next = waiting.shift();
    response.writeHead(next === undefined ? 204 : 200, { "content-type": "text/plain" }).end(next?.toString());
  };
}

/** A game that ends by itself has only a file to write to; one in a page leaves a beacon. */
function toldAnswer(folder: string): Answer {
  return (url, request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const number = Number(url.searchParams.get("case"));
      const told = Buffer.concat(chunks).toString("utf8");
      const played = cases[number];
      if (played && endsByQuitting(played)) writeFileSync(toldFileOf(folder, number), told);
      else passOn(number, told);
      response.writeHead(204).end();
    });
  };
}

function writeTheatre(folder: string, next: string): void {
  cpSync(join(import.meta.dirname, "theatre.js"), join(folder, "theatre.js"));
  const scripts = `<script>var $theatre = ${JSON.stringify({ next })};</script><script src="theatre.js"></script>`;
  writeFileSync(join(folder, "index.html"), `<!doctype html><title>theatre</title><body>${scripts}</body>`);
  writeManifest(folder);
}

async function playInTheatres(house: House, stage: Served, games: string, numbers: readonly number[]): Promise<void> {
  const count = Math.min(theatresMax, numbers.length);
  for (let theatre = 0; theatre < count; theatre += 1) {
    await house.play({ folder: games, url: `${stage.url}/index.html` });
  }
  const allMs = caseTimeoutMs * numbers.length;
  await until("all cases are over", () => numbers.every((number) => over.has(number)), allMs);
  // What is pending leaves.
  if (count > 0) await pause(1_000);
}

async function playUntilItQuits(house: House, stage: Served, folder: string, number: number): Promise<void> {
  const games = join(folder, "games");
  const player = await house.play({ folder: join(games, `${number}`), url: `${stage.url}/${number}/index.html` });
  const file = toldFileOf(folder, number);
  try {
    // The clock holds nobody up once the game has ended.
    const patience = pause(caseTimeoutMs, undefined, { ref: false });
    const endedAtMs = await Promise.race([player.ended, patience]);
    await until(`${cases[number]?.id} quits`, () => existsSync(file), 20_000);
    const quitAtMs = passOn(number, readFileSync(file, "utf8"));
    if (quitAtMs && endedAtMs) print({ case: cases[number]?.id, quitMs: endedAtMs - quitAtMs });
  } catch (error) {
    process.stderr.write(`${error}\n`);
  } finally {
    await player.end();
  }
}

async function playAll(folder: string): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const games = join(folder, "games");
  mkdirSync(games);
  const numbers = cases.map((_, number) => number);
  const [quitting, staying] = [true, false].map((quits) =>
    numbers.filter((number) => endsByQuitting(cases[number] as Case) === quits),
  ) as [number[], number[]];

  const stage = await serve(games, { "/next": nextAnswer([...staying]), "/told": toldAnswer(folder) });
  opened.defer(() => stage.close());
  writeTheatre(games, `${stage.url}/next`);
  for (const number of numbers) {
    const at = { told: `${stage.url}/told?case=${number}`, toldFile: toldFileOf(folder, number) };
    writeCase(join(games, `${number}`), flavour, cases[number] as Case, at);
  }
  const house = await openHouse(engine, folder);
  opened.defer(() => house.close());
  await playInTheatres(house, stage, games, staying);
  // One at a time: how long a game takes to end, and what still leaves, depends on what else the machine does.
  for (const number of quitting) await playUntilItQuits(house, stage, folder, number);
}

const folder = mkdtempSync(join(tmpdir(), "kit-rpg-"));
try {
  await playAll(folder);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
