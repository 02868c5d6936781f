// Tests of hotkeys as a person writes them.
import assert from "node:assert/strict";
import { test } from "vitest";
import { formatKeyCombination, parseKeyCombination } from "./key-combination.ts";

const read = (text: string) => {
  const parsed = parseKeyCombination(text);
  return parsed === undefined ? undefined : formatKeyCombination(parsed);
};

test("a hotkey is read in any case and order, and written in one way", () => {
  assert.equal(read("shift + ctrl+s"), "Ctrl+Shift+S");
  assert.equal(read("Control+Win+pageup"), "Ctrl+Super+PageUp");
  assert.equal(read("f9"), "F9");
  assert.deepEqual(parseKeyCombination("Alt+F10"), { modifiers: ["Alt"], key: "F10", symbol: 0xffc7 });
});

test("a key that types something is no hotkey without Ctrl, Alt or Super", () => {
  for (const text of ["S", "Shift+S", "7", "Space", "", "+", "Ctrl", "Ctrl+", "Ctrl+Ä", "Hyper+S", "Ctrl+S+D", "F25"])
    assert.equal(read(text), undefined, text);
});
