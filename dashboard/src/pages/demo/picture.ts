// Paints the demo's game: a kite above hills, by day or by night. Everything is drawn from the world and a clock, nothing is kept.
import { kiteX, type Thing, travelled, view, type World } from "./flight.ts";

type Pen = CanvasRenderingContext2D;

const palettes = {
  light: {
    sky: ["#8ec5fc", "#c9d6ff", "#ffe6d5"],
    disk: "#fff6d8",
    glow: "#fff3c4",
    hills: ["#b7bdf0", "#8f95df", "#5b5bd6"],
    cloud: "#ffffffb0",
    storm: "#5d6178",
    line: "#3c3f6b",
    text: "#2b2d5b",
  },
  dark: {
    sky: ["#0d0b2b", "#2b2266", "#8a4b8f"],
    disk: "#fdf3d0",
    glow: "#b9a6ff",
    hills: ["#33287a", "#231c5c", "#130f36"],
    cloud: "#8f86d033",
    storm: "#1a1733",
    line: "#e4e0ff",
    text: "#f3f0ff",
  },
} as const;
type Palette = (typeof palettes)[keyof typeof palettes];
/** The fox of Kit's mark, `ui/mark.svg`, as a kite: its parts and their colours. */
const fox = [
  ["M5.5 6.2 12 10.6h8l6.5-4.4-.9 11.3L16 27 6.4 17.5Z", "#ff8a4c"],
  ["M16 10.6h4l6.5-4.4-.9 11.3L16 27Z", "#f0743a"],
  ["M6.4 17.5 12.6 17 16 27Z M25.6 17.5 19.4 17 16 27Z", "#fff4ea"],
  ["M11 15a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0-2.6 0Z M18.4 15a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0-2.6 0Z", "#1c1d3a"],
  ["M14.6 23.6h2.800L16 26Z", "#1c1d3a"],
] as const;
const bow = "#e93d82";
const gold = "#ffc53d";

const turn = Math.PI * 2;
/** A number from 0 to 1 that looks random and is always the same for n. */
const scattered = (n: number) => Math.abs(Math.sin(n * 12.9898) * 43_758.5453) % 1;

/** Runs `paint` with the pen moved and turned. */
function at(pen: Pen, x: number, y: number, paint: () => void, angle = 0): void {
  pen.save();
  pen.translate(x, y);
  pen.rotate(angle);
  paint();
  pen.restore();
}

function shape(pen: Pen, colour: string | CanvasGradient, ...points: readonly (readonly [number, number])[]): void {
  pen.fillStyle = colour;
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
  pen.closePath();
  pen.fill();
}

function disk(pen: Pen, colour: string, x: number, y: number, radius: number): void {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(x, y, radius, 0, turn);
  pen.fill();
}

function glow(pen: Pen, colour: string, x: number, y: number, radius: number): void {
  const light = pen.createRadialGradient(x, y, 0, x, y, radius);
  light.addColorStop(0, `${colour}aa`);
  light.addColorStop(1, `${colour}00`);
  pen.fillStyle = light;
  pen.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
}

function paintSky(pen: Pen, palette: Palette, clock: number, moved: number): void {
  const sky = pen.createLinearGradient(0, 0, 0, view.height);
  for (const [index, colour] of palette.sky.entries()) sky.addColorStop(index / 2, colour);
  pen.fillStyle = sky;
  pen.fillRect(0, 0, view.width, view.height);
  if (palette === palettes.dark)
    for (let n = 0; n < 70; n += 1) {
      pen.globalAlpha = 0.35 + 0.3 * Math.sin(clock * 1.5 + n);
      disk(pen, "#ffffff", scattered(n) * view.width, scattered(n + 99) * 230, 0.5 + scattered(n + 7));
    }
  pen.globalAlpha = 1;
  glow(pen, palette.glow, 500, 92, 150);
  disk(pen, palette.disk, 500, 92, 34);
  for (let n = 0; n < 5; n += 1) {
    const x = ((((scattered(n + 3) * 900 - moved * (0.1 + 0.05 * n)) % 900) + 900) % 900) - 130;
    paintCloud(pen, palette.cloud, x, 40 + 34 * n, 0.6 + 0.15 * n);
  }
}

function paintCloud(pen: Pen, colour: string, x: number, y: number, size: number): void {
  pen.fillStyle = colour;
  pen.beginPath();
  for (const [dx, dy, radius] of [
    [0, 0, 22],
    [26, -10, 26],
    [56, -2, 22],
    [82, 4, 15],
    [-22, 6, 14],
  ] as const)
    pen.arc(x + dx * size, y + dy * size, radius * size, 0, turn);
  pen.fill();
}

function paintHills(pen: Pen, palette: Palette, moved: number): void {
  for (const [index, colour] of palette.hills.entries()) {
    const [base, height, pace] = [250 + 34 * index, 34 - 6 * index, 0.2 + 0.25 * index];
    pen.fillStyle = colour;
    pen.beginPath();
    pen.moveTo(0, view.height);
    for (let x = 0; x <= view.width; x += 8) {
      const along = (x + moved * pace) / 90;
      pen.lineTo(x, base + height * Math.sin(along * 0.7 + index * 2) * Math.cos(along * 0.31 + index));
    }
    pen.lineTo(view.width, view.height);
    pen.fill();
  }
}

function paintStar(pen: Pen): void {
  const points = Array.from({ length: 10 }, (_, n) => {
    const radius = n % 2 === 0 ? 13 : 6;
    return [radius * Math.sin((n * turn) / 10), -radius * Math.cos((n * turn) / 10)] as const;
  });
  shape(pen, gold, ...points);
}

function paintJewel(pen: Pen): void {
  shape(pen, "#3fd6c2", [-16, -4], [-9, -14], [9, -14], [16, -4], [0, 17]);
  shape(pen, "#a5f3e6", [-9, -14], [9, -14], [5, -4], [-5, -4]);
  shape(pen, "#12a594", [5, -4], [16, -4], [0, 17]);
}

/** A gift that hangs from a balloon. One without a lid gapes. */
function paintGift(pen: Pen, palette: Palette, hasLid: boolean): void {
  pen.strokeStyle = palette.line;
  pen.beginPath();
  pen.moveTo(0, -2);
  pen.quadraticCurveTo(4, -14, 0, -24);
  pen.stroke();
  at(pen, 0, -40, () => disk(pen, "#e5484d", 0, 0, 17));
  disk(pen, "#ffffff66", -6, -46, 4);
  shape(pen, "#e93d82", [-15, 0], [15, 0], [13, 26], [-13, 26]);
  shape(pen, gold, [-3, 0], [3, 0], [3, 26], [-3, 26]);
  if (hasLid) shape(pen, "#f76ba0", [-18, -5], [18, -5], [18, 4], [-18, 4]);
  else shape(pen, "#5c1132", [-12, 2], [12, 2], [11, 8], [-11, 8]);
}

function paintStorm(pen: Pen, palette: Palette, clock: number): void {
  glow(pen, "#8e4ec6", 0, 0, 120);
  paintCloud(pen, palette.storm, -52, 6, 1.6);
  if (Math.sin(clock * 9) > -0.2)
    shape(pen, gold, [-6, 24], [16, 24], [4, 48], [18, 48], [-14, 92], [-2, 58], [-18, 58]);
}

function paintGate(pen: Pen, clock: number): void {
  for (let n = 0; n <= 12; n += 1) {
    const angle = (n / 12) * Math.PI;
    const [x, y] = [-Math.cos(angle) * 78, 60 - Math.sin(angle) * 170];
    glow(pen, gold, x, y, 22 + 4 * Math.sin(clock * 4 + n));
    disk(pen, n % 2 === 0 ? gold : "#f76ba0", x, y, 6);
  }
}

function paintThing(pen: Pen, palette: Palette, { kind, gift }: Thing, clock: number): void {
  if (kind === "star") {
    glow(pen, gold, 0, 0, 26);
    at(pen, 0, 0, () => paintStar(pen), Math.sin(clock * 2) * 0.4);
  } else if (kind === "jewel") {
    glow(pen, "#3fd6c2", 0, 0, 40);
    paintJewel(pen);
  } else if (kind === "gift") paintGift(pen, palette, gift?.lid !== undefined);
  else if (kind === "storm") paintStorm(pen, palette, clock);
  else paintGate(pen, clock);
}

function paintKite(pen: Pen, palette: Palette, { y, climb }: World, clock: number): void {
  pen.strokeStyle = palette.line;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(kiteX - 7, y + 24);
  pen.quadraticCurveTo(90, y + 110, -20, view.height);
  pen.stroke();
  const tail = Array.from({ length: 14 }, (_, n) => {
    const x = kiteX - 18 - n * 7;
    return [x, y + 30 + n * 2 - climb * n * 0.008 + Math.sin(clock * 5 - n * 0.6) * n * 0.7] as const;
  });
  pen.lineWidth = 2;
  pen.beginPath();
  pen.moveTo(kiteX - 7, y + 24);
  for (const [x, tailY] of tail) pen.lineTo(x, tailY);
  pen.stroke();
  for (const [n, [x, tailY]] of tail.entries())
    if (n % 4 === 3) {
      shape(pen, bow, [x, tailY], [x - 6, tailY - 6], [x - 6, tailY + 6]);
      shape(pen, bow, [x, tailY], [x + 6, tailY - 6], [x + 6, tailY + 6]);
    }
  at(
    pen,
    kiteX,
    y,
    () => {
      glow(pen, palette.glow, 0, 0, 60);
      pen.scale(2.5, 2.5);
      pen.translate(-16, -16);
      for (const [path, colour] of fox) {
        pen.fillStyle = colour;
        pen.fill(new Path2D(path));
      }
    },
    0.3 + climb * 0.0016 + Math.sin(clock * 3) * 0.05,
  );
}

/** What the kite met bursts into sparks, with what it was worth. */
function paintMet(pen: Pen, palette: Palette, { met, seconds }: World): void {
  for (const { x, y, atSeconds, worth } of met) {
    const age = seconds - atSeconds;
    if (age > 1) continue;
    const colour = worth > 0 ? gold : "#e5484d";
    pen.globalAlpha = 1 - age;
    for (let n = 0; n < 12; n += 1) {
      const [angle, far] = [(n * turn) / 12 + x, 12 + age * (50 + 40 * scattered(n))];
      disk(pen, colour, x + Math.cos(angle) * far, y + Math.sin(angle) * far + 40 * age * age, 2.4);
    }
    pen.fillStyle = worth > 0 ? palette.text : colour;
    pen.font = "700 16px system-ui, sans-serif";
    pen.fillText(worth === 0 ? "!" : `${worth > 0 ? "+" : ""}${worth}`, x + 14, y - 20 - 30 * age);
    pen.globalAlpha = 1;
  }
}

/** `clock` moves what moves by itself: twinkling stars, the tail, lightning. One that stands still keeps the picture calm. */
export function paint(pen: Pen, world: World, colours: keyof typeof palettes, clock: number): void {
  const palette = palettes[colours];
  const moved = travelled(world);
  pen.setTransform(pen.canvas.width / view.width, 0, 0, pen.canvas.height / view.height, 0, 0);
  paintSky(pen, palette, clock, moved);
  paintHills(pen, palette, moved);
  for (const thing of world.things) {
    const x = thing.x - moved;
    // A gate and a storm stay when the kite has met them.
    const isThere = thing.state !== "met" || thing.kind === "gate" || thing.kind === "storm";
    if (isThere && x > -160 && x < view.width + 160)
      at(pen, x, thing.y + 4 * Math.sin(clock * 2 + thing.x), () => paintThing(pen, palette, thing, clock));
  }
  paintKite(pen, palette, world, clock);
  at(pen, -moved, 0, () => paintMet(pen, palette, world));
  at(pen, 28, 30, () => paintStar(pen));
  pen.fillStyle = palette.text;
  pen.font = "700 20px system-ui, sans-serif";
  pen.fillText(String(world.score), 48, 37);
}
