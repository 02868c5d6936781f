// Puts a game folder on stage: builds it, serves it to browsers, hands it Script commands and hears how it is.
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { until } from "./until.ts";

export type Flavour = "mv" | "mz";

export type GameState = {
  frame: number;
  ran: number;
  stopped: boolean;
  errors: string[];
  config: Record<string, unknown> | null;
};

export type Stage = {
  /** Where a browser finds the game. */
  readonly url: string;
  /** Runs an event's Script command in the game's next frame. Returns once the game has it. */
  command(script: string): Promise<void>;
  /** The game as it told last; waits for its first word. */
  state(): Promise<GameState>;
  /** Fails unless the game runs on for another 20 frames without an error. */
  goesOn(): Promise<void>;
  /** Waits until the game has stopped for good; gives the errors that stopped it. */
  stops(): Promise<string[]>;
  close(): void;
};

/** All three operations, as an author writes them into an event's Script command. */
export const threeOperations = [
  'KitSDK.Recording.triggerEvent("sky_boss_defeated");',
  'KitSDK.Monitor.reportError("door stuck", "Map012, event 7");',
  'KitSDK.Social.triggerEvent("sky_all_stars");',
].join("\n");

const here = import.meta.dirname;
const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript" };

/** Copies the stand-in and the plugin into `folder`, listed as a game author would list it. */
function build(folder: string, flavour: Flavour, stage: string, parameters: Record<string, string>): void {
  // MZ games may keep plugins in sub-folders, so one flavour proves each place.
  const name = flavour === "mz" ? "tools/KitSDK" : "KitSDK";
  cpSync(join(here, "stand-in"), folder, { recursive: true });
  cpSync(join(here, "../KitSDK.js"), join(folder, `js/plugins/${name}.js`));
  const plugins = [{ name, status: true, description: "", parameters }];
  writeFileSync(join(folder, "js/plugins.js"), `var $plugins = ${JSON.stringify(plugins)};\n`);
  writeFileSync(join(folder, "js/setup.js"), `var $setup = ${JSON.stringify({ flavour, stage })};\n`);
  const manifest = { name: "kit-stand-in", main: "index.html", window: { width: 320, height: 240 } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
}

export async function openStage(folder: string, flavour: Flavour, parameters: Record<string, string>): Promise<Stage> {
  const waiting: string[] = [];
  let given = 0;
  let latest: GameState | undefined;
  let closed = false;

  function next(url: URL, response: ServerResponse): void {
    latest = JSON.parse(url.searchParams.get("state") ?? "") as GameState;
    const script = waiting.shift();
    if (script !== undefined) given += 1;
    response.writeHead(script === undefined ? 204 : 200, { "content-type": "text/plain" }).end(script);
  }

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", "http://stage");
    if (url.pathname === "/next") return next(url, response);
    try {
      const content = readFileSync(join(folder, url.pathname));
      response.writeHead(200, { "content-type": types[extname(url.pathname)] ?? "text/plain" }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  }

  const server = createServer(serve);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  build(folder, flavour, base, parameters);
  const state = () => until("the game speaks", () => latest);

  return {
    url: `${base}/index.html`,
    state,
    async command(script) {
      waiting.push(script);
      const number = given + waiting.length;
      await until(`the game has command ${number}`, () => closed || (latest?.ran ?? 0) >= number);
    },
    async goesOn() {
      const { frame } = await state();
      await until("20 more frames", () => latest?.stopped || (latest?.frame ?? 0) > frame + 20);
      assert.deepEqual((await state()).errors, []);
      assert.equal((await state()).stopped, false);
    },
    stops: () => until("the game stops", () => (latest?.stopped ? latest.errors : undefined)),
    close() {
      closed = true;
      server.close();
      server.closeAllConnections();
    },
  };
}
