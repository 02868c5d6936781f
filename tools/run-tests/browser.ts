// Starts one browser for all test files of a run. Starting one for each file would take longer than many a file.
import { chromium } from "playwright-core";
import { browserOptions } from "../engines/browser-options.ts";
import { absentOf } from "../engines/locate.ts";

export type RunBrowser = AsyncDisposable & {
  /** The environment variable with the browser's address for the test files. */
  readonly settings: Readonly<Record<string, string>>;
};

/** Starts the browser if one of the files needs it. Without Chromium, the files report that themselves. */
export async function openBrowserOf(files: readonly string[]): Promise<RunBrowser> {
  const isNeeded = files.filter((path) => path.startsWith("dashboard/test/")).length > 1;
  if (!isNeeded || absentOf(["Chromium"]).length > 0)
    return { settings: {}, [Symbol.asyncDispose]: () => Promise.resolve() };
  const server = await chromium.launchServer(browserOptions());
  return { settings: { KIT_TEST_BROWSER: server.wsEndpoint() }, [Symbol.asyncDispose]: () => server.close() };
}
