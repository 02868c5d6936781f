// Starts a game folder in a real engine: NW.js as a desktop game has it, Chromium as a page that plays it has it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { type Engine, pathOf } from "../../../tools/engines/locate.ts";
import { endProcessesOf } from "../../../tools/engines/processes.ts";

export type Player = {
  /** Resolves when the game has ended by itself; in a page, when the page was left. */
  readonly ended: Promise<unknown>;
  /** Ends the engine and everything it started. */
  end(): Promise<void>;
};

export type PlayerEngine = Extract<Engine, "NW.js 0.87" | "NW.js 0.44" | "Chromium">;

const quietFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--no-proxy-server",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-breakpad",
  "--disable-crash-reporter",
];

/** Where the engine keeps its own files; naming `folder` also marks every process it starts. */
function engineEnv(folder: string): Record<string, string> {
  const config = { XDG_CONFIG_HOME: join(folder, "config"), XDG_CACHE_HOME: join(folder, "cache") };
  return { PATH: process.env.PATH ?? "", HOME: folder, TMPDIR: folder, ...config };
}

function startNwjs(engine: PlayerEngine, folder: string, game: string, display: string): Player {
  const words = [...quietFlags, `--user-data-dir=${join(folder, "profile")}`, game];
  const nw = spawn(pathOf(engine), words, {
    env: { ...engineEnv(folder), DISPLAY: display },
    detached: true, // Its own session, by which its processes are found again.
    stdio: "ignore",
  });
  return { ended: once(nw, "exit"), end: () => endProcessesOf(folder, nw.pid) };
}

async function startChromium(folder: string, url: string): Promise<Player> {
  const browser = await chromium.launch({
    executablePath: pathOf("Chromium"),
    args: quietFlags,
    env: engineEnv(folder),
  });
  const page = await browser.newPage();
  await page.goto(url);
  const ended = new Promise((done) => page.once("close", done).once("framenavigated", done));
  return {
    ended,
    async end() {
      await browser.close();
      if (process.platform === "linux") await endProcessesOf(folder);
    },
  };
}

/** `folder` is the run's own temporary folder, `game` the game in it, `url` where the same game is served. */
export async function play(
  engine: PlayerEngine,
  at: { folder: string; game: string; url: string; display: string },
): Promise<Player> {
  if (engine === "Chromium") return startChromium(at.folder, at.url);
  return startNwjs(engine, at.folder, at.game, at.display);
}
