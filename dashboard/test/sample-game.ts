// Draws a sample game on a screen of its own for the documentation's pictures: moving scenes that fit the names of its events.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { pathOf } from "../../tools/engines/locate.ts";

export type Scene = "forest" | "boss" | "sky";

export type SampleGame = {
  show(scene: Scene): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

const width = 1280;
const height = 720;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: It is sent to the game's page as one function, so it may use nothing from outside.
function paintForever({ width, height }: { width: number; height: number }): void {
  const canvas = document.body.appendChild(document.createElement("canvas"));
  Object.assign(canvas, { width, height });
  const drawing = canvas.getContext("2d");
  if (drawing === null) return;
  const pen = drawing;
  /** A number between 0 and 1, always the same for a seed. */
  const chance = (seed: number) => (Math.abs(Math.sin(seed * 127.1) * 43758.5453) % 1) as number;
  const glow = (x: number, y: number, radius: number, colour: string) => {
    const light = pen.createRadialGradient(x, y, 0, x, y, radius);
    light.addColorStop(0, colour);
    light.addColorStop(1, `${colour.slice(0, 7)}00`);
    pen.fillStyle = light;
    pen.fillRect(x - radius, y - radius, radius * 2, radius * 2);
  };
  const shape = (colour: string, points: readonly (readonly [number, number])[]) => {
    pen.fillStyle = colour;
    pen.beginPath();
    for (const [x, y] of points) pen.lineTo(x, y);
    pen.fill();
  };
  const sky = (colours: readonly string[]) => {
    const fall = pen.createLinearGradient(0, 0, 0, height);
    for (const [n, colour] of colours.entries()) fall.addColorStop(n / (colours.length - 1), colour);
    pen.fillStyle = fall;
    pen.fillRect(0, 0, width, height);
  };
  const fox = (x: number, y: number, step: number, size: number) => {
    const p = (dx: number, dy: number) => [x + dx * size, y + dy * size] as const;
    const leg = Math.sin(step) * 5;
    shape("#b4501e", [p(-44, -20), p(-82, -40 + leg), p(-92, -24), p(-60, -6)]);
    shape("#fff3e4", [p(-82, -40 + leg), p(-98, -40), p(-92, -24)]);
    shape("#e8712c", [p(-48, -30), p(30, -34), p(40, -8), p(-44, -4)]);
    for (const [dx, way] of [
      [-38, 1],
      [-26, -1],
      [20, 1],
      [32, -1],
    ] as const) {
      shape("#8f3d16", [p(dx, -8), p(dx + 8, -8), p(dx + 6 + leg * way, 16), p(dx + leg * way, 16)]);
    }
    shape("#e8712c", [p(24, -30), p(28, -62), p(42, -50), p(58, -64), p(62, -38), p(78, -26), p(44, -16)]);
    shape("#fff3e4", [p(56, -30), p(78, -26), p(46, -16)]);
    glow(x + 52 * size, y - 42 * size, 5 * size, "#1b1b3a");
  };
  const words = (text: string, x: number, y: number, colour = "#fff", font = "600 26px system-ui") => {
    pen.font = font;
    pen.fillStyle = colour;
    pen.fillText(text, x, y);
  };
  const trees = (t: number, far: number, colour: string, ground: number) => {
    for (let n = 0; n < 16; n += 1) {
      const x = ((((n * 113 + chance(n + far) * 60 - t * 90 * far) % 1600) + 1600) % 1600) - 160;
      const tall = (180 + chance(n * 3 + far) * 190) * far;
      shape(colour, [
        [x, ground],
        [x + 46 * far, ground - tall],
        [x + 92 * far, ground],
      ]);
      shape(colour, [
        [x + 10 * far, ground - tall * 0.35],
        [x + 46 * far, ground - tall * 1.22],
        [x + 82 * far, ground - tall * 0.35],
      ]);
    }
  };
  const forest = (t: number, boss: boolean) => {
    sky(boss ? ["#1a0b2e", "#4b1538", "#a3323c"] : ["#0d1233", "#243b6b", "#4f7a8c"]);
    for (let n = 0; n < 60; n += 1) glow(chance(n) * width, chance(n + 99) * 330, 2 + chance(n + 5) * 3, "#ffffffbb");
    glow(1010, 150, 150, boss ? "#ff6b5a66" : "#fff4d055");
    glow(1010, 150, 48, boss ? "#ffb199" : "#fff7e0");
    trees(t, 0.6, boss ? "#2b0f2c" : "#1b3350", 560);
    trees(t, 1, boss ? "#1a0a20" : "#11243d", 610);
    shape(boss ? "#12060f" : "#0a1729", [
      [0, 600],
      [width, 600],
      [width, height],
      [0, height],
    ]);
    for (let n = 0; n < 7; n += 1) {
      const x = ((((n * 230 - t * 120) % 1610) + 1610) % 1610) - 160;
      shape("#05090f", [
        [x - 3, 606],
        [x + 3, 606],
        [x + 3, 470],
        [x - 3, 470],
      ]);
      glow(x, 470, 90 + Math.sin(t * 3 + n) * 8, "#ffc15e66");
      glow(x, 470, 18, "#fff0c0");
    }
    if (boss) {
      const sway = Math.sin(t * 2) * 14;
      shape("#07030a", [
        [820, 600],
        [850, 300 + sway],
        [910, 210 + sway],
        [950, 260 + sway],
        [1010, 190 + sway],
        [1090, 330 + sway],
        [1130, 600],
      ]);
      glow(930, 320 + sway, 34, "#ff4d4d");
      glow(1024, 320 + sway, 34, "#ff4d4d");
      glow(930, 320 + sway, 9, "#ffffff");
      glow(1024, 320 + sway, 9, "#ffffff");
      for (let n = 0; n < 24; n += 1) glow(760 + chance(n) * 420, 600 - ((t * 120 + n * 37) % 420), 6, "#ff9a5acc");
      pen.fillStyle = "#00000088";
      pen.fillRect(390, 40, 500, 22);
      pen.fillStyle = "#ff5a52";
      pen.fillRect(394, 44, 492 * (0.35 + 0.2 * Math.sin(t * 0.7)), 14);
      words("THE HOLLOW KING", 530, 92, "#ffd9d0", "600 20px system-ui");
    }
    fox(boss ? 430 : 420, 622 - Math.abs(Math.sin(t * 5)) * (boss ? 60 : 16), t * 16, 1.5);
    words("♥ ♥ ♥ ♥", 40, 64, "#ff7b72", "30px system-ui");
    words(boss ? "Lanterns 12 / 12" : `Lanterns ${Math.floor(t) % 12} / 12`, 1000, 62, "#ffe2a8");
  };
  const islands = (t: number) => {
    for (let n = 0; n < 5; n += 1) {
      const x = ((((n * 380 - t * 260) % 1900) + 1900) % 1900) - 240;
      const y = 470 + chance(n + 3) * 120;
      shape("#7a5a3c", [
        [x, y],
        [x + 250, y],
        [x + 170, y + 130],
        [x + 90, y + 150],
      ]);
      shape("#6fbf4b", [
        [x - 10, y + 18],
        [x, y - 12],
        [x + 250, y - 12],
        [x + 262, y + 18],
      ]);
    }
  };
  const flight = (t: number) => {
    sky(["#2d6cdf", "#7ec8f2", "#fbe6c8"]);
    glow(260, 200, 220, "#fff6d988");
    for (let n = 0; n < 18; n += 1) {
      const far = 0.4 + chance(n + 7);
      const x = ((((n * 170 - t * 220 * far) % 1700) + 1700) % 1700) - 200;
      glow(x, 120 + chance(n) * 460, 120 * far, "#ffffff99");
    }
    islands(t);
    for (let n = 0; n < 4; n += 1) {
      const x = ((((n * 420 + 200 - t * 340) % 1680) + 1680) % 1680) - 160;
      pen.lineWidth = 12;
      pen.strokeStyle = "#ffb830";
      pen.beginPath();
      pen.ellipse(x, 330 + Math.sin(n * 2) * 90, 34, 78, 0, 0, Math.PI * 2);
      pen.stroke();
    }
    const y = 340 + Math.sin(t * 1.6) * 70;
    shape("#d8433b", [
      [470, y],
      [700, y - 74],
      [640, y - 4],
    ]);
    shape("#f26b4f", [
      [470, y],
      [700, y + 46],
      [640, y - 4],
    ]);
    shape("#ffffff", [
      [560, y - 4],
      [655, y - 10],
      [640, y + 8],
    ]);
    words(
      `LAP 3   0:${String(20 + (Math.floor(t) % 40)).padStart(2, "0")}.${Math.floor((t * 10) % 10)}`,
      40,
      64,
      "#123",
    );
    words("1st", 1170, 66, "#123", "700 36px system-ui");
  };
  const paint = (ms: number) => {
    const scene = document.title;
    if (scene === "sky") flight(ms / 1000);
    else forest(ms / 1000, scene === "boss");
    requestAnimationFrame(paint);
  };
  requestAnimationFrame(paint);
}

/** Opens the game on the whole display. */
export async function openSampleGame(display: string): Promise<SampleGame> {
  const profile = mkdtempSync(join(tmpdir(), "kit-sample-game-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: pathOf("Chromium with windows"),
    headless: false,
    viewport: null,
    args: [
      "--no-sandbox",
      "--kiosk",
      "--disable-gpu",
      "--no-first-run",
      `--window-size=${width},${height}`,
      "--window-position=0,0",
    ],
    ignoreDefaultArgs: ["--enable-automation"],
    env: { ...process.env, DISPLAY: display } as Record<string, string>,
  });
  const page = context.pages()[0] ?? (await context.newPage());
  await page.setContent("<title>forest</title><style>body{margin:0;overflow:hidden;cursor:none}</style>");
  await page.evaluate(paintForever, { width, height });
  const rename = (next: string) => {
    document.title = next;
  };
  return {
    show: (scene) => page.evaluate(rename, scene),
    async [Symbol.asyncDispose]() {
      await context.close();
      // A process of the browser may still write into it.
      rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
