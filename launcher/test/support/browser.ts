// Starts Debian's Chromium without its sandbox (tests may run as root) and without requests of its own. Its check of access to
// the local network is off: not every browser has one, so the tests must not rely on it.
import { type Browser, chromium } from "playwright-core";
import { pathOf } from "../../../tools/engines/locate.ts";

/** `rules` are host names that the browser resolves to this computer, e.g. `MAP game.example 127.0.0.1`. */
export function openBrowser(rules: readonly string[]): Promise<Browser> {
  const local = ["127.0.0.1", "0.0.0.0", "localhost"].map((host) => `EXCLUDE ${host}`);
  return chromium.launch({
    executablePath: pathOf("Chromium"),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--host-resolver-rules=${[...rules, "MAP * ~NOTFOUND", ...local].join(",")}`,
      "--disable-features=LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets",
    ],
  });
}
