// How the tests start Debian's Chromium: without a window, a sandbox (tests may run as root) and calls home.
import type { LaunchOptions } from "playwright-core";
import { pathOf } from "./locate.ts";

export const browserOptions = (): LaunchOptions => ({
  executablePath: pathOf("Chromium"),
  headless: true,
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});
