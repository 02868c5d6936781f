// Lists the monitors of a Windows desktop, and the windows of its programs, and tells whether one fills the screen. Reads what Windows
// itself knows of them, and sends them no message: a program that hangs cannot delay it.
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

/** `ancestors` are the ids of the processes that started the one of the window, directly or not. */
export type OwnedWindow = DesktopWindow & { readonly ancestors: readonly number[] };

export type DesktopMonitor = {
  /** The handle, which may be another one after the monitors were rearranged. */
  readonly id: number;
  /** E.g. DISPLAY1. */
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly isPrimary: boolean;
};

const style = -16;
/** WS_MAXIMIZE and WS_CAPTION. Browsers, for example, have both, and draw their title bar into their content. */
const maximisedWithTitleBar = 0x1c0_0000;
const extendedStyle = -20;
/** WS_EX_TOOLWINDOW: panels and tips, which no program shows in the taskbar. */
const toolWindow = 0x80;
/** DWMWA_CLOAKED: the window exists, but Windows shows it nowhere, as those of suspended apps. */
const cloaked = 14;
/** DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE */
const perMonitorAware = -3n;
const monitorInfo = { bytes: 104, area: 4, flags: 36, name: 40, isPrimary: 1 } as const;
/** MONITOR_DEFAULTTONEAREST */
const nearest = 2;
/** Values of QUERY_USER_NOTIFICATION_STATE: a full-screen program, one of Direct3D, a presentation, a full-screen app of the Store. */
const fullScreenStates: ReadonlySet<number> = new Set([2, 3, 4, 7]);
const titleCharsMax = 300;
/** More than any desktop has. */
const windowsMax = 4_000;

function loadFunctions() {
  const ffi = getBuiltinModule("node:ffi");
  if (ffi === undefined) return undefined;
  const { functions: user, lib } = ffi.dlopen("user32.dll", {
    SetThreadDpiAwarenessContext: { arguments: ["i64"], return: "i64" },
    EnumDisplayMonitors: { arguments: ["pointer", "pointer", "pointer", "i64"], return: "i32" },
    GetMonitorInfoW: { arguments: ["pointer", "buffer"], return: "i32" },
    MonitorFromWindow: { arguments: ["pointer", "u32"], return: "pointer" },
    GetForegroundWindow: { arguments: [], return: "pointer" },
    GetShellWindow: { arguments: [], return: "pointer" },
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
  const { functions: shell } = ffi.dlopen("shell32.dll", {
    SHQueryUserNotificationState: { arguments: ["buffer"], return: "i32" },
  });
  // All sizes in real pixels, as ffmpeg counts them.
  user.SetThreadDpiAwarenessContext(perMonitorAware);
  return { ...user, ...manager, ...shell, lib };
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

function readMonitor({ GetMonitorInfoW }: Functions, handle: bigint): DesktopMonitor | undefined {
  const info = Buffer.alloc(monitorInfo.bytes);
  info.writeUInt32LE(monitorInfo.bytes);
  if (GetMonitorInfoW(handle, info) === 0) return undefined;
  const [x = 0, y = 0, right = 0, bottom = 0] = [0, 4, 8, 12].map((at) => info.readInt32LE(monitorInfo.area + at));
  const [name = ""] = info.toString("utf16le", monitorInfo.name).split("\0");
  return {
    id: Number(handle),
    name: name.replace(/^\\\\\.\\/, ""),
    x,
    y,
    width: right - x,
    height: bottom - y,
    isPrimary: (info.readUInt32LE(monitorInfo.flags) & monitorInfo.isPrimary) !== 0,
  };
}

function listMonitors(functions: Functions): DesktopMonitor[] {
  const { lib, EnumDisplayMonitors } = functions;
  const found: bigint[] = [];
  const note = (monitor: unknown) => found.push(monitor as bigint);
  const signature = { arguments: ["pointer", "pointer", "pointer", "i64"], return: "i32" } as const;
  const onMonitor = lib.registerCallback(signature, note);
  EnumDisplayMonitors(0n, 0n, onMonitor, 0n);
  lib.unregisterCallback(onMonitor);
  return found.flatMap((handle) => readMonitor(functions, handle) ?? []);
}

/** Many games cover the screen with a window that has no frame, which Windows does not always count as full-screen. */
function isScreenFilled(functions: Functions): boolean {
  const number = Buffer.alloc(4);
  const isTold = functions.SHQueryUserNotificationState(number) === 0;
  if (isTold && fullScreenStates.has(number.readInt32LE())) return true;
  const handle = functions.GetForegroundWindow();
  const front = handle === 0n ? undefined : readWindow(functions, handle);
  if (front === undefined || !front.isShown) return false;
  // The desktop itself fills the screen, too. It belongs to Explorer.
  const shell = functions.GetShellWindow();
  if (shell !== 0n && functions.GetWindowThreadProcessId(shell, number) !== 0 && number.readUInt32LE() === front.pid)
    return false;
  if ((functions.GetWindowLongW(handle, style) & maximisedWithTitleBar) === maximisedWithTitleBar) return false;
  const monitor = readMonitor(functions, functions.MonitorFromWindow(handle, nearest));
  return (
    monitor !== undefined &&
    front.x <= monitor.x &&
    front.y <= monitor.y &&
    front.x + front.width >= monitor.x + monitor.width &&
    front.y + front.height >= monitor.y + monitor.height
  );
}

/** Undefined if this Node cannot call functions of the system. The list of windows begins with the one in front. */
export function openDesktop() {
  const functions = loadFunctions();
  if (functions === undefined) return undefined;
  return {
    listWindows: () => [...handles(functions)].flatMap((handle) => readWindow(functions, handle) ?? []),
    listMonitors: () => listMonitors(functions),
    /** True if a program fills the screen, or a person asked Windows for silence, as in a presentation. */
    isScreenFilled: () => isScreenFilled(functions),
  };
}
