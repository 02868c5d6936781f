// Tests of the list of monitors and windows of Windows, which the test makes up.
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "@kit/contract";
import { test, vi } from "vitest";
import { cannot } from "../../../../tools/engines/cannot.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { Ffmpeg } from "../ffmpeg/find.ts";
import { createWindowsLister } from "./source-list.ts";
import type { DesktopMonitor, DesktopWindow } from "./window.ts";

const monitor: DesktopMonitor = {
  ...{ id: 0x10001, name: "DISPLAY1", isPrimary: false },
  ...{ x: -1_280, y: 0, width: 1_280, height: 1_024 },
};
const primary = { ...monitor, id: 0x10003, name: "DISPLAY2", isPrimary: true, x: 0, width: 1_920 };
const window: DesktopWindow = { id: 1, pid: 42, title: "Saga", x: 0, y: 0, width: 640, height: 480, isShown: true };

const list = (windows: () => Promise<readonly DesktopWindow[]>, ffmpeg?: Ffmpeg) =>
  createWindowsLister(
    {
      listWindows: windows,
      listMonitors: async () => [monitor, primary],
      isScreenFilled: async () => false,
      copyFiles: async () => "refused" as const,
    },
    async () => ffmpeg,
  )();

test("the sources are the monitors, the primary one first, and visible windows with a title by their size", async () => {
  const hidden = { ...window, id: 2, title: "Hidden", isShown: false };
  const untitled = { ...window, id: 3, title: "" };
  const large = { ...window, id: 4, pid: 43, title: "Quest", width: 1_280 };
  const again = { ...large, id: 5, width: 100 };
  const { sources } = await list(async () => [window, hidden, untitled, large, again]);
  assert.deepEqual(
    sources.map(({ kind, name, width, pid, picture }) => [kind, name, width, pid, picture]),
    [
      ["monitor", "DISPLAY2", 1_920, null, null],
      ["monitor", "DISPLAY1", 1_280, null, null],
      ["window", "Quest", 1_280, 43, null],
      ["window", "Saga", 640, 42, null],
    ],
  );
  const { why } = await list(() => Promise.reject(new Error("no answer")));
  assert.match(textOf(why ?? ""), /did not list the windows: no answer/);
});

test("every source has its picture, even if a game leaves ffmpeg little processor time", {
  skip: cannot.startScripts,
}, async (t) => {
  const folder = temporaryFolder("sources", t);
  const [path, started, go] = ["ffmpeg", "started", "go"].map((name) => join(folder, name)) as [string, string, string];
  // Prints its niceness as the picture, once that is set and the test has let it go on.
  const picture = `touch ${started}; until [ "$(nice)" -ge 10 -a -e ${go} ]; do sleep 0.01; done; nice`;
  const script = `case "$*" in *-devices) echo " D  gdigrab  GDI";; *-encoders|*-filters);; *) ${picture};; esac`;
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const version = { major: 6, minor: 0, text: "6.0" };
  const listed = list(async () => [window], { path, version, origin: "path", year: undefined, hasFpsMode: true });
  while (!existsSync(started)) await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(30_000);
  writeFileSync(go, "");
  const { sources } = await listed;
  const pictures = sources.map((source) =>
    Buffer.from(source.picture?.split(",")[1] ?? "", "base64")
      .toString()
      .trim(),
  );
  assert.deepEqual(pictures, ["10", "10", "10"]);
});
