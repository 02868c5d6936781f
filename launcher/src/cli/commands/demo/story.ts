// The story of the demo game: when each step happens, which event it sends, and what it says. Pure.
import { type DemoStep, demoGame, demoSocialId } from "@kit/contract";

type Trigger = { readonly kind: "recording" | "social"; readonly eventId: string };
type Report = { readonly kind: "monitor"; readonly message: string; readonly stackTrace: string };

export type StoryStep = {
  readonly name: DemoStep;
  /** When the step happens, as a share of the demo's length. */
  readonly at: number;
  readonly sends: Trigger | Report;
  /** What happens and what the game asks for. Not what came of it: that is in the receipt. */
  readonly says: string;
};

const id = (name: string) => `${demoGame}_${name}`;

/**
 * Returns an error report. The values in it differ, the location does not, so that both reports of the story share an issue.
 */
const chestError = (chest: number, coins: number): Report => ({
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

/** The steps, in order. In a demo of a minute, they are far enough apart for three clips. */
export const demoStory: readonly StoryStep[] = [
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
    says: "Seconds later the hero finds the jewel. The game asks again, so soon that one clip should show both.",
  },
  {
    name: "error",
    at: 0.5,
    sends: chestError(3, 120),
    says: "A chest has no lid, which causes an error. The game reports it with its stack.",
  },
  {
    name: "again",
    at: 0.56,
    sends: chestError(7, 45),
    says: "Another chest causes the same error. The game reports it again.",
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
    says: "A new high score! The game asks for a post; nothing is posted unless you approve it.",
  },
];

/**
 * Returns recording rules with short clips, so that the demo makes several. In a demo under a minute, they are even shorter.
 */
export function demoRecordingRules(seconds: number) {
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
