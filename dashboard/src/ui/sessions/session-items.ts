// What the parts of a timeline hold, as one row of items in the order of their times. Pure.
import type { EventKind, Timeline, TimelineClip, TimelineEntry } from "@kit/contract";

export const lanes = ["clips", "moments", "errors", "posts"] as const;
export type Lane = (typeof lanes)[number];

export type Item = {
  /** The event's id, or the clip's. */
  readonly key: string;
  readonly lane: Lane;
  readonly atMs: number;
  /** The same as `atMs` of what has no length. */
  readonly toMs: number;
  readonly says: string;
} & (
  | { readonly entry: TimelineEntry; readonly clip?: never }
  | { readonly clip: TimelineClip; readonly entry?: never }
);

export type Stretch = { readonly fromMs: number; readonly toMs: number };

export type Track = Stretch & {
  readonly items: readonly Item[];
  /** Where nothing happened. */
  readonly gaps: readonly Stretch[];
};

const laneOf: Record<EventKind, Lane> = { recording: "moments", monitor: "errors", social: "posts" };

const ofEntry = (entry: TimelineEntry): Item => {
  const atMs = Date.parse(entry.at);
  return { key: entry.id, lane: laneOf[entry.kind] ?? "moments", atMs, toMs: atMs, says: entry.label, entry };
};

const ofClip = (clip: TimelineClip): Item => {
  const atMs = Date.parse(clip.from);
  return { key: clip.id, lane: "clips", atMs, toMs: Math.max(atMs, Date.parse(clip.to)), says: clip.title, clip };
};

/** A clip may be in two parts, and what came late in a stretch that a part before called empty. */
export function trackOf(parts: readonly Timeline[], nowMs: number): Track {
  const entries = new Map(parts.flatMap((part) => part.entries.map((entry) => [entry.id, entry])));
  const noted = new Set([...entries.values()].map(({ clip }) => clip));
  const all = new Map(parts.flatMap((part) => part.clips.map((clip) => [clip.id, clip])));
  // What holds no video is its own moment, which is there already.
  const clips = [...all.values()].filter(({ id, kind }) => kind !== "marker" || !noted.has(id));
  const items = [...clips.map(ofClip), ...[...entries.values()].map(ofEntry)].sort((a, b) => a.atMs - b.atMs);
  const session = parts.at(-1)?.session;
  const startMs = session === undefined ? nowMs : Date.parse(session.startedAt);
  const reached = items.reduce((latest, { toMs }) => Math.max(latest, toMs), startMs);
  const endMs = session?.endedAt ? Date.parse(session.endedAt) : nowMs;
  const isWhole = parts.at(-1)?.until === null;
  const fromMs = items.reduce((first, { atMs }) => Math.min(first, atMs), startMs);
  const toMs = Math.max(reached, isWhole ? endMs : reached, fromMs + 1_000);
  return { items, fromMs, toMs, gaps: emptyOf(parts, items, toMs) };
}

function emptyOf(parts: readonly Timeline[], items: readonly Item[], endMs: number): Stretch[] {
  const named = parts
    .flatMap(({ gaps }) => gaps.map(({ from, to }) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) })))
    .sort((a, b) => a.fromMs - b.fromMs);
  const empty: Stretch[] = [];
  for (const { fromMs, toMs } of named) {
    const isLast = toMs >= Math.max(...items.slice(-1).map(({ atMs }) => atMs), 0);
    const isFilled = items.some((item) => item.atMs < toMs && item.toMs > fromMs && item.atMs !== item.toMs);
    const isTouched = items.some((item) => item.atMs > fromMs && item.atMs < toMs);
    const after = empty.at(-1)?.toMs ?? Number.NEGATIVE_INFINITY;
    // While the game runs the last one goes on until now.
    if (!isFilled && !isTouched && fromMs >= after) empty.push({ fromMs, toMs: isLast ? Math.max(toMs, endMs) : toMs });
  }
  return empty;
}

/** What the list shows: the items, and between them where nothing happened. */
export type Listed = { readonly item: Item; readonly gap?: never } | { readonly gap: Stretch; readonly item?: never };

/** `items` in their order; a gap stands before the first item that is behind it. */
export function listedOf(items: readonly Item[], gaps: readonly Stretch[]): Listed[] {
  const waiting = [...gaps];
  const listed: Listed[] = [];
  for (const item of items) {
    for (let gap = waiting[0]; gap !== undefined && gap.toMs <= item.atMs; gap = waiting[0]) {
      listed.push({ gap });
      waiting.shift();
    }
    listed.push({ item });
  }
  return [...listed, ...waiting.map((gap) => ({ gap }))];
}

/** The item an arrow leads to: along the time, or into the next lane that has any, at the nearest time. */
export function itemAfter(items: readonly Item[], from: Item | undefined, step: "back" | "on" | "up" | "down") {
  if (from === undefined) return items[0];
  const at = items.findIndex(({ key }) => key === from.key);
  if (step === "back" || step === "on") return items[at + (step === "on" ? 1 : -1)];
  const by = step === "down" ? 1 : -1;
  for (let lane = lanes.indexOf(from.lane) + by; lane >= 0 && lane < lanes.length; lane += by) {
    const there = items.filter((item) => item.lane === lanes[lane]);
    const far = (item: Item) => Math.abs(item.atMs - from.atMs);
    if (there.length > 0) return there.reduce((near, item) => (far(item) < far(near) ? item : near));
  }
  return undefined;
}
