// Shares one browser between the stages of a test file, each with a profile of its own. Starting a browser takes longer than
// many a test. A run of many files has one browser for all of them (`tools/run-tests.ts`).
import { buffer } from "node:stream/consumers";
import { type Browser, chromium, type Download } from "playwright-core";
import { browserOptions } from "../../tools/engines/browser-options.ts";

/** The address of the run's browser; undefined if a file runs alone. */
const endpoint = process.env.KIT_TEST_BROWSER;
/** Long enough to last from the end of one test to the start of the next. */
const keepMs = 200;

let shared: Promise<Browser> | undefined;
let users = 0;
let ending: NodeJS.Timeout | undefined;

function open(): Promise<Browser> {
  const opened = endpoint === undefined ? chromium.launch(browserOptions()) : chromium.connect(endpoint);
  // A disconnected browser is not given out again. It may already have a successor.
  const forget = () => {
    if (shared === opened) shared = undefined;
  };
  opened.then((browser) => browser.on("disconnected", forget), forget);
  return opened;
}

/** Each call needs a call of `leaveBrowser`; the last one closes the browser. */
export function takeBrowser(): Promise<Browser> {
  clearTimeout(ending);
  users += 1;
  shared ??= open();
  return shared;
}

export function leaveBrowser(): void {
  users -= 1;
  if (users > 0) return;
  ending = setTimeout(() => {
    const last = shared;
    shared = undefined;
    void last?.then((browser) => browser.close());
  }, keepMs);
}

/** The bytes of a download. `download.path()` does not work in a browser that another process started. */
export async function downloadedBytes(download: Download): Promise<Buffer> {
  return buffer(await download.createReadStream());
}
