// The rules of the demo's game: a kite flies along a course of stars, gifts and a storm. Pure: no canvas and no clock.

/** The size of the picture in its own units. */
export const view = { width: 640, height: 360 } as const;
/** Where the kite is in the picture, from the left. */
export const kiteX = 170;
const speed = 130;
const [highest, lowest] = [48, 292];

type ThingKind = "star" | "jewel" | "gift" | "storm" | "gate";
type Lid = { lift(): number };
export type Thing = {
  readonly kind: ThingKind;
  /** How far from the start it is, and how far from the top of the picture. */
  readonly x: number;
  readonly y: number;
  readonly gift?: { readonly lid: Lid };
  state: "ahead" | "met" | "missed";
};
export type World = {
  seconds: number;
  y: number;
  climb: number;
  score: number;
  /** Stars caught in a row. */
  streak: number;
  readonly things: readonly Thing[];
  /** What the kite met, for a moment after it did: where, when, and what it was worth. */
  met: readonly { readonly x: number; readonly y: number; readonly atSeconds: number; readonly worth: number }[];
};
export type Happening =
  | { readonly kind: "streak" | "jewel" | "storm" | "gate" }
  | { readonly kind: "error"; readonly error: Error };

export const streakLength = 5;
/** The flight ends some seconds behind the gate. */
export const flightSeconds = 36;

const lid: Lid = { lift: () => 25 };
/** The bug of this game: gifts whose lid somebody forgot. */
const noLid = undefined as unknown as Lid;
const stars = (from: number, ...heights: readonly number[]) =>
  heights.map((y, index) => ["star", from + index * 0.6, y] as const);

/** What the kite meets after how many seconds, and how far from the top. */
const course: readonly (readonly [kind: ThingKind, seconds: number, y: number, lid?: Lid])[] = [
  ...stars(3, 220, 185, 170, 185, 220),
  ["jewel", 8, 120],
  ["gift", 10.5, 200, lid],
  ["gift", 13, 150, noLid],
  ["gift", 16, 215, noLid],
  ...stars(19, 190, 150, 130, 150, 190),
  ["storm", 25.5, 240],
  ...stars(28, 130, 150, 180),
  ["gate", 32.5, 170],
];

export const createWorld = (): World => ({
  seconds: 0,
  y: 200,
  climb: 0,
  score: 0,
  streak: 0,
  met: [],
  things: course.map(([kind, seconds, y, lid]) => ({
    kind,
    x: kiteX + seconds * speed,
    y,
    state: "ahead" as const,
    ...(kind === "gift" && { gift: { lid: lid as Lid } }),
  })),
});

/** How far the picture has moved. */
export const travelled = ({ seconds }: Pick<World, "seconds">): number => seconds * speed;

/** Steers as a careful player does: towards what is next, and above the storm. Returns whether to rise. */
export function autopilot({ y, climb, seconds, things }: World): boolean {
  const next = things.find(({ x, kind }) => x + (kind === "storm" ? 90 : 0) > kiteX + seconds * speed);
  const aim = next === undefined ? 150 : next.kind === "storm" ? next.y - 130 : next.y;
  return y + climb * 0.3 > aim;
}

const game = {
  openGift: ({ lid }: NonNullable<Thing["gift"]>): number => lid.lift(),
  /** Opens a gift as careless code does. Returns what it is worth, or the error. */
  tryGift(gift: NonNullable<Thing["gift"]>): number | Error {
    try {
      return this.openGift(gift);
    } catch (error) {
      return error as Error;
    }
  },
};

/** Returns whether the kite touches the thing now, or, for a storm, has just passed it. */
function isMet({ kind, x, y }: Thing, kite: { readonly x: number; readonly y: number }): boolean {
  const [aside, above] = [Math.abs(x - kite.x), Math.abs(y - kite.y)];
  if (kind === "gate") return kite.x >= x;
  if (kind === "storm") return Math.hypot(aside / 1.5, above) < 52;
  return Math.hypot(aside, above) < (kind === "gift" ? 44 : 36);
}

const worths = { star: 10, jewel: 50, gift: 0, storm: -30, gate: 100 } as const;

/** What it means that the kite met a thing. */
function meet(world: World, thing: Thing): Happening[] {
  thing.state = "met";
  const { kind, gift, x, y } = thing;
  const opened = gift === undefined ? worths[kind] : game.tryGift(gift);
  const worth = typeof opened === "number" ? opened : 0;
  world.score = Math.max(0, world.score + worth);
  world.met = [...world.met.slice(-5), { x, y, atSeconds: world.seconds, worth }];
  if (typeof opened !== "number") return [{ kind: "error", error: opened }];
  if (kind === "star") world.streak += 1;
  if (kind === "star" && world.streak === streakLength) return [{ kind: "streak" }];
  return kind === "jewel" || kind === "gate" ? [{ kind }] : [];
}

/** What it means that a thing is behind the kite: a star is missed, a storm is passed. */
function pass(world: World, thing: Thing): Happening[] {
  thing.state = "missed";
  if (thing.kind === "star") world.streak = 0;
  return thing.kind === "storm" ? [{ kind: "storm" }] : [];
}

/** Moves the world on. Returns what happened meanwhile. */
export function move(world: World, seconds: number, isRising: boolean): Happening[] {
  world.seconds += seconds;
  world.climb = Math.max(-190, Math.min(190, world.climb + (isRising ? -520 : 460) * seconds));
  world.y += world.climb * seconds;
  if (world.y < highest || world.y > lowest) world.climb = 0;
  world.y = Math.max(highest, Math.min(lowest, world.y));
  const kite = { x: kiteX + travelled(world), y: world.y };
  return world.things.flatMap((thing) => {
    if (thing.state !== "ahead") return [];
    if (isMet(thing, kite)) return meet(world, thing);
    return thing.x + 90 < kite.x ? pass(world, thing) : [];
  });
}
