// Tests of opening the dashboard in a browser.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, test } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { readConfig } from "../config.ts";
import { openInBrowser } from "./browser.ts";

// Elsewhere than on Linux, no program that a test can replace opens the browser.
test.skipIf(cannot.useFreedesktop)(
  "a browser counts as opened only if the program that opens it succeeds",
  async () => {
    const folder = temporaryFolder("browser");
    mkdirSync(folder, { recursive: true });
    const { PATH } = process.env;
    onTestFinished(() => {
      process.env.PATH = PATH;
    });
    process.env.PATH = `${folder}:${PATH}`;
    const config = readConfig({ dataDir: folder }, { DISPLAY: ":0", PATH: folder });
    const opens = async (code: number) => {
      writeFileSync(join(folder, "xdg-open"), `#!/bin/sh\nexit ${code}\n`);
      chmodSync(join(folder, "xdg-open"), 0o755);
      return openInBrowser({ ...config, hasDesktop: true }, "http://127.0.0.1:1/#t=x");
    };
    assert.deepEqual([await opens(3), await opens(0)], [false, true]);
  },
);
