// Paints the clock window until the parent process ends. A separate process, so that a busy test cannot stall it.
import { type Client, createClient, type Screen } from "x11";
import { cellCount, encodeClock } from "./clock-code.ts";
import type { ClockFrame } from "./clock-window.ts";

const [display = "", title = "", ...numbers] = process.argv.slice(2);
const [width = 0, height = 0, framesPerSecond = 0] = numbers.map(Number);

const cell = width / cellCount;
const bars = 12;
const tileSide = 256;
/** What nobody asks for is forgotten: half an hour at 60 frames a second. */
const framesMax = 108_000;

const frames: ClockFrame[] = [];

function connect(): Promise<{ x: Client; screen: Screen }> {
  return new Promise((resolve, reject) => {
    const client = createClient({ display, bufferRequests: true }, (error, connected) => {
      const screen = connected?.screen[0];
      if (screen === undefined) reject(error ?? new Error(`${display} has no screen`));
      else resolve({ x: connected.client, screen });
    });
    client.on("error", (error) => {
      console.error(`clock window: ${error.message}`);
      process.exit(1);
    });
    client.on("end", () => process.exit(1));
  });
}

/** Coloured blocks, which are realistic content for an encoder. */
function texture(): Uint8Array {
  const pixels = Buffer.alloc(tileSide * tileSide * 4);
  for (let place = 0; place < tileSide * tileSide; place += 1) {
    const column = (place % tileSide) >> 3;
    const row = Math.floor(place / tileSide) >> 3;
    const shade = Math.imul(column * 73 + row * 179 + 11, 2_654_435_761) >>> 8;
    pixels.writeUInt32LE(shade & 0x7f7f7f, place * 4);
  }
  return pixels;
}

/** Rectangles of the cells of one colour. */
const rectangles = (cells: readonly boolean[], colour: boolean): number[] =>
  cells.flatMap((isWhite, index) => (isWhite === colour ? [index * cell, 0, cell, cell] : []));

const { x, screen } = await connect();
const window = x.AllocID();
const picture = x.AllocID();
const tile = x.AllocID();
const plain = x.AllocID();
const tiled = x.AllocID();
x.CreateWindow(window, screen.root, 0, 0, width, height, 0, 0, 0, 0, { backgroundPixel: 0 });
x.ChangeProperty(0, window, x.atoms.WM_NAME ?? 0, x.atoms.STRING ?? 0, 8, title);
x.CreatePixmap(picture, window, screen.root_depth, width, height);
x.CreatePixmap(tile, window, screen.root_depth, tileSide, tileSide);
x.CreateGC(plain, window, { foreground: 0, graphicsExposures: 0 });
x.PutImage(2, tile, plain, tileSide, tileSide, 0, 0, 0, screen.root_depth, texture());
x.CreateGC(tiled, window, { fillStyle: 1, tile, graphicsExposures: 0 });
x.MapWindow(window);

/** Draws off-screen and copies with one request, so that a capture never sees half a frame. */
async function paint(frame: number): Promise<void> {
  const beganMs = performance.now();
  const clockMs = Date.now();
  x.ChangeGC(tiled, { tileStippleXOrigin: Math.floor(clockMs / 8) % tileSide, tileStippleYOrigin: 0 });
  x.PolyFillRectangle(picture, tiled, [0, 0, width, height]);
  for (let bar = 0; bar < bars; bar += 1) {
    const span = width - width / 10;
    const place = Math.abs((Math.floor(clockMs / (4 + bar)) % (2 * span)) - span);
    x.ChangeGC(plain, { foreground: Math.imul(bar + 1, 2_654_435_761) & 0xffffff });
    x.PolyFillRectangle(picture, plain, [place, 3 * cell + (bar * (height - 4 * cell)) / bars, width / 10, cell]);
  }
  const cells = encodeClock({ clockMs, frame });
  for (const colour of [false, true]) {
    x.ChangeGC(plain, { foreground: colour ? 0xf0f0f0 : 0x101010 });
    x.PolyFillRectangle(picture, plain, rectangles(cells, colour));
  }
  x.CopyArea(picture, window, plain, 0, 0, 0, 0, width, height);
  await x.sync();
  if (frames.length === framesMax) frames.shift();
  frames.push({ clockMs, shownMs: Date.now(), workMs: performance.now() - beganMs });
}

process.on("message", () => process.send?.(frames.splice(0)));
process.on("disconnect", () => process.exit(0));

const startMs = performance.now();
let frame = 0;
for (;;) {
  await paint(frame);
  if (frame === 0) process.send?.("shown");
  // Skips late frames.
  const due = Math.floor(((performance.now() - startMs) * framesPerSecond) / 1_000) + 1;
  frame = Math.max(frame + 1, due);
  const waitMs = startMs + (frame * 1_000) / framesPerSecond - performance.now();
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, waitMs)));
}
