// The story of the made-up game: what happens when, what it sends, and what is said of it. Pure.
import { type DemoPart, demoGame, demoSocialId } from "@kit/contract";

type Trigger = { readonly kind: "recording" | "social"; readonly eventId: string };
type Report = { readonly kind: "monitor"; readonly message: string; readonly stackTrace: string };

export type Part = {
  readonly name: DemoPart;
  /** When, as a share of the whole. */
  readonly at: number;
  readonly sends: Trigger | Report;
  /** What happens, and what the game asks for. Nothing about what becomes of it: that is read from its receipt. */
  readonly says: string;
};

const id = (name: string) => `${demoGame}_${name}`;

/** The same fault twice: the values differ, the place does not. */
const fault = (chest: number, coins: number): Report => ({
  kind: "monitor",
  message: `Invalid access to property 'lid' on a base object of type 'Nil' (chest ${chest}, ${coins} coins).`,
  stackTrace: [
    "open (res://world/chest.gd:48)",
    "_on_hero_touched (res://world/chest.gd:21)",
    "_physics_process (res://actors/hero.gd:112)",
  ]
    .map((frame, index) => `[${index}] ${frame}`)
    .join("\n"),
});

/** An error's clip begins 20 s before it, and ends 3 s after: with a minute, three clips lie apart. */
export const story: readonly Part[] = [
  {
    name: "started",
    at: 0,
    sends: { kind: "recording", eventId: id("started") },
    says: "The game starts. Its first event tells Kit that there is something to record.",
  },
  {
    name: "streak",
    at: 0.2,
    sends: { kind: "recording", eventId: id("star_streak") },
    says: "The hero catches five stars in a row. The game asks for a clip.",
  },
  {
    name: "jewel",
    at: 0.26,
    sends: { kind: "recording", eventId: id("jewel_found") },
    says: "Seconds later the hero finds the jewel. The game asks again: close together, so one clip is to show both.",
  },
  {
    name: "error",
    at: 0.5,
    sends: fault(3, 120),
    says: "A chest has no lid, and the game trips over it. It reports the error with its stack.",
  },
  {
    name: "again",
    at: 0.56,
    sends: fault(7, 45),
    says: "Another chest, the same fault. The game reports it again.",
  },
  {
    name: "boss",
    at: 0.8,
    sends: { kind: "recording", eventId: id("boss_defeated") },
    says: "The boss is defeated. The game asks for a clip, and its rule gives it a high priority.",
  },
  {
    name: "score",
    at: 0.84,
    sends: { kind: "social", eventId: demoSocialId },
    says: "A new high score, worth telling. The game asks for a post; nothing is posted unless you approve it.",
  },
];

/** What the rules of its triggers are, so that a minute has several clips. Shorter for a shorter demo. */
export function rulesFor(seconds: number) {
  const share = Math.min(1, seconds / 60);
  const clip = {
    action: "clip" as const,
    preSeconds: Math.round(80 * share) / 10,
    postSeconds: Math.round(30 * share) / 10,
    mergeGapSeconds: Math.round(20 * share) / 10,
    cooldownSeconds: 0,
  };
  return [
    { eventId: id("started"), action: "nothing" as const },
    { eventId: id("star_streak"), ...clip },
    { eventId: id("jewel_found"), ...clip },
    { eventId: id("boss_defeated"), ...clip, priority: 900 },
    { eventId: demoSocialId, ...clip },
  ];
}
