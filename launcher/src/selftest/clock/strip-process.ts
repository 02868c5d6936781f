// The process of strip.ts: paints the clock until its parent ends.
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { encodeClock } from "./clock-code.ts";
import type { PaintedClock, StripPainter, StripPlace } from "./strip.ts";
import { openWindowsPainter } from "./windows-painter.ts";
import { openX11Painter } from "./x11-painter.ts";

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
