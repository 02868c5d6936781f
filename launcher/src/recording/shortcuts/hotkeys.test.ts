// Tests of hotkeys on a real X server, with real key presses.
import assert from "node:assert/strict";
import { textOf } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { skipWithout } from "../../../../tools/engines/locate.ts";
import { until } from "../../../test/support/until.ts";
import { createHotkeys, type HotkeyName } from "./hotkeys.ts";
import { type Keyboard, openKeyboard } from "./test/keyboard.ts";
import { grabHotkeysOnX11 } from "./x11-hotkeys.ts";

const skip = skipWithout("Xvfb");
const ctrlAlt = 4 + 8;

let keyboard: Keyboard;
beforeAll(async () => {
  if (!skip) keyboard = await openKeyboard("320x200");
});
afterAll(() => keyboard?.close());

type Wanted = Record<HotkeyName, string | null>;

/** Applies hotkeys, and resolves once that is reported. */
async function openHotkeys(wanted: Wanted, display: string | undefined = keyboard.name) {
  const pressed: HotkeyName[] = [];
  const world = { wanted, nowMs: 0, changes: 0 };
  const hotkeys = createHotkeys({
    grab: grabHotkeysOnX11(display),
    wanted: () => world.wanted,
    onPressed: (name) => pressed.push(name),
    onChanged() {
      world.changes += 1;
    },
    now: () => world.nowMs,
    retryMs: 20,
  });
  const apply = async (next: Wanted) => {
    const { changes } = world;
    world.wanted = next;
    hotkeys.apply();
    await until("the hotkeys are applied", async () => world.changes > changes);
  };
  await apply(wanted);
  const troubles = () => [hotkeys.trouble("save"), hotkeys.trouble("mark")].map((why) => (why ? textOf(why) : null));
  return { hotkeys, pressed, world, apply, troubles, [Symbol.asyncDispose]: hotkeys.stop };
}

test("each hotkey is noticed, also with Num Lock on, and other keys are not", { skip }, async () => {
  await using open = await openHotkeys({ save: "Ctrl+Alt+S", mark: "F9" });
  assert.deepEqual(open.troubles(), [null, null]);
  await keyboard.press("s");
  await keyboard.press("ctrl", "s");
  await keyboard.press("ctrl", "alt", "s");
  await until("save", async () => open.pressed.length === 1);
  open.world.nowMs += 5_000;
  await keyboard.press("numLock");
  await keyboard.press("f9");
  await keyboard.press("ctrl", "alt", "s");
  await keyboard.press("numLock");
  await until("mark and save", async () => open.pressed.length === 3);
  assert.deepEqual(open.pressed, ["save", "mark", "save"]);
});

test("a key that is held counts once", { skip }, async () => {
  await using open = await openHotkeys({ save: "F9", mark: "Ctrl+Alt+M" });
  for (let press = 0; press < 5; press += 1) {
    await keyboard.press("f9");
    open.world.nowMs += 300;
  }
  open.world.nowMs += 1_000;
  await keyboard.press("f9");
  await keyboard.press("ctrl", "alt", "m");
  await until("mark", async () => open.pressed.at(-1) === "mark");
  assert.deepEqual(open.pressed, ["save", "save", "mark"]);
});

test("a hotkey of another program is refused in one sentence, and the other one works", { skip }, async () => {
  await keyboard.take("s", ctrlAlt);
  await using open = await openHotkeys({ save: "Ctrl+Alt+S", mark: "F9" });
  assert.deepEqual(open.troubles(), ["Another program uses Ctrl+Alt+S. Choose another hotkey.", null]);
  await keyboard.press("f9");
  await until("mark", async () => open.pressed.length === 1);
  await keyboard.letGo("s", ctrlAlt);
  await open.apply({ save: "Ctrl+S", mark: "F9" });
  assert.deepEqual(open.troubles(), [null, null]);
});

test("a hotkey that is no longer set belongs to other programs again", { skip }, async () => {
  await using open = await openHotkeys({ save: "Ctrl+Alt+S", mark: null });
  await assert.rejects(keyboard.take("s", ctrlAlt));
  await open.apply({ save: null, mark: null });
  await using other = await openHotkeys({ save: "Ctrl+Alt+S", mark: null });
  await until("it is free", async () => {
    await other.apply({ save: "F9", mark: null });
    await other.apply({ save: "Ctrl+Alt+S", mark: null });
    return other.troubles()[0] === null;
  });
});

test("without an X display, Kit says which command a shortcut of the system can run", async () => {
  await using open = await openHotkeys({ save: "F9", mark: null }, "");
  assert.deepEqual(open.troubles(), [
    "Kit cannot set hotkeys on this system. Let a shortcut in the system's keyboard settings run `kit save`.",
    null,
  ]);
});

test("hotkeys work once a display that was away is there", { skip }, async () => {
  let isAway = true;
  const grab = grabHotkeysOnX11(keyboard.name);
  const pressed: HotkeyName[] = [];
  const hotkeys = createHotkeys({
    grab: (wanted, on) => (isAway ? Promise.reject(new Error("it is away")) : (grab?.(wanted, on) ?? Promise.reject())),
    wanted: () => ({ save: "F9", mark: null }),
    onPressed: (name) => pressed.push(name),
    onChanged: () => undefined,
    retryMs: 20,
  });
  hotkeys.apply();
  await until("the reason is known", async () => hotkeys.trouble("save") !== null);
  assert.match(textOf(hotkeys.trouble("save") ?? ""), /does not work: it is away\. Kit tries again\./u);
  isAway = false;
  await until("it works", async () => {
    await keyboard.press("f9");
    return pressed.length > 0;
  });
  assert.equal(hotkeys.trouble("save"), null);
  await hotkeys.stop();
});
