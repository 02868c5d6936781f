// The process of strip.ts: paints the clock on an X display or on Windows until its parent ends.

import { once } from "node:events";
import { getBuiltinModule } from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { type Client, createClient, type Screen } from "x11";
import { cellCount, encodeClock } from "./clock-code.ts";
import { type PaintedClock, type StripPainter, type StripPlace, stripHeight, stripTitle } from "./strip.ts";

const dark = 0x101010;
const light = 0xf0f0f0;

function connect(display: string): Promise<{ x: Client; screen: Screen }> {
  return new Promise((resolve, reject) => {
    const client = createClient({ display, bufferRequests: true }, (error, connected) => {
      const screen = connected?.screen[0];
      if (screen === undefined) reject(error ?? new Error(`${display} has no screen`));
      else resolve({ x: connected.client, screen });
    });
    client.on("error", reject);
    client.on("end", () => process.exit(1));
  });
}

/** No window manager moves or decorates the window, and it takes no clicks or keys. */
async function openX11Painter({ display, x: left, y: top, width }: StripPlace): Promise<StripPainter> {
  const { x, screen } = await connect(display);
  const window = x.AllocID();
  const picture = x.AllocID();
  const context = x.AllocID();
  const rowHeight = Math.ceil(width / cellCount);
  const edge = (cell: number) => Math.round((cell * width) / cellCount);
  x.CreateWindow(window, screen.root, left, top, width, stripHeight, 0, 0, 0, 0, {
    backgroundPixel: dark,
    overrideRedirect: true,
  });
  x.ChangeProperty(0, window, x.atoms.WM_NAME ?? 0, x.atoms.STRING ?? 0, 8, stripTitle);
  x.CreatePixmap(picture, window, screen.root_depth, width, stripHeight);
  x.CreateGC(context, window, { foreground: dark, graphicsExposures: 0 });
  x.MapWindow(window);
  return {
    async paint(cells) {
      x.ChangeGC(context, { foreground: dark });
      x.PolyFillRectangle(picture, context, [0, 0, width, stripHeight]);
      x.ChangeGC(context, { foreground: light });
      const white = cells.flatMap((isWhite, cell) =>
        isWhite ? [edge(cell), 0, edge(cell + 1) - edge(cell), rowHeight] : [],
      );
      x.PolyFillRectangle(picture, context, white);
      // One request, so that a capture never sees half a clock.
      x.CopyArea(picture, window, context, 0, 0, 0, 0, width, stripHeight);
      await x.sync();
    },
  };
}

const screenWidth = 0;
/** Above all windows, and never active. Not a tool window: the recorder does not list those, so it could not record it by its handle. */
const extendedStyle = 0x8 | 0x0800_0000;
const popupVisible = 0x9000_0000;
/** Draws enlarged pixels with sharp edges. */
const withoutBlending = 3;
const copyPixels = 0x00cc_0020;
const removeMessage = 1;
const messageBytes = 48;
const headerBytes = 40;
const opaque = 0xff00_0000;

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

/** Shows a window without a frame, above all others, on the first monitor. */
function openWindowsPainter(): StripPainter {
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
      for (const [cell, isWhite] of cells.entries()) row.writeUInt32LE(opaque + (isWhite ? light : dark), cell * 4);
      const from = [0, 0, cellCount, 1] as const;
      const drawn = windows.StretchDIBits(context, 0, 0, width, stripHeight, ...from, row, header, 0, copyPixels);
      windows.GdiFlush();
      if (drawn === 0) throw new Error("Windows draws nothing in the window");
    },
  };
}

const framesPerSecond = 60;
/** The self-test asks much earlier. */
const paintedMax = 20_000;

async function paintForever(painter: StripPainter): Promise<void> {
  const painted: PaintedClock[] = [];
  process.on("message", () => process.send?.(painted.splice(0)));
  for (let frame = 0; ; frame += 1) {
    const clockMs = Date.now();
    await painter.paint(encodeClock({ clockMs, frame }));
    if (painted.length === paintedMax) painted.shift();
    painted.push({ clockMs, shownMs: Date.now() });
    if (frame === 0) process.send?.("shown");
    await pause(1_000 / framesPerSecond);
  }
}

process.on("disconnect", () => process.exit(0));
try {
  const [place] = (await once(process, "message")) as [StripPlace];
  await paintForever(process.platform === "win32" ? openWindowsPainter() : await openX11Painter(place));
} catch (error) {
  process.send?.({ failed: (error as Error).message }, () => process.exit(1));
}
