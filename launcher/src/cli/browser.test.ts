// Tests of opening the dashboard in a browser.
import assert from "node:assert/strict";
import { chmodSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test as freedesktopTest, onTestFinished } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { readConfig } from "../config.ts";
import { openInBrowser } from "./browser.ts";

// Elsewhere than on Linux, no program that a test can replace opens the browser.
const test = freedesktopTest.skipIf(cannot.useFreedesktop);

/** A data folder with a browser that runs this script. */
function openerIn(script: string) {
  const folder = temporaryFolder("browser");
  const { PATH } = process.env;
  onTestFinished(() => {
    process.env.PATH = PATH;
  });
  process.env.PATH = `${folder}:${PATH}`;
  writeFileSync(join(folder, "xdg-open"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "xdg-open"), 0o755);
  const config = { ...readConfig({ dataDir: folder }, { DISPLAY: ":0", PATH: folder }), hasDesktop: true };
  return { folder, open: (ticket: string) => openInBrowser(config, `http://127.0.0.1:1/#t=${ticket}`) };
}

test("a browser counts as opened only if the program that opens it succeeds", async () => {
  assert.equal(await openerIn("exit 3").open("x"), false);
  assert.equal(await openerIn("exit 0").open("x"), true);
});

test("a browser that starts slowly gets the link of each of two openings", async () => {
  const { folder, open } = openerIn('echo "$1" >> "${0%/*}/opened"');
  const old = join(folder, "open-old.html");
  writeFileSync(old, "a link that works no longer");
  utimesSync(old, 0, 0);
  await Promise.all([open("first"), open("second")]);
  const pages = readFileSync(join(folder, "opened"), "utf8").trim().split("\n");
  const links = pages.map((page) => /#t=(\w+)/.exec(readFileSync(page, "utf8"))?.[1]);
  assert.deepEqual(links.toSorted(), ["first", "second"]);
  const left = readdirSync(folder).filter((name) => name.endsWith(".html"));
  assert.equal(left.length, 2, "pages whose links no longer work are removed");
});
