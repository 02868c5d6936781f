// The clipboard of Windows, through functions of the system: no program is started, so no console window shows up.
import { getBuiltinModule } from "node:process";
import { hiddenWindowFunctions } from "./hidden-window.ts";

/** CF_HDROP */
const fileFormat = 15;
/** DROPFILES, before the paths: where they begin, and that they are UTF-16. */
const fileList = { bytes: 20, isWide: 16 } as const;
/** GMEM_MOVEABLE, which the clipboard demands */
const moveable = 2;
/** Another program holds the clipboard for moments only. */
const attemptsMax = 50;
const pauseMs = 20;

function loadFunctions() {
  const ffi = getBuiltinModule("node:ffi");
  if (ffi === undefined) return undefined;
  const { CreateWindowExW, DestroyWindow } = hiddenWindowFunctions;
  const { functions: user } = ffi.dlopen("user32.dll", {
    CreateWindowExW,
    DestroyWindow,
    OpenClipboard: { arguments: ["pointer"], return: "i32" },
    CloseClipboard: { arguments: [], return: "i32" },
    EmptyClipboard: { arguments: [], return: "i32" },
    SetClipboardData: { arguments: ["u32", "pointer"], return: "pointer" },
  });
  const { functions: kernel } = ffi.dlopen("kernel32.dll", {
    GlobalAlloc: { arguments: ["u32", "u64"], return: "pointer" },
    GlobalFree: { arguments: ["pointer"], return: "pointer" },
    GlobalLock: { arguments: ["pointer"], return: "pointer" },
    GlobalUnlock: { arguments: ["pointer"], return: "i32" },
    RtlMoveMemory: { arguments: ["pointer", "pointer", "u64"], return: "void" },
  });
  return { ...user, ...kernel, addressOf: (bytes: Buffer) => ffi.getRawPointer(bytes) };
}

type Functions = NonNullable<ReturnType<typeof loadFunctions>> & { pause(): void };

const pauseBriefly = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);

/** `busy`: another program keeps the clipboard open. */
export type ClipboardCopy = "taken" | "busy" | "refused";

/** Calls `use` with the clipboard open. Does not call it if Windows gives no window, or another program keeps the clipboard. */
function withClipboard(functions: Functions, use: () => ClipboardCopy): ClipboardCopy {
  const ownClass = Buffer.from("STATIC\0", "utf16le");
  const noTitle = Buffer.alloc(2);
  // Without an owner, Windows takes no data.
  const owner = functions.CreateWindowExW(0, ownClass, noTitle, 0, 0, 0, 0, 0, 0n, 0n, 0n, 0n);
  if (owner === 0n) return "refused";
  try {
    for (let attempt = 1; functions.OpenClipboard(owner) === 0; attempt += 1) {
      if (attempt === attemptsMax) return "busy";
      functions.pause();
    }
    try {
      return use();
    } finally {
      functions.CloseClipboard();
    }
  } finally {
    functions.DestroyWindow(owner);
  }
}

/** Returns memory of Windows with these bytes, 0 if there is not enough. */
function allocate(functions: Functions, bytes: Buffer): bigint {
  const memory = functions.GlobalAlloc(moveable, BigInt(bytes.length));
  const place = memory === 0n ? 0n : functions.GlobalLock(memory);
  if (place !== 0n) {
    functions.RtlMoveMemory(place, functions.addressOf(bytes), BigInt(bytes.length));
    functions.GlobalUnlock(memory);
    return memory;
  }
  if (memory !== 0n) functions.GlobalFree(memory);
  return 0n;
}

/** Allocates first: what is on the clipboard must not be lost to a lack of memory. */
function replace(functions: Functions, bytes: Buffer): ClipboardCopy {
  const memory = allocate(functions, bytes);
  if (memory === 0n) return "refused";
  const outcome = withClipboard(functions, () => {
    const isSet = functions.EmptyClipboard() !== 0 && functions.SetClipboardData(fileFormat, memory) !== 0n;
    return isSet ? "taken" : "refused";
  });
  // Windows owns the memory once it took it.
  if (outcome !== "taken") functions.GlobalFree(memory);
  return outcome;
}

/** Undefined if this Node cannot call functions of the system. Calls `pause` between two attempts to open the clipboard. */
export function openWindowsClipboard(pause = pauseBriefly) {
  const loaded = loadFunctions();
  if (loaded === undefined) return undefined;
  const functions = { ...loaded, pause };
  return {
    copyFiles(paths: readonly string[]): ClipboardCopy {
      const head = Buffer.alloc(fileList.bytes);
      head.writeUInt32LE(fileList.bytes);
      head.writeUInt32LE(1, fileList.isWide);
      const names = Buffer.from(`${paths.map((path) => `${path}\0`).join("")}\0`, "utf16le");
      return replace(functions, Buffer.concat([head, names]));
    },
  };
}
