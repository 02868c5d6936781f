// One browser for all test files of a run: to start one for each file takes longer than many a file.
import { chromium } from "playwright-core";
import { browserOptions } from "../engines/browser-options.ts";
import { absentOf } from "../engines/locate.ts";

export type RunBrowser = AsyncDisposable & {
  /** Tells the test files where the browser listens. */
  readonly settings: Readonly<Record<string, string>>;
};

/** Starts the browser if one of the files needs it. Where there is no Chromium, the files say so themselves. */
export async function openBrowserOf(files: readonly string[]): Promise<RunBrowser> {
  const isNeeded = files.filter((path) => path.startsWith("dashboard/test/")).length > 1;
  if (!isNeeded || absentOf(["Chromium"]).length > 0)
    return { settings: {}, [Symbol.asyncDispose]: () => Promise.resolve() };
  const server = await chromium.launchServer(browserOptions());
  return { settings: { KIT_TEST_BROWSER: server.wsEndpoint() }, [Symbol.asyncDispose]: () => server.close() };
}
