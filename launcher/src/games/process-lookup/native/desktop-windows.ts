// Lists the windows of the programs on a Windows desktop. Reads what Windows itself knows of them, and sends them no message: a
// program that hangs cannot delay it.
import { getBuiltinModule } from "node:process";

export type DesktopWindow = {
  /** The handle. */
  readonly id: number;
  readonly pid: number;
  readonly title: string;
  /** Where its content is on the screen. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** False while it is minimised. */
  readonly isShown: boolean;
};

const extendedStyle = -20;
/** WS_EX_TOOLWINDOW: panels and tips, which no program shows in the taskbar. */
const toolWindow = 0x80;
/** DWMWA_CLOAKED: the window exists, but Windows shows it nowhere, as those of suspended apps. */
const cloaked = 14;
const titleCharsMax = 300;
/** More than any desktop has. */
const windowsMax = 4_000;

function loadFunctions() {
  const ffi = getBuiltinModule("node:ffi");
  if (ffi === undefined) return undefined;
  const { functions: user } = ffi.dlopen("user32.dll", {
    FindWindowExW: { arguments: ["pointer", "pointer", "pointer", "pointer"], return: "pointer" },
    IsWindowVisible: { arguments: ["pointer"], return: "i32" },
    IsIconic: { arguments: ["pointer"], return: "i32" },
    GetWindowLongW: { arguments: ["pointer", "i32"], return: "i32" },
    GetWindowThreadProcessId: { arguments: ["pointer", "buffer"], return: "u32" },
    InternalGetWindowText: { arguments: ["pointer", "buffer", "i32"], return: "i32" },
    GetClientRect: { arguments: ["pointer", "buffer"], return: "i32" },
    ClientToScreen: { arguments: ["pointer", "buffer"], return: "i32" },
  });
  const { functions: manager } = ffi.dlopen("dwmapi.dll", {
    DwmGetWindowAttribute: { arguments: ["pointer", "u32", "buffer", "u32"], return: "i32" },
  });
  return { ...user, ...manager };
}

type Functions = NonNullable<ReturnType<typeof loadFunctions>>;

function* handles({ FindWindowExW }: Functions): Generator<bigint> {
  let handle = 0n;
  for (let count = 0; count < windowsMax; count += 1) {
    // Fails once the window that it continues from has closed. The next list has the rest.
    handle = FindWindowExW(0n, handle, 0n, 0n);
    if (handle === 0n) return;
    yield handle;
  }
}

function readWindow(functions: Functions, handle: bigint): DesktopWindow | undefined {
  const number = Buffer.alloc(4);
  if (functions.IsWindowVisible(handle) === 0) return undefined;
  if ((functions.GetWindowLongW(handle, extendedStyle) & toolWindow) !== 0) return undefined;
  if (functions.DwmGetWindowAttribute(handle, cloaked, number, 4) === 0 && number.readUInt32LE() !== 0)
    return undefined;
  const text = Buffer.alloc(titleCharsMax * 2);
  const title = text.toString("utf16le", 0, functions.InternalGetWindowText(handle, text, titleCharsMax) * 2);
  if (functions.GetWindowThreadProcessId(handle, number) === 0) return undefined;
  const area = Buffer.alloc(16);
  const corner = Buffer.alloc(8);
  if (functions.GetClientRect(handle, area) === 0 || functions.ClientToScreen(handle, corner) === 0) return undefined;
  return {
    id: Number(handle),
    pid: number.readUInt32LE(),
    title,
    x: corner.readInt32LE(0),
    y: corner.readInt32LE(4),
    width: area.readInt32LE(8),
    height: area.readInt32LE(12),
    isShown: functions.IsIconic(handle) === 0,
  };
}

/** Undefined if this Node cannot call functions of the system. The list begins with the window in front. */
export function openDesktopWindows(): (() => DesktopWindow[]) | undefined {
  const functions = loadFunctions();
  if (functions === undefined) return undefined;
  return () => [...handles(functions)].flatMap((handle) => readWindow(functions, handle) ?? []);
}
