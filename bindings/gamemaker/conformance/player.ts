// Plays cases in one process, over real sockets. Started by driver.ts.
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type Home, type Job, noticeEscaped, playAll } from "./case-player.ts";
import { openHttp } from "./sockets.ts";

const http = openHttp();

const home: Home = {
  http,
  functions: {},
  pause: (ms) => pause(ms),
  block: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  say: (line) => void process.stdout.write(`${JSON.stringify(line)}\n`),
  quit,
};

/**
 * The step ends, and with it the game. What the runner does with requests it has begun is not known; this gives them
 * what every other binding takes at most, until the system has their bytes.
 */
async function quit(id: string): Promise<never> {
  const startedMs = Date.now();
  home.say({ quitOf: id, atMs: startedMs });
  while (http.unsent() > 0 && Date.now() - startedMs < 250) await pause(1);
  process.exit(0);
}

process.on("uncaughtException", (error) => noticeEscaped(home, String(error.stack)));
await playAll(home, JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Job);
process.exit(0);
