// The browser of this process. Starting one takes longer than many a test, so all stages share it, each with a profile of its own.
import { buffer } from "node:stream/consumers";
import { type Browser, chromium, type Download } from "playwright-core";
import { browserOptions } from "../../tools/engines/browser-options.ts";

let shared: Promise<Browser> | undefined;

/** Playwright closes the browser when the process ends. One that crashed is replaced. */
export async function sharedBrowser(): Promise<Browser> {
  shared ??= chromium.launch(browserOptions());
  const browser = await shared.catch((error: unknown) => {
    shared = undefined;
    throw error;
  });
  if (browser.isConnected()) return browser;
  shared = undefined;
  return sharedBrowser();
}

/** The bytes of a download. */
export async function downloadedBytes(download: Download): Promise<Buffer> {
  return buffer(await download.createReadStream());
}
