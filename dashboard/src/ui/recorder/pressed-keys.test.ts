// Tests of the hotkey that pressed keys name.
import assert from "node:assert/strict";
import { test } from "vitest";
import { hotkeyName, hotkeyOf, type PressedKeys } from "./pressed-keys.ts";

const press = (key: string, code: string, held: Partial<PressedKeys> = {}) =>
  hotkeyOf({ key, code, ctrlKey: false, altKey: false, shiftKey: false, metaKey: false, ...held });
const control = { ctrlKey: true };

test("pressed keys name a hotkey, whatever the layout and the held keys make of them", () => {
  assert.equal(press("F9", "F9"), "F9");
  assert.equal(press("Pause", "Pause", { shiftKey: true }), "Shift+Pause");
  assert.equal(press("PrintScreen", "PrintScreen"), "Print");
  assert.equal(press(" ", "Space", control), "Ctrl+Space");
  // The key that types A is at the place of Q on a French keyboard, and digits are typed with Shift there.
  assert.equal(press("a", "KeyQ", control), "Ctrl+A");
  assert.equal(press("&", "Digit1", control), "Ctrl+1");
  assert.equal(press("ы", "KeyS", { ctrlKey: true, altKey: true }), "Ctrl+Alt+S");
  assert.equal(press("S", "KeyS", { shiftKey: true, metaKey: true }), "Shift+Super+S");
});

test("a held key alone is not yet a hotkey", () => {
  for (const key of ["Control", "Alt", "AltGraph", "Shift", "Meta", "OS"])
    assert.equal(press(key, key, control), "held");
});

test("a key that types something, and one that no hotkey can have, is refused", () => {
  assert.equal(press("s", "KeyS"), undefined);
  assert.equal(press("S", "KeyS", { shiftKey: true }), undefined);
  assert.equal(press("Enter", "Enter", control), undefined);
  assert.equal(press("ö", "Semicolon", control), undefined);
});

test("Windows has another name for a key than Linux", () => {
  assert.equal(hotkeyName("Ctrl+Super+S", "Win32"), "Ctrl+Win+S");
  assert.equal(hotkeyName("Ctrl+Super+S", "Linux x86_64"), "Ctrl+Super+S");
});
