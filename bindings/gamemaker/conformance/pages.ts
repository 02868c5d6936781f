// Plays jobs in pages of a real browser, served from this machine as an HTML5 export is.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { rolldown } from "rolldown";
import { pathOf } from "../../../tools/engines/locate.ts";
import type { Job } from "./case-player.ts";

/** The page's script with all it imports, as one. */
async function bundledPlayer(): Promise<string> {
  await using bundle = await rolldown({ input: join(import.meta.dirname, "page-player.ts"), platform: "browser" });
  const { output } = await bundle.generate({ format: "iife" });
  return output[0].code;
}

async function serve(script: string, stack: AsyncDisposableStack): Promise<string> {
  const server = createServer((request, response) => {
    const isScript = request.url === "/game.js";
    response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html; charset=utf-8" });
    response.end(isScript ? script : '<!doctype html><title>game</title><script src="game.js"></script>');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  stack.defer(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A dialog would wait for the player, and be the game's fault to anybody who plays it. */
function watch(page: Page, job: Pick<Job, "cases">, say: (line: object) => void): void {
  const show = (error: string) => say({ case: job.cases[0]?.id, errors: [error] });
  page.on("dialog", (dialog) => {
    show(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("crash", () => show("the page crashed"));
}

async function play(browser: Browser, url: string, job: Job, say: (line: object) => void): Promise<void> {
  const page = await browser.newPage();
  watch(page, job, say);
  await page.exposeFunction("say", (line: string) => say(JSON.parse(line)));
  await page.goto(url);
  await page.evaluate((given) => (globalThis as unknown as { play(job: unknown): Promise<void> }).play(given), job);
  await page.close();
}

export type Pages = {
  /** The browser's name and version. */
  readonly engine: string;
  /** One job in a page of its own. */
  run(job: Job): Promise<void>;
};

export async function openPages(stack: AsyncDisposableStack, say: (line: object) => void): Promise<Pages> {
  const url = await serve(await bundledPlayer(), stack);
  const browser = await chromium.launch({ executablePath: pathOf("Chromium"), args: ["--no-sandbox"] });
  stack.defer(() => browser.close());
  return { engine: `Chromium ${browser.version().split(".")[0]}`, run: (job) => play(browser, url, job, say) };
}
