// Tests of the list of monitors and windows of Windows, which the test makes up, without an ffmpeg for their pictures.
import assert from "node:assert/strict";
import { textOf } from "@kit/contract";
import { test } from "vitest";
import { createWindowsLister } from "./source-list.ts";
import type { DesktopMonitor, DesktopWindow } from "./window.ts";

const monitor: DesktopMonitor = {
  ...{ id: 0x10001, name: "DISPLAY1", isPrimary: false },
  ...{ x: -1_280, y: 0, width: 1_280, height: 1_024 },
};
const primary = { ...monitor, id: 0x10003, name: "DISPLAY2", isPrimary: true, x: 0, width: 1_920 };
const window: DesktopWindow = { id: 1, pid: 42, title: "Saga", x: 0, y: 0, width: 640, height: 480, isShown: true };

const list = (windows: () => Promise<readonly DesktopWindow[]>) =>
  createWindowsLister(
    {
      listWindows: windows,
      listMonitors: async () => [monitor, primary],
      isScreenFilled: async () => false,
      copyFiles: async () => "refused" as const,
    },
    async () => undefined,
  )();

test("the sources are the monitors, the primary one first, and visible windows with a title by their size", async () => {
  const hidden = { ...window, id: 2, title: "Hidden", isShown: false };
  const untitled = { ...window, id: 3, title: "" };
  const large = { ...window, id: 4, title: "Quest", width: 1_280 };
  const again = { ...large, id: 5, width: 100 };
  const { sources } = await list(async () => [window, hidden, untitled, large, again]);
  assert.deepEqual(
    sources.map(({ kind, name, width, picture }) => [kind, name, width, picture]),
    [
      ["monitor", "DISPLAY2", 1_920, null],
      ["monitor", "DISPLAY1", 1_280, null],
      ["window", "Quest", 1_280, null],
      ["window", "Saga", 640, null],
    ],
  );
  const { why } = await list(() => Promise.reject(new Error("no answer")));
  assert.match(textOf(why ?? ""), /did not list the windows: no answer/);
});
