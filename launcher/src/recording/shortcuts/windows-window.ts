// The hidden window by which Windows tells Kit of its hotkeys and of clicks on its icon in the taskbar.
import { readFileSync } from "node:fs";
import { getBuiltinModule } from "node:process";
import { hiddenWindowFunctions, messageBytes, openHiddenWindow, windowProcedure } from "../../process/hidden-window.ts";
import type { HotkeyName } from "./hotkeys.ts";

export type WantedOnWindows = {
  readonly hotkeys: readonly { readonly name: HotkeyName; readonly modifiers: number; readonly key: number }[];
  /** The icon is a PNG. Each text is a line of its menu. */
  readonly tray: { readonly icon: string; readonly menu: readonly string[] } | null;
};
export type RefusedHotkey = { readonly name: HotkeyName; readonly error: number };
export type WindowNotice =
  | { readonly pressed: HotkeyName }
  | { readonly clicked: true }
  /** The number of a line of the menu. */
  | { readonly chosen: number }
  | { readonly hasTray: boolean };

/** The message that makes the window read what Kit wants. */
const wake = 0x8001;
const fromTray = 0x8002;
const windowMessages = { close: 0x10, contextMenu: 0x7b, timer: 0x113, hotkey: 0x312, select: 0x400, keySelect: 0x401 };
const noRepeat = 0x4000;
const systemAware = -2n;
const smallIconWidth = 49;
const iconVersion = 0x3_0000;
const ordinaryIcon = 32_512n;
const notify = { add: 0, modify: 1, remove: 2, setVersion: 4 } as const;
/** The message, the icon and the tip are set, and the tip is shown. */
const iconFlags = 0x87;
/** NOTIFYICON_VERSION_4: the keyboard can choose the icon, too. */
const trayVersion = 4;
/** Returns the chosen line, tells the window nothing, and also takes right clicks. */
const menuFlags = 0x182;
const separator = 0x800;
/** Explorer may be busy at sign-in. */
const addAgainMs = 5_000;

const wide = (text: string) => Buffer.from(`${text}\0`, "utf16le");

function loadFunctions() {
  const ffi = getBuiltinModule("node:ffi");
  if (ffi === undefined) throw new Error("this Node cannot call functions of the system");
  const { functions: user, lib } = ffi.dlopen("user32.dll", {
    SetThreadDpiAwarenessContext: { arguments: ["i64"], return: "pointer" },
    ...hiddenWindowFunctions,
    PostMessageW: { arguments: ["pointer", "u32", "u64", "i64"], return: "i32" },
    PostQuitMessage: { arguments: ["i32"], return: "void" },
    RegisterWindowMessageW: { arguments: ["buffer"], return: "u32" },
    RegisterHotKey: { arguments: ["pointer", "i32", "u32", "u32"], return: "i32" },
    UnregisterHotKey: { arguments: ["pointer", "i32"], return: "i32" },
    SetTimer: { arguments: ["pointer", "u64", "u32", "pointer"], return: "u64" },
    KillTimer: { arguments: ["pointer", "u64"], return: "i32" },
    GetSystemMetrics: { arguments: ["i32"], return: "i32" },
    CreateIconFromResourceEx: { arguments: ["buffer", "u32", "i32", "u32", "i32", "i32", "u32"], return: "pointer" },
    LoadIconW: { arguments: ["pointer", "pointer"], return: "pointer" },
    CreatePopupMenu: { arguments: [], return: "pointer" },
    AppendMenuW: { arguments: ["pointer", "u32", "u64", "buffer"], return: "i32" },
    SetMenuDefaultItem: { arguments: ["pointer", "u32", "u32"], return: "i32" },
    DestroyMenu: { arguments: ["pointer"], return: "i32" },
    SetForegroundWindow: { arguments: ["pointer"], return: "i32" },
    TrackPopupMenuEx: { arguments: ["pointer", "u32", "i32", "i32", "pointer", "pointer"], return: "i32" },
  });
  const { functions: kernel } = ffi.dlopen("kernel32.dll", { GetLastError: { arguments: [], return: "u32" } });
  const { functions: shell } = ffi.dlopen("shell32.dll", {
    Shell_NotifyIconW: { arguments: ["u32", "buffer"], return: "i32" },
  });
  return { ...user, ...kernel, ...shell, lib, addressOf: ffi.getRawPointer };
}

type Functions = ReturnType<typeof loadFunctions>;

/** Returns a function of the main thread that posts the message to the window. */
export function openWaker(): (window: bigint) => void {
  const { functions } = getBuiltinModule("node:ffi").dlopen("user32.dll", {
    PostMessageW: { arguments: ["pointer", "u32", "u64", "i64"], return: "i32" },
  });
  return (window) => void functions.PostMessageW(window, wake, 0n, 0n);
}

/** Shows the icon, and shows it again when Explorer has restarted. */
function createIcon(functions: Functions, window: bigint, say: (notice: WindowNotice) => void) {
  const data = Buffer.alloc(976);
  let wanted: WantedOnWindows["tray"] = null;
  let isMenuOpen = false;
  const tell = (what: keyof typeof notify) => functions.Shell_NotifyIconW(notify[what], data) !== 0;

  function read(path: string): bigint {
    const size = functions.GetSystemMetrics(smallIconWidth);
    try {
      const png = readFileSync(path);
      const icon = functions.CreateIconFromResourceEx(png, png.length, 1, iconVersion, size, size, 0);
      if (icon !== 0n) return icon;
    } catch {
      // An ordinary icon is better than none.
    }
    return functions.LoadIconW(0n, ordinaryIcon);
  }
  function add(): void {
    if (wanted === null) return;
    // If Explorer was slow, the icon may be there although adding it failed.
    const hasTray = tell("add") || tell("modify");
    if (hasTray) tell("setVersion");
    if (hasTray) functions.KillTimer(window, 1n);
    else functions.SetTimer(window, 1n, addAgainMs, 0n);
    say({ hasTray });
  }
  function fill(icon: string): void {
    data.writeUInt32LE(data.length, 0);
    data.writeBigUInt64LE(window, 8);
    data.writeUInt32LE(1, 16);
    data.writeUInt32LE(iconFlags, 20);
    data.writeUInt32LE(fromTray, 24);
    if (data.readBigUInt64LE(32) === 0n) data.writeBigUInt64LE(read(icon), 32);
    wide("Kit").copy(data, 40);
    data.writeUInt32LE(trayVersion, 816);
  }
  function showMenu(x: number, y: number): void {
    if (wanted === null || isMenuOpen) return;
    isMenuOpen = true;
    const menu = functions.CreatePopupMenu();
    for (const [index, text] of wanted.menu.entries()) {
      // The last line ends Kit.
      if (index > 0 && index === wanted.menu.length - 1) functions.AppendMenuW(menu, separator, 0n, wide(""));
      functions.AppendMenuW(menu, 0, BigInt(index + 1), wide(text));
    }
    functions.SetMenuDefaultItem(menu, 0, 1);
    // Otherwise the menu would stay open when a person clicks elsewhere.
    functions.SetForegroundWindow(window);
    const chosen = functions.TrackPopupMenuEx(menu, menuFlags, x, y, window, 0n);
    functions.PostMessageW(window, 0, 0n, 0n);
    functions.DestroyMenu(menu);
    isMenuOpen = false;
    if (chosen > 0) say({ chosen: chosen - 1 });
  }

  return {
    add,
    apply(next: WantedOnWindows["tray"]): void {
      const isShown = wanted !== null;
      wanted = next;
      if (next === null) {
        functions.KillTimer(window, 1n);
        if (isShown) tell("remove");
      } else if (!isShown) {
        fill(next.icon);
        add();
      }
    },
    handle(place: bigint, event: bigint): void {
      const what = Number(event & 0xffffn);
      if (what === windowMessages.select || what === windowMessages.keySelect) say({ clicked: true });
      if (what === windowMessages.contextMenu)
        showMenu(Number(BigInt.asIntN(16, place)), Number(BigInt.asIntN(16, place >> 16n)));
    },
  };
}

function createHotkeyTaker(functions: Functions, window: bigint) {
  let taken: WantedOnWindows["hotkeys"] = [];
  let refused: RefusedHotkey[] = [];
  return {
    nameOf: (id: number): HotkeyName | undefined => taken[id]?.name,
    apply(wanted: WantedOnWindows["hotkeys"]): readonly RefusedHotkey[] {
      if (JSON.stringify(wanted) === JSON.stringify(taken)) return refused;
      for (const id of taken.keys()) functions.UnregisterHotKey(window, id);
      taken = wanted;
      refused = wanted.flatMap(({ name, modifiers, key }, id) =>
        functions.RegisterHotKey(window, id, modifiers | noRepeat, key) === 0
          ? [{ name, error: functions.GetLastError() }]
          : [],
      );
      return refused;
    },
  };
}

export type WindowDeps = {
  /** Called with the window before its loop begins. */
  readonly opened: (window: bigint) => void;
  /** Called when the window is woken. Reads what is wanted, and gives it to `apply`. "end" ends the loop. */
  readonly woken: (apply: (wanted: WantedOnWindows | "end") => readonly RefusedHotkey[]) => void;
  readonly say: (notice: WindowNotice) => void;
};

/** Opens the window, and returns when it is closed. */
export function runWindow({ opened, woken, say }: WindowDeps): void {
  const functions = loadFunctions();
  functions.SetThreadDpiAwarenessContext(systemAware);
  const taskbarCreated = functions.RegisterWindowMessageW(wide("TaskbarCreated"));
  let failure: unknown;
  const handlers = new Map<number, (first: bigint, second: bigint) => void>();
  const procedure = functions.lib.registerCallback(windowProcedure, (target, what, first, second) => {
    const handle = handlers.get(what);
    if (handle === undefined) return functions.DefWindowProcW(target, what, first, second);
    try {
      handle(first, second);
    } catch (error) {
      // Must not leave this function, which Windows has called.
      failure = error;
      functions.PostQuitMessage(1);
    }
    return 0n;
  });
  const window = openHiddenWindow(functions, "KitDesktop", procedure);
  const icon = createIcon(functions, window, say);
  const hotkeys = createHotkeyTaker(functions, window);
  const apply = (wanted: WantedOnWindows | "end"): readonly RefusedHotkey[] => {
    icon.apply(wanted === "end" ? null : wanted.tray);
    const refused = hotkeys.apply(wanted === "end" ? [] : wanted.hotkeys);
    if (wanted === "end") functions.PostQuitMessage(0);
    return refused;
  };
  handlers
    .set(wake, () => woken(apply))
    .set(fromTray, icon.handle)
    .set(taskbarCreated, icon.add)
    .set(windowMessages.timer, icon.add)
    // Kit ends its window itself.
    .set(windowMessages.close, () => undefined)
    .set(windowMessages.hotkey, (id) => {
      const pressed = hotkeys.nameOf(Number(id));
      if (pressed !== undefined) say({ pressed });
    });
  opened(window);
  const message = Buffer.alloc(messageBytes);
  while (functions.GetMessageW(message, 0n, 0, 0) > 0) functions.DispatchMessageW(message);
  functions.DestroyWindow(window);
  if (failure !== undefined) throw failure;
}
