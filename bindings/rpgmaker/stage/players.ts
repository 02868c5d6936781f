// Starts game folders in a real engine: NW.js as for a desktop game, Chromium as for a game in a web page.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { openDisplay } from "../../../tools/engines/display.ts";
import { type Engine, pathOf } from "../../../tools/engines/locate.ts";
import { endProcessesOf } from "../../../tools/engines/processes.ts";

type Player = {
  /** Resolves with the time when the game has ended by itself, or its page was left. */
  readonly ended: Promise<number>;
  /** Ends this game and everything that it started. */
  end(): Promise<void>;
};

export type House = {
  /** Starts the game in `folder`, which is served at `url`. */
  play(game: { folder: string; url: string }): Promise<Player>;
  close(): Promise<void>;
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

/** Where the engine stores its own files. `folder` in the environment also marks every process that it starts. */
function engineEnv(folder: string): Record<string, string> {
  const config = { XDG_CONFIG_HOME: join(folder, "config"), XDG_CACHE_HOME: join(folder, "cache") };
  return { PATH: process.env.PATH ?? "", HOME: folder, TMPDIR: folder, ...config };
}

/** Every game is a process with a display of its own, because NW.js 0.87 exits when another is on its display. */
async function openNwjs(engine: PlayerEngine, folder: string): Promise<House> {
  const displays = new AsyncDisposableStack();
  let started = 0;
  return {
    async play(game) {
      started += 1;
      const own = join(folder, `${started}.nw`);
      mkdirSync(own);
      const display = await openDisplay();
      displays.defer(() => display.close());
      const words = [...quietFlags, `--user-data-dir=${join(own, "profile")}`, game.folder];
      const nw = spawn(pathOf(engine), words, {
        env: { ...engineEnv(own), DISPLAY: display.name },
        detached: true, // Its own session, by which its processes are found again.
        stdio: "ignore",
      });
      return { ended: once(nw, "exit").then(() => Date.now()), end: () => endProcessesOf(own, nw.pid) };
    },
    async close() {
      await endProcessesOf(folder);
      await displays.disposeAsync();
    },
  };
}

/** Every game is a page, and all share one browser. */
async function openChromium(folder: string): Promise<House> {
  const browser = await chromium.launch({
    executablePath: pathOf("Chromium"),
    args: quietFlags,
    env: engineEnv(folder),
  });
  return {
    async play({ url }) {
      const page = await browser.newPage();
      let visited = 0;
      const ended = new Promise<number>((done) => {
        page.once("close", () => done(Date.now()));
        page.on("framenavigated", (frame) => {
          if (frame === page.mainFrame()) visited += 1;
          // The first navigation opens the game.
          if (visited > 1) done(Date.now());
        });
      });
      await page.goto(url, { waitUntil: "commit" });
      return { ended, end: () => page.close() };
    },
    async close() {
      await browser.close();
      if (process.platform === "linux") await endProcessesOf(folder);
    },
  };
}

/** `folder` is for the engine's own files. Its path must be short, because browsers create sockets in it. */
export function openHouse(engine: PlayerEngine, folder: string): Promise<House> {
  return engine === "Chromium" ? openChromium(folder) : openNwjs(engine, folder);
}
