// Programs on the desktop of a Windows of a test: they press keys, take hotkeys, resize windows, and stand in for a taskbar that starts.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../../launcher/test/support/until.ts";
import type { WindowsProgram } from "../../engines/windows-computer.ts";
import type { OwnWindows } from "./own-windows.ts";

const functions = `
  const ffi = require("node:ffi");
  const wide = (text) => Buffer.from(text + "\\0", "utf16le");
  const { functions: user, lib } = ffi.dlopen("user32.dll", {
    keybd_event: { arguments: ["u8", "u8", "u32", "u64"], return: "void" },
    RegisterHotKey: { arguments: ["pointer", "i32", "u32", "u32"], return: "i32" },
    RegisterClassExW: { arguments: ["buffer"], return: "u16" },
    CreateWindowExW: { arguments: ["u32", "buffer", "buffer", "u32", "i32", "i32", "i32", "i32", "pointer", "pointer", "pointer", "pointer"], return: "pointer" },
    DefWindowProcW: { arguments: ["pointer", "u32", "u64", "i64"], return: "i64" },
    GetMessageW: { arguments: ["buffer", "pointer", "u32", "u32"], return: "i32" },
    DispatchMessageW: { arguments: ["buffer"], return: "i64" },
    SetWindowPos: { arguments: ["pointer", "pointer", "i32", "i32", "i32", "i32", "u32"], return: "i32" },
    RegisterWindowMessageW: { arguments: ["buffer"], return: "u32" },
    FindWindowW: { arguments: ["pointer", "pointer"], return: "pointer" },
    IsWindowVisible: { arguments: ["pointer"], return: "i32" },
    SendNotifyMessageW: { arguments: ["i64", "u32", "u64", "i64"], return: "i32" },
  });`;

const press = `${functions}
  const keys = process.argv.slice(2).map(Number);
  for (const key of keys) user.keybd_event(key, 0, 0, 0n);
  for (const key of keys.reverse()) user.keybd_event(key, 0, 2, 0n);`;

/** Presses each key by itself, once a menu is open. */
const choose = `${functions}
  const keys = process.argv.slice(2).map(Number);
  const classOfMenus = wide("#32768");
  const timer = setInterval(() => {
    if (user.IsWindowVisible(user.FindWindowW(classOfMenus, 0n)) === 0) return;
    clearInterval(timer);
    for (const key of keys) for (const flags of [0, 2]) user.keybd_event(key, 0, flags, 0n);
  }, 20);`;

const takeHotkey = `${functions}
  const [modifiers, key] = process.argv.slice(2).map(Number);
  console.log(user.RegisterHotKey(0n, 1, modifiers, key) === 0 ? "refused" : "taken");
  setInterval(() => undefined, 60_000);`;

const resize = `${functions}
  const [title, width, height] = process.argv.slice(2);
  const withoutMove = 0x2;
  const window = user.FindWindowW(0n, wide(title));
  if (user.SetWindowPos(window, 0n, 0, 0, Number(width), Number(height), withoutMove) === 0) process.exitCode = 1;`;

/** Prints what programs tell the taskbar of their icons: 0 for a new one, 2 for one that is removed. */
const taskbar = `${functions}
  const copyData = 0x4a;
  const procedure = lib.registerCallback({ arguments: ["pointer", "u32", "u64", "i64"], return: "i64" },
    (window, what, first, second) => {
      if (what !== copyData) return user.DefWindowProcW(window, what, first, second);
      console.log("told " + ffi.getUint64(second));
      return 1n;
    });
  const name = wide("Shell_TrayWnd");
  const windowClass = Buffer.alloc(80);
  windowClass.writeUInt32LE(80, 0);
  windowClass.writeBigUInt64LE(procedure, 8);
  windowClass.writeBigUInt64LE(ffi.getRawPointer(name), 64);
  user.RegisterClassExW(windowClass);
  user.CreateWindowExW(0x80, name, name, 0, 0, 0, 0, 0, 0n, 0n, 0n, 0n);
  user.SendNotifyMessageW(0xffffn, user.RegisterWindowMessageW(wide("TaskbarCreated")), 0n, 0n);
  const message = Buffer.alloc(48);
  while (user.GetMessageW(message, 0n, 0, 0) > 0) user.DispatchMessageW(message);`;

/** `program` is a Node of this Windows. */
export function openOwnDesktop(windows: OwnWindows, program: string) {
  const start = (name: string, script: string, ...words: (string | number)[]): WindowsProgram => {
    writeFileSync(join(windows.drive, `${name}.cjs`), script);
    return windows.start(program, ["--disable-warning=ExperimentalWarning", `C:\\${name}.cjs`, ...words.map(String)]);
  };
  return {
    /** Presses virtual keys one after another, and lets them go in the opposite order. */
    press: (...keys: number[]) => start("press", press, ...keys).ended,
    /** Presses virtual keys one by one in the menu of an icon, as soon as it is open. */
    async choose(...keys: number[]): Promise<void> {
      const { child, output } = start("choose", choose, ...keys);
      await until("a menu is open", () => child.exitCode !== null);
      assert.equal(child.exitCode, 0, output());
    },
    /** Starts a program that tries to take a hotkey, prints "taken" or "refused", and keeps it until it is killed. */
    takeHotkey: (modifiers: number, key: number) => start("hotkey", takeHotkey, modifiers, key),
    /** Gives a window another size, with its frame. Resolves to 0. */
    resize: (title: string, width: number, height: number) => start("resize", resize, title, width, height).ended,
    openTaskbar: () => start("taskbar", taskbar),
  };
}
