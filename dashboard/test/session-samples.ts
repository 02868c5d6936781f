// Sample sessions and timelines for the browser tests: complete objects in which a test can replace fields.
import type { Clip, GameSession, Timeline, TimelineClip, TimelineEntry } from "@kit/contract";
import { clipOf } from "./clip-samples.ts";

export const sessionIdOf = (n: number) => `01990000-0000-7000-8000-5${String(n).padStart(11, "0")}`;
const eventIdOf = (n: number) => `01990000-0000-7000-8000-6${String(n).padStart(11, "0")}`;

const minuteMs = 60_000;

/** The nth session, started `n` hours ago, 50 minutes long. */
export function sessionOf(n: number, members: Partial<GameSession> = {}): GameSession {
  const startMs = Date.now() - n * 60 * minuteMs;
  const at = (ms: number) => new Date(startMs + ms).toISOString();
  return {
    id: sessionIdOf(n),
    game: "lanternwood",
    knownBy: "program",
    program: null,
    startedAt: at(0),
    lastEventAt: at(48 * minuteMs),
    endedAt: at(50 * minuteMs),
    ending: "exited",
    exitCode: 0,
    signal: null,
    crash: null,
    events: 66,
    errors: 60,
    moments: 4,
    posts: 2,
    ...members,
  };
}

/** The nth clip of the session that `sessionOf(1)` returns, which ended ten minutes ago. The first is the newest. */
export const playedClipOf = (n: number, members: Partial<Clip> = {}): Clip => ({
  ...clipOf(n, members),
  startedAt: new Date(Date.now() - (11 + n) * minuteMs).toISOString(),
});

export const runningOf = (n: number, members: Partial<GameSession> = {}): GameSession =>
  sessionOf(n, { endedAt: null, ending: "running", exitCode: null, lastEventAt: new Date().toISOString(), ...members });

const atSecond = ({ startedAt }: GameSession, second: number) =>
  new Date(Date.parse(startedAt) + second * 1_000).toISOString();

/** The nth event of a session, at a second of the session. */
export function entryOf(
  session: GameSession,
  n: number,
  second: number,
  members: Partial<TimelineEntry> = {},
): TimelineEntry {
  return {
    at: atSecond(session, second),
    kind: "recording",
    id: eventIdOf(n),
    eventId: members.kind === "monitor" ? null : "lanternwood_boss_defeated",
    label: "boss defeated",
    state: "saved",
    count: 1,
    clip: null,
    second: null,
    issue: null,
    post: null,
    ...members,
  };
}

/** The nth clip in a timeline, 17 s long, starting at a second of the session. */
export function spanOf(session: GameSession, n: number, second: number, members: Partial<TimelineClip> = {}) {
  const title = members.title ?? "boss defeated";
  const to = atSecond(session, second + 17);
  const clip: TimelineClip = {
    id: clipOf(n).id,
    kind: "clip",
    state: "saved",
    from: atSecond(session, second),
    to,
    subject: "highlight",
    title,
    priority: 500,
    pinned: false,
    poster: true,
    ...members,
  };
  return clip;
}

export const timelineOf = (session: GameSession, members: Partial<Timeline> = {}): Timeline => ({
  session,
  entries: [],
  clips: [],
  gaps: [],
  until: null,
  forgotten: 0,
  compared: 0,
  issues: [],
  ...members,
});

/** A session with clips, a repeated error, a post and a long gap. */
export function fullTimeline(session: GameSession): Timeline {
  const issue = "01990000-0000-7000-8000-700000000001";
  const error = { kind: "monitor", eventId: null, state: "grouped", issue } as const;
  const entries = [
    entryOf(session, 1, 40, { label: "prologue done", clip: clipOf(1).id, second: 12 }),
    entryOf(session, 2, 95, { ...error, label: "Door has no key" }),
    entryOf(session, 3, 96, { ...error, label: "Door has no key", count: 58 }),
    entryOf(session, 4, 300, { clip: clipOf(2).id, second: 4 }),
    entryOf(session, 5, 308, {
      label: "all friends",
      kind: "social",
      state: "drafted",
      post: "post-1",
      clip: clipOf(2).id,
      second: 12,
    }),
    entryOf(session, 6, 420, { label: "lantern lit", state: "ignored" }),
    entryOf(session, 7, 2_100, { label: "secret found", state: "saved", clip: clipOf(3).id, second: 12 }),
    entryOf(session, 8, 2_340, { ...error, label: "Sound is missing", issue: null, state: "handed-over" }),
    entryOf(session, 9, 2_400, { label: "night falls", kind: "social", state: "ignored" }),
  ];
  const clips = [
    spanOf(session, 1, 28, { title: "prologue done" }),
    spanOf(session, 2, 296),
    spanOf(session, 3, 2_088, { title: "secret found" }),
  ];
  const gap = (from: number, to: number) => ({ from: atSecond(session, from), to: atSecond(session, to) });
  const gaps = [gap(96, 296), gap(420, 2_088), gap(2_105, 2_340), gap(2_400, 3_000)];
  return timelineOf(session, { entries, clips, gaps, compared: 5, issues: [{ issue, sessions: 2 }] });
}
