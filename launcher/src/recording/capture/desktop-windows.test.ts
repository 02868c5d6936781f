// Tests of following the windows of Windows, and of noticing changed monitors, with lists that the test makes up.
import assert from "node:assert/strict";
import { textOf } from "@kit/contract";
import { type TestContext, test, vi } from "vitest";
import { createDesktopFollower, watchMonitors } from "./desktop-windows.ts";
import type { CapturedWindow, DesktopMonitor, DesktopWindow, WindowWish } from "./window.ts";

const window: DesktopWindow = { id: 1, pid: 42, title: "Saga", x: 0, y: 0, width: 640, height: 480, isShown: true };

/** Follows in a desktop with these windows, which the test changes. Each call of `look` lists them once. */
function follow(t: TestContext, wish: WindowWish, windows: DesktopWindow[] | Error) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const desktop = { windows };
  const seen: (CapturedWindow | undefined)[] = [];
  const lost: string[] = [];
  const list = async () => (desktop.windows instanceof Error ? Promise.reject(desktop.windows) : desktop.windows);
  const handle = createDesktopFollower(list)(wish, {
    onWindow: (each) => seen.push(each),
    onLost: (why) => lost.push(textOf(why)),
  });
  t.onTestFinished(() => handle.stop());
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const look = async (next = desktop.windows) => {
    desktop.windows = next;
    await settle();
    vi.advanceTimersByTime(500);
    await settle();
  };
  return { seen, lost, look, settle, handle };
}
const processes = () => new Set([42]);

test("the largest visible window of the game's processes is followed, and each change is reported once", async (t) => {
  const small = { ...window, id: 2, width: 300, height: 200 };
  const tip = { ...window, id: 3, width: 2_000, height: 20 };
  const foreign = { ...window, id: 4, pid: 7, width: 1_920, height: 1_080 };
  const { seen, look, settle } = follow(t, { processes }, [tip, foreign, small, window]);
  await settle();
  assert.deepEqual(seen, [{ id: 1, title: "Saga", pid: 42, width: 640, height: 480, isShown: true }]);
  await look();
  assert.equal(seen.length, 1);
  await look([{ ...window, x: 50, width: 800 }, small]);
  assert.deepEqual([seen.length, seen.at(-1)?.width], [2, 800]);
});

test("a minimised window is kept with its size, and another takes the place of a closed one", async (t) => {
  const other = { ...window, id: 2, width: 300 };
  const { seen, look, settle } = follow(t, { title: "sag" }, [window]);
  await settle();
  await look([{ ...window, width: 0, height: 0, isShown: false }, other]);
  assert.deepEqual(seen.at(-1), { id: 1, title: "Saga", pid: 42, width: 640, height: 480, isShown: false });
  await look([other]);
  assert.equal(seen.at(-1)?.id, 2);
  await look([]);
  assert.deepEqual([seen.length, seen.at(-1)], [4, undefined]);
});

test("a few failures of the list change nothing, and five in a row are reported once", async (t) => {
  const { seen, lost, look } = follow(t, { processes }, [window]);
  for (let failure = 0; failure < 4; failure += 1) await look(new Error("no answer"));
  await look([window]);
  assert.deepEqual([seen.length, lost], [1, []]);
  for (let failure = 0; failure < 7; failure += 1) await look(new Error("no answer"));
  assert.deepEqual([seen.length, lost], [1, ["no answer"]]);
});

const left: DesktopMonitor = { id: 1, name: "DISPLAY1", x: 0, y: 0, width: 1_920, height: 1_080, isPrimary: true };
const right: DesktopMonitor = { ...left, id: 2, name: "DISPLAY2", x: 1_920, isPrimary: false };

test("another resolution, place or number of monitors is reported once, but no list that is empty, failed or unneeded", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  let changes = 0;
  let asked = 0;
  let isNeeded = true;
  let monitors: readonly DesktopMonitor[] | Promise<readonly DesktopMonitor[]> | Error = [left];
  const watch = watchMonitors({
    async listMonitors() {
      asked += 1;
      if (monitors instanceof Error) throw monitors;
      return monitors;
    },
    isNeeded: () => isNeeded,
    onChanged: () => {
      changes += 1;
    },
  });
  const look = async (next: readonly DesktopMonitor[] | Error) => {
    monitors = next;
    vi.advanceTimersByTime(1_000);
    await new Promise((resolve) => setImmediate(resolve));
    return changes;
  };
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(await look([left]), 0);
  assert.equal(await look([{ ...left, width: 2_560, height: 1_440 }]), 1);
  assert.equal(await look([{ ...left, width: 2_560, height: 1_440 }]), 1);
  assert.equal(await look([]), 1);
  assert.equal(await look(new Error("no answer")), 1);
  assert.equal(await look([left, right]), 2);
  assert.equal(await look([left, { ...right, x: -1_920 }]), 3);
  isNeeded = false;
  const before = asked;
  assert.equal(await look([left]), 3);
  assert.equal(asked, before);
  isNeeded = true;
  assert.equal(await look([left]), 4, "what changed meanwhile is reported");
  const late = Promise.withResolvers<readonly DesktopMonitor[]>();
  monitors = late.promise;
  vi.advanceTimersByTime(1_000);
  watch.stop();
  late.resolve([right]);
  assert.equal(await look([right]), 4, "nothing is reported after the end, not even a list that was under way");
});
