// Draws one frame of the demo game as a few hundred rectangles. Pure.
import { demoStory } from "./story.ts";

/** Size of the picture in squares. The window draws each square larger. */
export const demoPictureSize = { width: 320, height: 180 } as const;

export type FillRectangle = (colour: number, x: number, y: number, width: number, height: number) => void;

const ground = 148;
const heroX = 70;

const colour = {
  night: 0x141a3c,
  dusk: 0x27306b,
  glow: 0x5a3f7d,
  moon: 0xf6edc8,
  far: 0x1d2352,
  near: 0x161b3f,
  grass: 0x2e7d5b,
  earth: 0x1f4a3f,
  white: 0xf4f6ff,
  gold: 0xffd35c,
  hero: 0x64d2ff,
  skin: 0xffe0c2,
  cape: 0xff5d73,
  boss: 0x9b4dff,
  bossDark: 0x6a2fc0,
  health: 0xff5d73,
  wood: 0xa8703a,
  iron: 0x5c6482,
} as const;

/** The hero's two poses, in rows. A letter is a colour, a dot is transparent. */
const heroRows = [
  ["..hhhh..", ".hsssss.", ".hsxsxs.", "..sssss.", "cccbbb..", "ccbbbbb.", "c.bbbbb.", "..bb.bb.", ".bb...b."],
  ["..hhhh..", ".hsssss.", ".hsxsxs.", "..sssss.", "cccbbb..", "ccbbbbb.", "c.bbbbb.", "..bbbb..", "...bb..."],
];
const bossRows = [
  "d..d....d..d",
  "dd.dddddd.dd",
  ".dvvvvvvvvd.",
  "dvvxvvvvxvvd",
  "dvvvvvvvvvvd",
  "dvxxxxxxxxvd",
  ".dvxvxvxvxd.",
  "..dddddddd..",
];
const figureColours: Readonly<Record<string, number>> = {
  h: colour.gold,
  s: colour.skin,
  x: colour.night,
  c: colour.cape,
  b: colour.hero,
  v: colour.boss,
  d: colour.bossDark,
};

function drawFigure(fill: FillRectangle, rows: readonly string[], x: number, y: number, side: number): void {
  for (const [row, line] of rows.entries()) {
    for (const [column, letter] of [...line].entries()) {
      const ink = figureColours[letter];
      if (ink !== undefined) fill(ink, x + column * side, y + row * side, side, side);
    }
  }
}

/** Returns a hash of the number, from 0 to 1: random, but the same in each frame. */
function pseudoRandom(number: number): number {
  const mixed = Math.imul(number ^ (number >>> 3) ^ 0x5bd1e995, 0x2c1b3c6d);
  return (Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39) >>> 8) / 0x1000000;
}

/** Draws a filled circle row by row. */
function drawDisc(fill: FillRectangle, ink: number, centreX: number, centreY: number, radius: number): void {
  for (let row = -radius; row <= radius; row += 1) {
    const half = Math.round(Math.sqrt(radius * radius - row * row));
    fill(ink, centreX - half, centreY + row, 2 * half, 1);
  }
}

const stepTime = (name: string) => demoStory.find((part) => part.name === name)?.at ?? 0;

function drawSky(fill: FillRectangle, second: number): void {
  fill(colour.night, 0, 0, 320, 60);
  fill(colour.dusk, 0, 60, 320, 34);
  fill(colour.glow, 0, 94, 320, 54);
  drawDisc(fill, colour.moon, 284, 34, 13);
  drawDisc(fill, colour.night, 290, 30, 11);
  for (let star = 0; star < 60; star += 1) {
    const layer = 1 + (star % 3);
    const x = (((pseudoRandom(star) * 320 - second * layer * 7) % 320) + 320) % 320;
    const twinkles = pseudoRandom(star + 900) > 0.7 && Math.floor(second * 4 + star) % 2 === 0;
    fill(
      twinkles ? colour.gold : colour.white,
      Math.floor(x),
      Math.floor(pseudoRandom(star + 300) * 100),
      layer > 2 ? 2 : 1,
      1,
    );
  }
}

function drawLand(fill: FillRectangle, second: number): void {
  for (const [speed, base, height, ink] of [
    [12, 108, 26, colour.far],
    [26, 124, 18, colour.near],
  ] as const) {
    for (let column = 0; column < 41; column += 1) {
      const place = column + Math.floor((second * speed) / 8);
      const top = base - Math.round(height * (0.5 + 0.5 * Math.sin(place / 3) * Math.cos(place / 7)));
      fill(ink, column * 8 - Math.floor((second * speed) % 8), top, 8, ground - top);
    }
  }
  fill(colour.grass, 0, ground, 320, 4);
  fill(colour.earth, 0, ground + 4, 320, 28);
  for (let tuft = 0; tuft < 12; tuft += 1) {
    const x = (((tuft * 29 - second * 60) % 348) + 348) % 348;
    fill(colour.grass, Math.floor(x) - 14, ground + 8 + (tuft % 3) * 6, 9, 2);
  }
}

/** Draws the stars and the jewel that approach the hero, until he catches them. */
function drawCatches(fill: FillRectangle, share: number, second: number, seconds: number): void {
  const stars = [0, 1, 2, 3, 4].map((star) => ({ share: stepTime("streak") - star * 0.02, ink: colour.gold, side: 6 }));
  const catches = [...stars, { share: stepTime("jewel"), ink: colour.hero, side: 9 }];
  for (const { share: caught, ink, side } of catches) {
    const ahead = (caught - share) * seconds * 60;
    if (ahead > 0 && ahead < 260) {
      const y = ground - 40 - Math.round(4 * Math.sin(second * 6 + caught * 90));
      fill(ink, heroX + 8 + Math.floor(ahead), y, side, side);
      fill(colour.white, heroX + 9 + Math.floor(ahead), y + 1, 2, 2);
    }
  }
}

function drawChests(fill: FillRectangle, share: number, seconds: number): void {
  for (const name of ["error", "again"]) {
    const x = heroX + 18 + Math.floor((stepTime(name) - share) * seconds * 60);
    if (x < -30 || x > 320) continue;
    fill(colour.wood, x, ground - 14, 20, 14);
    fill(colour.iron, x, ground - 10, 20, 3);
    fill(colour.gold, x + 8, ground - 9, 4, 5);
  }
}

function drawHero(fill: FillRectangle, share: number, second: number): void {
  const isCatching = share > stepTime("streak") - 0.1 && share < stepTime("jewel");
  const jump = isCatching ? Math.abs(Math.sin(second * 3)) * 26 : 0;
  const rows = heroRows[Math.floor(second * 8) % 2] ?? [];
  drawFigure(fill, rows, heroX, ground - 27 - Math.round(jump), 3);
}

function drawBoss(fill: FillRectangle, share: number, second: number): void {
  const from = 0.62;
  const defeated = stepTime("boss");
  if (share < from) return;
  if (share >= defeated) {
    const grown = (share - defeated) * 900;
    for (let spark = 0; spark < 48 && grown < 170; spark += 1) {
      const angle = pseudoRandom(spark) * 6.283;
      const far = grown * (0.4 + pseudoRandom(spark + 50));
      const ink = spark % 3 === 0 ? colour.gold : spark % 3 === 1 ? colour.boss : colour.white;
      fill(ink, Math.floor(240 + Math.cos(angle) * far), Math.floor(86 + Math.sin(angle) * far), 4, 4);
    }
    return;
  }
  const health = 1 - (share - from) / (defeated - from);
  const x = 212 + Math.round(6 * Math.sin(second * 2));
  drawFigure(fill, bossRows, x, 62 + Math.round(8 * Math.sin(second * 1.4)), 5);
  drawText(fill, "Boss", { x: 118, y: 13, colour: colour.white, side: 1 });
  fill(colour.iron, 138, 12, 124, 8);
  fill(colour.night, 139, 13, 122, 6);
  fill(colour.health, 139, 13, Math.max(1, Math.round(122 * health)), 6);
  for (let bolt = 0; bolt < 3; bolt += 1) {
    const way = (second * 1.6 + bolt / 3) % 1;
    fill(colour.gold, Math.floor(heroX + 26 + way * 126), ground - 18 - Math.floor(way * 40), 8, 3);
  }
}

/** Draws a glitch for a moment after each error. */
function drawGlitch(fill: FillRectangle, share: number, second: number, seconds: number): void {
  for (const name of ["error", "again"]) {
    const since = (share - stepTime(name)) * seconds;
    if (since < 0 || since > 1.4) continue;
    for (let band = 0; band < 14; band += 1) {
      const seed = band + Math.floor(second * 15) * 20;
      const ink = band % 3 === 0 ? colour.cape : band % 3 === 1 ? colour.hero : colour.night;
      fill(ink, Math.floor(pseudoRandom(seed) * 320) - 40, Math.floor(pseudoRandom(seed + 7) * 180), 90, 3);
    }
    drawBanner(fill, "ERROR: NO LID", colour.cape);
  }
}

// The font: letters of three by five squares.

/** The five rows of each letter, from the top. Each digit has three bits, one for each square. */
const letterRows: Readonly<Record<string, string>> = {
  A: "25755",
  B: "65656",
  C: "34443",
  D: "65556",
  E: "74647",
  F: "74644",
  G: "34553",
  H: "55755",
  I: "72227",
  J: "11152",
  K: "55655",
  L: "44447",
  M: "57755",
  N: "65555",
  O: "25552",
  P: "65644",
  Q: "25563",
  R: "65655",
  S: "34216",
  T: "72222",
  U: "55557",
  V: "55552",
  W: "55775",
  X: "55255",
  Y: "55222",
  Z: "71247",
  "0": "75557",
  "1": "26227",
  "2": "71747",
  "3": "71717",
  "4": "55711",
  "5": "74717",
  "6": "74757",
  "7": "71244",
  "8": "75757",
  "9": "75717",
  "'": "22000",
  ".": "00002",
  ":": "02020",
  "!": "22202",
  "-": "00700",
};

const letterAdvance = 4;

/** `side` is the width of one of the squares that make up a letter. `x` and `y` are the top left corner of the text. */
type TextStyle = { readonly x: number; readonly y: number; readonly colour: number; readonly side: number };

/** Draws the text in capitals. Leaves a blank for a character that the font does not have. */
function drawText(fill: FillRectangle, text: string, { x, y, colour, side }: TextStyle): void {
  for (const [index, letter] of [...text.toUpperCase()].entries()) {
    for (const [row, bits] of [...(letterRows[letter] ?? "")].entries()) {
      for (let column = 0; column < 3; column += 1) {
        const isSet = ((Number(bits) >> (2 - column)) & 1) === 1;
        if (isSet) fill(colour, x + (index * letterAdvance + column) * side, y + row * side, side, side);
      }
    }
  }
}

const textWidth = (text: string, side = 1): number => (text.length * letterAdvance - 1) * side;

function drawBanner(fill: FillRectangle, text: string, ink: number): void {
  const width = textWidth(text, 4);
  fill(colour.night, 0, 68, 320, 34);
  drawText(fill, text, { x: Math.floor((320 - width) / 2), y: 75, colour: ink, side: 4 });
}

function drawTexts(fill: FillRectangle, share: number, score: number, seconds: number): void {
  drawText(fill, "Score", { x: 8, y: 8, colour: colour.white, side: 2 });
  drawText(fill, String(score).padStart(6, "0"), { x: 8, y: 21, colour: colour.gold, side: 3 });
  drawText(fill, "Kit's demo", { x: 236, y: 168, colour: colour.white, side: 2 });
  const near = (name: string, length: number) => {
    const since = (share - stepTime(name)) * seconds;
    return since >= 0 && since < length;
  };
  if (near("jewel", 1.6)) drawBanner(fill, "JEWEL FOUND", colour.hero);
  if (near("boss", 2)) drawBanner(fill, "BOSS DEFEATED", colour.gold);
  if (share > stepTime("score") && !near("boss", 2)) drawBanner(fill, "HIGH SCORE!", colour.gold);
}

/** Returns the score at this share of the story. It never falls. */
function scoreAt(share: number): number {
  const gained = { streak: 2_500, jewel: 5_000, boss: 50_000 };
  const steps = Math.floor(share * 300) * 10;
  return Object.entries(gained).reduce((sum, [name, points]) => (share >= stepTime(name) ? sum + points : sum), steps);
}

export type SceneTime = {
  /** Seconds since the window opened, for continuous motion. */
  readonly clock: number;
  /** Seconds since the story started. 0 before that. */
  readonly second: number;
  readonly seconds: number;
};

export function drawScene(fill: FillRectangle, { clock, second, seconds }: SceneTime): void {
  const share = Math.max(0, Math.min(1, second / seconds));
  drawSky(fill, clock);
  drawLand(fill, clock);
  drawCatches(fill, share, clock, seconds);
  drawChests(fill, share, seconds);
  drawHero(fill, share, clock);
  drawBoss(fill, share, clock);
  drawTexts(fill, share, scoreAt(share), seconds);
  drawGlitch(fill, share, clock, seconds);
}
