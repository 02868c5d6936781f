// Tests on a real X server whether a window fills the screen.
import assert from "node:assert/strict";
import { afterAll, beforeAll, test } from "vitest";
import { skipWithout } from "../../../../tools/engines/locate.ts";
import { isScreenFilled } from "./full-screen.ts";
import { type Keyboard, openKeyboard } from "./test/keyboard.ts";

const skip = skipWithout("Xvfb");

let screen: Keyboard;
beforeAll(async () => {
  if (!skip) screen = await openKeyboard("320x200");
});
afterAll(() => screen?.close());

test("without a window manager, any visible window that covers the screen counts", { skip }, async () => {
  await screen.openWindow(300, 100);
  assert.equal(await isScreenFilled(screen.name), false);
  const game = await screen.openWindow(320, 200);
  assert.equal(await isScreenFilled(screen.name), true);
  await screen.closeWindow(game);
  assert.equal(await isScreenFilled(screen.name), false);
});

test("with a window manager, only the active window counts, by its state or its size", { skip }, async () => {
  const desktop = await screen.openWindow(320, 200);
  const game = await screen.openWindow(300, 150);
  const activate = (window: number) => screen.setNumbers(screen.root, "_NET_ACTIVE_WINDOW", "WINDOW", [window]);
  await activate(game);
  assert.equal(await isScreenFilled(screen.name), false);
  await screen.setNumbers(game, "_NET_WM_STATE", "ATOM", [await screen.atom("_NET_WM_STATE_FULLSCREEN")]);
  assert.equal(await isScreenFilled(screen.name), true);
  await activate(desktop);
  assert.equal(await isScreenFilled(screen.name), true);
  await activate(0);
  assert.equal(await isScreenFilled(screen.name), false);
});

test("a display that does not answer is not known", async () => {
  assert.equal(await isScreenFilled(":5999"), undefined);
});
