// Tests of Kit in the menu of a desktop: what the menu runs opens the dashboard signed in, whether or not a launcher runs.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { DesktopEntry } from "@kit/contract";
import { type TestContext, test } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import { openJwm } from "../../../tools/engines/jwm.ts";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { openKeyboard } from "../../src/recording/shortcuts/test/keyboard.ts";
import { findIcon } from "../../src/recording/shortcuts/test/tray-icon.ts";
import { connectToDisplay } from "../../src/recording/x11/connection.ts";
import { type OwnLauncher, startLauncherProcess } from "../support/own-launcher.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

const skip = cannot.useFreedesktop;

/** A desktop whose browser copies each page that it is asked to show. */
function openDesktop(t: TestContext) {
  const folder = temporaryFolder("menu", t);
  const shown = join(folder, "shown.html");
  writeFileSync(
    join(folder, "xdg-open"),
    `#!/bin/sh\ncp "\${1#file://}" '${shown}.new' && mv '${shown}.new' '${shown}'\n`,
  );
  chmodSync(join(folder, "xdg-open"), 0o755);
  // Without the variables by which Kit knows that nobody sees a browser.
  const alone = { CI: "", SSH_CONNECTION: "" };
  const own = { XDG_DATA_HOME: folder, DISPLAY: ":0", PATH: `${folder}:${process.env.PATH}`, KIT_SECRETS: "file" };
  const env = { ...own, ...alone };
  return { env, page: () => (existsSync(shown) ? readFileSync(shown, "utf8") : "") };
}

/** The words of the command in the entry, which has no special characters here. */
const commandIn = (entry: string) =>
  [...(/^Exec=(.*)$/mu.exec(readFileSync(entry, "utf8"))?.[1] ?? "").matchAll(/"([^"]*)"/gu)].map(
    ([, word = ""]) => word,
  );

const setMenu = async (launcher: OwnLauncher, on: boolean) =>
  (await launcher.api("PUT", "/api/desktop-entry", { on })).json<DesktopEntry>();

const linkIn = (page: string) => /url=(http:[^"]+)/u.exec(page)?.[1];

test("the menu's entry opens the dashboard of the running launcher, and starts one if none runs", {
  skip,
}, async (t) => {
  const { env, page } = openDesktop(t);
  const launcher = await startLauncherProcess({ env });
  const { place, on } = await setMenu(launcher, true);
  assert.ok(on && place !== null);
  const [program = "", ...words] = commandIn(place);
  const choose = () => spawn(program, words, { env: { ...process.env, ...env }, stdio: "ignore" });
  const [code] = await once(choose(), "exit");
  assert.equal(code, 0);
  const first = linkIn(await until("the page is shown", async () => page() || undefined));
  assert.match(first ?? "", new RegExp(`^http://127\\.0\\.0\\.1:${launcher.port}/#t=`, "u"));
  await launcher.restart("SIGTERM", async () => {
    const started = choose();
    await until("another link is shown", async () => linkIn(page()) !== first);
    started.kill("SIGTERM");
    await once(started, "exit");
  });
  await setMenu(launcher, false);
  assert.ok(!existsSync(place));
  await launcher[Symbol.asyncDispose]();
});

test("a click on the icon in the tray opens the dashboard signed in", {
  skip: skip || skipWithout("Xvfb", "JWM"),
}, async (t) => {
  const { env, page } = openDesktop(t);
  const screen = await openKeyboard("800x600");
  t.onTestFinished(() => screen.close());
  const manager = await openJwm(screen.name, { tray: true });
  t.onTestFinished(() => manager.close());
  const abort = new AbortController();
  t.onTestFinished(() => abort.abort());
  const watcher = await connectToDisplay(screen.name, abort.signal);
  await using launcher = await startLauncherProcess({ env: { ...env, DISPLAY: screen.name } });
  await launcher.setRecorder({ trayIcon: true });
  const icon = await until("the icon is in the tray", () => findIcon(watcher));
  await screen.click(icon.centre);
  const link = linkIn(await until("the page is shown", async () => page() || undefined));
  assert.match(link ?? "", new RegExp(`^http://127\\.0\\.0\\.1:${launcher.port}/#t=`, "u"));
});

test("if Kit cannot start from the menu, the browser says why", { skip }, async (t) => {
  const { env, page } = openDesktop(t);
  const launcher = await startLauncherProcess({ env });
  const [program = "", ...words] = commandIn((await setMenu(launcher, true)).place ?? "");
  await launcher.restart("SIGTERM", async () => {
    const other = createServer((_, response) => void response.writeHead(404).end()).listen(launcher.port, "127.0.0.1");
    await once(other, "listening");
    const [code] = await once(spawn(program, words, { env: { ...process.env, ...env }, stdio: "ignore" }), "exit");
    assert.notEqual(code, 0);
    assert.match(
      await until("the page is shown", async () => page() || undefined),
      /<h1>Kit did not start<\/h1><p>Port \d+ is used by /u,
    );
    other.close();
    other.closeAllConnections();
  });
  await launcher[Symbol.asyncDispose]();
});
