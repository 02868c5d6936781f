// Runs the faulty RPG Maker game in NW.js, Chromium, Firefox and JavaScriptCore, and collects its reports.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openDisplay } from "../engines/display.ts";
import { pathOf } from "../engines/locate.ts";
import { endProcessesOf } from "../engines/processes.ts";
import { groupsOf, type Made, programText, type Variant, variants } from "./made.ts";

type Told = { readonly fault: string; readonly message: string; readonly stackTrace: string };

/** `core` is the name of the file that stands for the engine's scripts. */
const files = (core: string) => ({
  core: `js/${core}`,
  Battle: "js/plugins/Battle.js",
  Inventory: "js/plugins/Inventory.js",
  World: "js/plugins/World.js",
  play: "js/main.js",
});

export type OtherEngines = { readonly firefox?: string; readonly jsc?: string; readonly libraries?: string };

/** `start` returns the reports, or nothing if the game posts them. */
type Run = { readonly name: string; readonly core: string; start(place: Place): Promise<void> | Told[] };
type Place = {
  readonly folder: string;
  readonly scratch: string;
  readonly url: string;
  readonly owned: AsyncDisposableStack;
};

const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--no-proxy-server",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-breakpad",
];

function begin(program: string, words: readonly string[], place: Place, more: Record<string, string> = {}): void {
  const env = { PATH: process.env.PATH ?? "", HOME: place.scratch, TMPDIR: place.scratch, ...more };
  spawn("nice", [program, ...words], { env, detached: true, stdio: "ignore" });
}

function nwjs(version: "0.87" | "0.44"): Run {
  return {
    name: `NW.js ${version}`,
    core: version === "0.44" ? "rpg_core.js" : "rmmz_core.js",
    async start(place) {
      const display = await openDisplay();
      const words = [...quiet, `--user-data-dir=${join(place.scratch, "profile")}`, place.folder];
      begin(pathOf(`NW.js ${version}`), words, place, { DISPLAY: display.name });
      place.owned.defer(() => display.close());
    },
  };
}

function chromium(isFile: boolean): Run {
  return {
    name: "Chromium",
    core: "rmmz_core.js",
    async start(place) {
      const page = isFile ? new URL(`file://${encodeURI(join(place.folder, "index.html"))}`).href : place.url;
      const words = [...quiet, "--headless=new", `--user-data-dir=${join(place.scratch, "profile")}`, page];
      begin(pathOf("Chromium with windows"), words, place);
    },
  };
}

const firefox = (program: string, libraries: string): Run => ({
  name: "Firefox",
  core: "rmmz_core.js",
  async start(place) {
    const words = ["--headless", "--no-remote", "--profile", place.scratch, place.url];
    begin(program, words, place, { LD_LIBRARY_PATH: libraries });
  },
});

const jsc = (program: string, libraries: string): Run => ({
  name: "JavaScriptCore",
  core: "rmmz_core.js",
  start(place) {
    const scripts = Object.values(files("rmmz_core.js")).map((path) => join(place.folder, path));
    const env = { ...process.env, LD_LIBRARY_PATH: libraries };
    return JSON.parse(execFileSync("nice", [program, ...scripts], { env, encoding: "utf8" }).trim());
  },
});

function writeGame(folder: string, core: string, variant: Variant, form: number, url: string): void {
  const values = { seed: variant.seed, form, url };
  const paths = Object.entries(files(core));
  for (const [name, path] of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), programText(`javascript/${name}.js.txt`, { shift: variant.shift, values }));
  }
  const scripts = paths.map(([, path]) => `<script src="${path}"></script>`).join("\n");
  writeFileSync(join(folder, "index.html"), `<!doctype html><meta charset="utf-8"><title>faulty</title>\n${scripts}\n`);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "faulty", main: "index.html" }));
}

async function playOnce(run: Run, variant: Variant, form: number): Promise<Told[]> {
  const scratch = mkdtempSync(join(tmpdir(), "kit-corpus-"));
  await using owned = new AsyncDisposableStack();
  owned.defer(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));
  const folder = join(scratch, variant.folder);
  const { promise, resolve, reject } = Promise.withResolvers<Told[]>();
  const late = setTimeout(() => reject(new Error(`${run.name} reported nothing within 90 s`)), 90_000);
  owned.defer(() => clearTimeout(late));
  const url = await serveGame(folder, resolve, owned);
  writeGame(folder, run.core, variant, form, url);
  owned.defer(() => endProcessesOf(scratch));
  return (await run.start({ folder, scratch, url, owned })) ?? (await promise);
}

/** Serves the game to browsers and receives its reports. */
async function serveGame(folder: string, got: (told: Told[]) => void, owned: AsyncDisposableStack): Promise<string> {
  const server = createServer(async (request, response) => {
    if (request.method === "POST") {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      response.end();
      return got(JSON.parse(Buffer.concat(parts).toString()));
    }
    const { pathname } = new URL(request.url ?? "/", "http://game");
    const name = pathname === "/" ? "index.html" : pathname.slice(1);
    try {
      const content = readFileSync(join(folder, name));
      response.setHeader("content-type", name.endsWith(".html") ? "text/html" : "text/javascript").end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  owned.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const forms = ["message", "whole error as text", "as an uncaught error is shown"];

export async function javascriptReports(others: OtherEngines): Promise<Made[]> {
  const libraries = others.libraries ?? "";
  const runs: Run[] = [nwjs("0.87"), nwjs("0.44"), chromium(false), chromium(true), nwjs("0.87")];
  if (others.firefox !== undefined) runs.push(firefox(others.firefox, libraries));
  if (others.jsc !== undefined) runs.push(jsc(others.jsc, libraries));
  const made: Made[] = [];
  for (const [index, run] of runs.entries()) {
    const variant = variants[index % variants.length] as Variant;
    const form = index % forms.length;
    const told = await playOnce(run, variant, form);
    console.log(`${run.name}: ${told.length} reports`);
    const groups = groupsOf(
      "rpgmaker game",
      told.map(({ fault }) => fault),
    );
    for (const [nth, { message, stackTrace }] of told.entries()) {
      const group = groups[nth] as string;
      made.push({ engine: run.name, form: forms[form] as string, group, ran: true, message, stackTrace });
    }
  }
  return made;
}
