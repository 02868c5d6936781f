// One browser for the stages of a test file that follow each other, each with a profile of its own in it: to start one takes
// longer than many a test.
import { type Browser, chromium } from "playwright-core";
import { pathOf } from "../../tools/engines/locate.ts";

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
/** From one test's end to the next one's beginning. */
const keptMs = 200;

let kept: Promise<Browser> | undefined;
let users = 0;
let ending: NodeJS.Timeout | undefined;

function open(): Promise<Browser> {
  const opened = chromium.launch({ executablePath: pathOf("Chromium"), args: flags, headless: true });
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
