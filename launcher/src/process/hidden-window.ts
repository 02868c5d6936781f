// A hidden window of Windows, which gets messages of the system. Its thread reads them and calls `procedure`.

/** Declarations for `dlopen("user32.dll")` of what opens a hidden window, reads its messages and closes it. */
export const hiddenWindowFunctions = {
  RegisterClassExW: { arguments: ["buffer"], return: "u16" },
  CreateWindowExW: {
    arguments: [
      ...(["u32", "buffer", "buffer", "u32", "i32", "i32", "i32", "i32"] as const),
      ...(["pointer", "pointer", "pointer", "pointer"] as const),
    ],
    return: "pointer",
  },
  DestroyWindow: { arguments: ["pointer"], return: "i32" },
  DefWindowProcW: { arguments: ["pointer", "u32", "u64", "i64"], return: "i64" },
  GetMessageW: { arguments: ["buffer", "pointer", "u32", "u32"], return: "i32" },
  DispatchMessageW: { arguments: ["buffer"], return: "i64" },
} as const;

/** Declaration of a window procedure for `registerCallback`. */
export const windowProcedure = { arguments: ["pointer", "u32", "u64", "i64"], return: "i64" } as const;

/** Bytes of a message that `GetMessageW` writes. */
export const messageBytes = 48;
const classBytes = 80;
/** Keeps the window out of the task bar. */
const toolWindow = 0x80;
const placeOf = { procedure: 8, name: 64 };

type Opener = {
  RegisterClassExW(windowClass: Buffer): number;
  // biome-ignore format: the parameters of Windows in their order
  CreateWindowExW(extendedStyle: number, windowClass: Buffer, title: Buffer, style: number, x: number, y: number, width: number, height: number, parent: bigint, menu: bigint, program: bigint, extra: bigint): bigint;
  addressOf(bytes: Buffer): bigint;
};

/** Not a message-only window, because Windows tells those neither of the end of a session nor that Explorer has restarted. */
export function openHiddenWindow(functions: Opener, title: string, procedure: bigint): bigint {
  const name = Buffer.from(`${title}\0`, "utf16le");
  const windowClass = Buffer.alloc(classBytes);
  windowClass.writeUInt32LE(windowClass.length, 0);
  windowClass.writeBigUInt64LE(procedure, placeOf.procedure);
  windowClass.writeBigUInt64LE(functions.addressOf(name), placeOf.name);
  functions.RegisterClassExW(windowClass);
  const window = functions.CreateWindowExW(toolWindow, name, name, 0, 0, 0, 0, 0, 0n, 0n, 0n, 0n);
  if (window === 0n) throw new Error("Windows gave no window");
  return window;
}
