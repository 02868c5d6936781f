// Games with windows in a Windows of a test.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ingestOperations } from "@kit/contract";
import type { WindowsProgram } from "../../engines/windows-computer.ts";
import { type OwnWindows, startKit } from "./own-windows.ts";

/**
 * A full-screen window has no frame. A maximised one has the style of one with a title bar, and draws the bar itself, as browsers do:
 * its content fills the screen.
 */
export type GameWindow = readonly [
  title: string,
  colour: string,
  x: number,
  width: number | "full screen" | "maximised",
];

/** A game with these windows, in these colours of Windows. Each has its own window class. */
const gameWith = (...opened: readonly GameWindow[]) => `
  const ffi = process.getBuiltinModule("node:ffi");
  const { functions: user, lib } = ffi.dlopen("user32.dll", {
    RegisterClassW: { arguments: ["buffer"], return: "u16" },
    CreateWindowExW: { arguments: ["u32", "buffer", "buffer", "u32", "i32", "i32", "i32", "i32", "pointer", "pointer", "pointer", "pointer"], return: "pointer" },
    GetSystemMetrics: { arguments: ["i32"], return: "i32" },
    DefWindowProcW: { arguments: ["pointer", "u32", "u64", "i64"], return: "i64" },
    GetForegroundWindow: { arguments: [], return: "pointer" },
    PeekMessageW: { arguments: ["buffer", "pointer", "u32", "u32", "u32"], return: "i32" },
    DispatchMessageW: { arguments: ["buffer"], return: "pointer" },
  });
  const { functions: gdi } = ffi.dlopen("gdi32.dll", { CreateSolidBrush: { arguments: ["u32"], return: "pointer" } });
  const wide = (text) => Buffer.from(text + "\\0", "utf16le");
  const visibleWindow = 0x10cf0000;
  const visibleWithoutFrame = 0x90000000;
  const visibleMaximised = 0x11cf0000;
  const givesAllToContent = 0x83;
  const withoutBar = lib.registerCallback({ arguments: ["pointer", "u32", "u64", "i64"], return: "i64" },
    (window, what, first, second) =>
      what === givesAllToContent && first === 1n ? 0n : user.DefWindowProcW(window, what, first, second));
  const names = [];
  const handles = [];
  const open = (title, colour, x, width) => {
    const name = wide(title);
    names.push(name);
    const windowClass = Buffer.alloc(72);
    windowClass.writeBigUInt64LE(width === "maximised" ? withoutBar : lib.getSymbol("DefWindowProcW"), 8);
    windowClass.writeBigUInt64LE(gdi.CreateSolidBrush(colour), 48);
    windowClass.writeBigUInt64LE(ffi.getRawPointer(name), 64);
    user.RegisterClassW(windowClass);
    const screen = [0, 0, user.GetSystemMetrics(0), user.GetSystemMetrics(1)];
    const shape = width === "full screen" ? [visibleWithoutFrame, ...screen] :
      width === "maximised" ? [visibleMaximised, ...screen] : [visibleWindow, x, 40, width, 240];
    handles.push(user.CreateWindowExW(0, name, name, ...shape, 0n, 0n, 0n, 0n));
  };
  ${opened.map(([title, colour, x, width]) => `open("${title}", ${colour}, ${x}, ${JSON.stringify(width)});`).join("\n")}
  const message = Buffer.alloc(48);
  let wasInFront = false;
  setInterval(() => {
    while (user.PeekMessageW(message, 0n, 0, 0, 1) !== 0) user.DispatchMessageW(message);
    const isInFront = handles.includes(user.GetForegroundWindow());
    if (isInFront && !wasInFront) console.log("in front");
    wasInFront = isInFront;
  }, 20);
  console.log("shown");`;

const sends = ({ address }: OwnWindows, eventId: string) => `
  fetch("${address}${ingestOperations.recording.path}", {
    method: "POST", headers: { "content-type": "application/json" },
    body: JSON.stringify({ eventId: "${eventId}", timestamp: new Date().toISOString() }) });`;

const scriptOf = (windows: OwnWindows, name: string, script: string): string => {
  writeFileSync(join(windows.drive, `${name}.cjs`), script);
  return `C:\\${name}.cjs`;
};

/** Sends an event when its windows are open. */
export function startGame(
  windows: OwnWindows,
  name: string,
  eventId: string,
  ...opened: readonly GameWindow[]
): WindowsProgram {
  windows.installGame(name);
  const script = scriptOf(windows, name, `${gameWith(...opened)}\n${sends(windows, eventId)}`);
  return windows.start(`C:\\${name}.exe`, [script]);
}

/** Runs with `kit run` a batch file that starts the game, which sends an event when its window is open. */
export function runBatchOfGame(
  windows: OwnWindows,
  name: string,
  flags: readonly string[],
  ...opened: readonly GameWindow[]
): WindowsProgram {
  windows.installGame(name);
  const script = scriptOf(windows, name, `${gameWith(...opened)}\n${sends(windows, `${name}_begun`)}`);
  writeFileSync(join(windows.drive, `${name}.bat`), `@"C:\\${name}.exe" "${script}"\r\n`);
  return startKit(windows, ["run", ...flags, "--", `C:\\${name}.bat`], windows.settings);
}

/** A program without a window that sends an event, and starts the game, as launchers of games do. */
export function startGameOfLauncher(
  windows: OwnWindows,
  name: string,
  eventId: string,
  ...opened: readonly GameWindow[]
): WindowsProgram {
  windows.installGame(name);
  windows.installGame(`${name}-launcher`);
  const game = scriptOf(windows, name, gameWith(...opened));
  const words = JSON.stringify([`C:\\${name}.exe`, [game], { stdio: "inherit" }]);
  const starts = `require("node:child_process").spawn(...${words});`;
  const script = scriptOf(windows, `${name}-launcher`, `${starts}\n${sends(windows, eventId)}`);
  return windows.start(`C:\\${name}-launcher.exe`, [script]);
}
