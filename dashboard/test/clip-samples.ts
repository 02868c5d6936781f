// Sample clips, exports and recorder answers for the browser tests: complete objects in which a test can replace fields.
import {
  type Clip,
  type ClipExport,
  type RecorderReport,
  type RecorderState,
  type RecordingRule,
  recorderDefaults,
  recordingRuleDefaults,
} from "@kit/contract";

const idOf = (n: number) => `01990000-0000-7000-8000-${String(n).padStart(12, "0")}`;

/** The nth clip, `n` minutes old, with one moment 12 s after its start. */
export function clipOf(n: number, members: Partial<Clip> = {}): Clip {
  const startedAt = new Date(Date.now() - n * 60_000 - 5_000).toISOString();
  const title = members.title ?? "mygame_boss_defeated";
  const at = new Date(Date.parse(startedAt) + 12_000).toISOString();
  return {
    id: idOf(n),
    kind: "clip",
    state: "saved",
    subject: "highlight",
    title,
    game: "mygame",
    startedAt,
    duration: 17,
    path: `/home/sam/.local/share/kit/clips/mygame ${n}.mp4`,
    bytes: 4_200_000,
    width: 1280,
    height: 720,
    frameRate: 30,
    backend: "ffmpeg",
    events: [{ id: idOf(1_000 + n), kind: "recording", eventId: "mygame_boss_defeated", label: title, at, offset: 12 }],
    notes: [],
    priority: 500,
    pinned: false,
    shared: false,
    tags: [],
    trimmedFrom: null,
    missing: false,
    poster: true,
    preview: true,
    deletedAt: null,
    ...members,
  };
}

/** The nth export of the first clip, for Discord. */
export const exportOf = (n: number, members: Partial<ClipExport> = {}): ClipExport => ({
  id: idOf(5_000 + n),
  clip: idOf(1),
  preset: "discord",
  format: "mp4",
  range: null,
  crop: null,
  microphone: false,
  bytesMax: 10_485_760,
  state: "encoding",
  reason: null,
  progress: 0.4,
  secondsLeft: 12,
  bytes: 0,
  notes: [],
  fileName: "mygame_boss_defeated.mp4",
  requestedAt: new Date().toISOString(),
  ...members,
});

/** A moment without footage. */
export const markerOf = (n: number, members: Partial<Clip> = {}): Clip =>
  clipOf(n, {
    kind: "marker",
    state: "marked",
    reason: "No recorder ran: ffmpeg was not found",
    duration: 0,
    path: null,
    bytes: 0,
    width: 0,
    height: 0,
    frameRate: null,
    backend: null,
    poster: false,
    preview: false,
    ...members,
  });

/** Three moments in one clip, one of them an error, with less footage before the first than the rule asks for. */
const bossClip = (): Clip =>
  clipOf(2, {
    title: "mygame_boss_defeated",
    pinned: true,
    notes: ["8 of 12 s before: the recorder had just begun"],
    events: [
      {
        id: idOf(1_002),
        kind: "recording",
        eventId: "mygame_boss_seen",
        label: "mygame_boss_seen",
        at: "2026-05-01T10:00:03.000Z",
        offset: 3,
      },
      {
        id: idOf(1_102),
        kind: "monitor",
        eventId: null,
        label: "Nil has no hp",
        at: "2026-05-01T10:00:08.000Z",
        offset: 8,
      },
      {
        id: idOf(1_202),
        kind: "recording",
        eventId: "mygame_boss_defeated",
        label: "mygame_boss_defeated",
        at: "2026-05-01T10:00:12.000Z",
        offset: 12,
      },
    ],
  });

/** One clip of each kind and state that the gallery shows. */
export const everyKind = (): Clip[] => [
  clipOf(1, {
    state: "pending",
    stage: "cutting",
    title: "mygame_just_now",
    duration: 0,
    path: null,
    poster: false,
    preview: false,
  }),
  bossClip(),
  clipOf(3, { kind: "screenshot", title: "mygame_view", duration: 0, preview: false, game: null }),
  clipOf(4, {
    state: "failed",
    reason: "The footage was lost: the recorder stopped at that moment",
    title: "mygame_lost",
    path: null,
    poster: false,
    preview: false,
  }),
  clipOf(5, { missing: true, title: "mygame_moved", shared: true }),
  markerOf(6, { title: "mygame_step" }),
];

export const recorderStateOf = (members: Partial<RecorderState> = {}): RecorderState => ({
  state: "recording",
  detail: "The screen :0 is recorded; the last 90 seconds are held in memory.",
  backend: "ffmpeg",
  source: "screen :0",
  encoder: "libx264",
  width: 1280,
  height: 720,
  frameRate: 29.97,
  heldSeconds: 62,
  heldBytes: 18_400_000,
  degraded: null,
  restarts: 0,
  lostSeconds: 0,
  ...members,
});

export const reportOf = (members: Partial<RecorderReport> = {}): RecorderReport => ({
  state: recorderStateOf(),
  settings: { ...recorderDefaults },
  obsPasswordSet: false,
  ffmpeg: { path: "/usr/bin/ffmpeg", version: "5.1.9", from: "path" },
  canCopyFiles: true,
  trouble: { clipNotice: null, saveHotkey: null, markHotkey: null, trayIcon: null },
  ...members,
});

export const ruleOf = (eventId: string, members: Partial<RecordingRule> = {}): RecordingRule => ({
  ...recordingRuleDefaults,
  eventId,
  changed: false,
  ...members,
});
