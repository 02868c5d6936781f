// Tests what Kit asks of Windows for hotkeys and the icon, and what it does when the process that asks ends. A stand-in answers.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textOf } from "@kit/contract";
import { reasonOf } from "@kit/contract/messages";
import { afterAll, test } from "vitest";
import { until } from "../../../test/support/until.ts";
import { isProcessRunning } from "../../process/is-running.ts";
import { parseKeyCombination } from "./key-combination.ts";
import { createWindowsShortcuts, windowsKeyOf } from "./windows-shortcuts.ts";

const folder = mkdtempSync(join(tmpdir(), "kit-shortcuts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const program = join(folder, "stand-in.mjs");
/** Refuses M, presses what it takes, shows the icon, and ends with a fault when F8 is wanted. */
writeFileSync(
  program,
  `process.on("message", ({ id, wanted: { hotkeys, tray } }) => {
    if (hotkeys.some(({ key }) => key === 0x77)) process.exit(3);
    if (tray !== null) process.send({ hasTray: true });
    const isTaken = ({ key }) => key === 0x4d;
    process.send({ id, refused: hotkeys.filter(isTaken).map(({ name }) => ({ name, error: 1409 })) });
    for (const { name } of hotkeys.filter((each) => !isTaken(each))) process.send({ pressed: name });
    if (tray !== null) process.send({ chosen: 1 });
  });
  process.once("disconnect", () => process.exit());`,
);

const combination = (text: string) => parseKeyCombination(text) ?? assert.fail(text);
const keys = { save: combination("Ctrl+Alt+S"), taken: combination("Ctrl+Alt+M"), fault: combination("F8") };

function openStage() {
  const facts = { nowMs: 0, pressed: "", chosen: 0, lost: 0 };
  const shortcuts = createWindowsShortcuts({ icon: "kit.png", program, now: () => facts.nowMs });
  const lost = () => {
    facts.lost += 1;
  };
  const grab = (wanted: Parameters<typeof shortcuts.grab>[0]) =>
    shortcuts.grab(wanted, {
      pressed(name) {
        facts.pressed += name;
      },
      lost,
    });
  const show = () => {
    const menu = ["open", "save"].map((text, index) => ({
      text,
      choose() {
        facts.chosen = index;
      },
    }));
    return shortcuts.showTrayIcon({ clicked: () => undefined, menu, changed: () => undefined, lost });
  };
  return { facts, grab, show };
}

test("a hotkey is a key of Windows, and with Ctrl the one that keyboards then send", () => {
  const codes = ["Ctrl+A", "Ctrl+9", "F1", "F24", "Print", "Pause", "Ctrl+Pause", "Alt+PageDown"].map((text) =>
    windowsKeyOf(combination(text)),
  );
  assert.deepEqual(codes, [0x41, 0x39, 0x70, 0x87, 0x2c, 0x13, 0x03, 0x22]);
});

test("a taken hotkey is refused in one sentence, the other one and the menu of the icon work", async () => {
  const { facts, grab, show } = openStage();
  const { refused, release } = await grab(
    new Map([
      ["save", keys.save],
      ["mark", keys.taken],
    ]),
  );
  const why = [...refused].map(([name, one]) => [name, textOf(one)]);
  assert.deepEqual(why, [["mark", "Another program uses Ctrl+Alt+M. Choose another hotkey."]]);
  await until("the hotkey is pressed", () => facts.pressed === "save");
  const icon = await show();
  assert.ok(icon.hasTray());
  await until("the line is chosen", () => facts.chosen === 1);
  release();
  icon.close();
});

test("a fault of the process loses hotkeys and icon, and both work again after a pause", async () => {
  const { facts, grab, show } = openStage();
  const icon = await show();
  await grab(new Map([["save", keys.save]]));
  const failure = await grab(new Map([["save", keys.fault]])).catch((error) => textOf(reasonOf(error)));
  assert.equal(failure, "the process that takes hotkeys and shows the icon has ended");
  assert.equal(facts.lost, 2);
  assert.ok(!icon.hasTray());
  await assert.rejects(show());
  facts.nowMs += 10_000;
  const { release } = await grab(new Map([["save", keys.save]]));
  release();
  assert.ok((await show()).hasTray());
});

/** Answers as long as no F9 is wanted, and does not end when it is asked to. */
const hanging = join(folder, "hanging.mjs");
writeFileSync(
  hanging,
  `import { writeFileSync } from "node:fs";
  writeFileSync(import.meta.filename + ".pid", String(process.pid));
  setInterval(() => undefined, 1_000);
  process.on("message", ({ id, wanted: { hotkeys } }) => {
    if (!hotkeys.some(({ key }) => key === 0x78)) process.send({ id, refused: [] });
  });`,
);
const hangingPid = () => Number(readFileSync(`${hanging}.pid`, "utf8"));
const events = { pressed: () => undefined, lost: () => undefined };

test("a process that does not end although nothing is wanted is killed", async () => {
  const { grab } = createWindowsShortcuts({ icon: "kit.png", program: hanging });
  const { release } = await grab(new Map([["save", keys.save]]), events);
  const pid = hangingPid();
  release();
  await until("the process is gone", () => !isProcessRunning(pid));
});

test("the launcher's end waits neither for an answer nor for the end of a process that hangs", async () => {
  const { grab, stop } = createWindowsShortcuts({ icon: "kit.png", program: hanging });
  rmSync(`${hanging}.pid`, { force: true });
  const refused = assert.rejects(grab(new Map([["save", combination("F9")]]), events));
  await until("the process runs", () => existsSync(`${hanging}.pid`) && hangingPid() > 0);
  const pid = hangingPid();
  assert.ok(isProcessRunning(pid));
  await stop();
  await refused;
  assert.ok(!isProcessRunning(pid));
  await assert.rejects(grab(new Map([["save", keys.save]]), events));
});
