// Paints the strip on Windows, through its system libraries: a window without a frame, above all others, on the first monitor.
import { getBuiltinModule } from "node:process";
import { cellCount } from "./clock-code.ts";
import { type StripPainter, stripHeight, stripTitle } from "./strip.ts";

const screenWidth = 0;
/** Above all windows, not in the task bar, and never active. */
const extendedStyle = 0x8 | 0x80 | 0x0800_0000;
const popupVisible = 0x9000_0000;
/** Draws enlarged pixels with sharp edges. */
const withoutBlending = 3;
const copyPixels = 0x00cc_0020;
const removeMessage = 1;
const messageBytes = 48;
const headerBytes = 40;
const dark = 0xff10_1010;
const light = 0xfff0_f0f0;

function loadFunctions() {
  const ffi = getBuiltinModule("node:ffi");
  if (ffi === undefined) throw new Error("this Node.js cannot call Windows");
  const { functions: user } = ffi.dlopen("user32.dll", {
    SetProcessDPIAware: { arguments: [], return: "i32" },
    GetSystemMetrics: { arguments: ["i32"], return: "i32" },
    CreateWindowExW: {
      arguments: [
        ...(["u32", "buffer", "buffer", "u32", "i32", "i32", "i32", "i32"] as const),
        ...(["pointer", "pointer", "pointer", "pointer"] as const),
      ],
      return: "pointer",
    },
    GetDC: { arguments: ["pointer"], return: "pointer" },
    PeekMessageW: { arguments: ["buffer", "pointer", "u32", "u32", "u32"], return: "i32" },
    DispatchMessageW: { arguments: ["buffer"], return: "i64" },
  });
  const { functions: drawing } = ffi.dlopen("gdi32.dll", {
    SetStretchBltMode: { arguments: ["pointer", "i32"], return: "i32" },
    StretchDIBits: {
      arguments: [
        ...(["pointer", "i32", "i32", "i32", "i32", "i32", "i32", "i32", "i32"] as const),
        ...(["buffer", "buffer", "u32", "u32"] as const),
      ],
      return: "i32",
    },
    GdiFlush: { arguments: [], return: "i32" },
  });
  return { ...user, ...drawing };
}

/** Describes one row of pixels with 32 bits each. */
function rowHeader(): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32LE(headerBytes, 0);
  header.writeInt32LE(cellCount, 4);
  header.writeInt32LE(1, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(32, 14);
  return header;
}

const wide = (text: string) => Buffer.from(`${text}\0`, "utf16le");

export function openWindowsPainter(): StripPainter {
  const windows = loadFunctions();
  // Otherwise Windows enlarges the window on screens with small pixels.
  windows.SetProcessDPIAware();
  const width = windows.GetSystemMetrics(screenWidth);
  const window = windows.CreateWindowExW(
    ...([extendedStyle, wide("STATIC"), wide(stripTitle), popupVisible, 0, 0, width, stripHeight] as const),
    ...([0n, 0n, 0n, 0n] as const),
  );
  if (window === 0n) throw new Error("Windows shows no window");
  const context = windows.GetDC(window);
  windows.SetStretchBltMode(context, withoutBlending);
  const header = rowHeader();
  const row = Buffer.alloc(cellCount * 4);
  const message = Buffer.alloc(messageBytes);
  return {
    async paint(cells) {
      // A window whose messages nobody reads counts as not responding.
      while (windows.PeekMessageW(message, 0n, 0, 0, removeMessage) !== 0) windows.DispatchMessageW(message);
      for (const [cell, isWhite] of cells.entries()) row.writeUInt32LE(isWhite ? light : dark, cell * 4);
      const from = [0, 0, cellCount, 1] as const;
      const drawn = windows.StretchDIBits(context, 0, 0, width, stripHeight, ...from, row, header, 0, copyPixels);
      windows.GdiFlush();
      if (drawn === 0) throw new Error("Windows draws nothing in the window");
    },
  };
}
