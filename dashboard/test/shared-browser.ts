// One browser for the stages of a test file that follow each other, each with a profile of its own in it: to start one takes
// longer than many a test. A run of many files has one browser for all of them (`tools/run-tests/browser.ts`).
import { buffer } from "node:stream/consumers";
import { type Browser, chromium, type Download } from "playwright-core";
import { browserOptions } from "../../tools/engines/browser-options.ts";

/** Where the browser of the run listens; none where a file runs by itself. */
const endpoint = process.env.KIT_TEST_BROWSER;
/** From one test's end to the next one's beginning. */
const keptMs = 200;

let kept: Promise<Browser> | undefined;
let users = 0;
let ending: NodeJS.Timeout | undefined;

function open(): Promise<Browser> {
  const opened = endpoint === undefined ? chromium.launch(browserOptions()) : chromium.connect(endpoint);
  // One that broke down is not given out again; one that was closed may have a successor by now.
  const forget = () => {
    if (kept === opened) kept = undefined;
  };
  opened.then((browser) => browser.on("disconnected", forget), forget);
  return opened;
}

/** To be given back by `leaveBrowser`; the last to do so has it closed. */
export function takeBrowser(): Promise<Browser> {
  clearTimeout(ending);
  users += 1;
  kept ??= open();
  return kept;
}

export function leaveBrowser(): void {
  users -= 1;
  if (users > 0) return;
  ending = setTimeout(() => {
    const last = kept;
    kept = undefined;
    void last?.then((browser) => browser.close());
  }, keptMs);
}

/** The bytes of a download. `download.path()` does not work in a browser that another process started. */
export async function downloadedBytes(download: Download): Promise<Buffer> {
  return buffer(await download.createReadStream());
}
