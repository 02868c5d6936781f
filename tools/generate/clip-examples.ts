// Documentation examples for clips, trims and exports.
import {
  type Clip,
  type ClipExport,
  exportClip,
  exportPresets,
  getClip,
  listClipExports,
  listClips,
  listClipTags,
  markMoment,
  planCleanup,
  recorderDefaults,
  saveRecording,
  trimClip,
} from "@kit/contract";
import type { Show } from "./show.ts";

/** Used by other examples as well. */
export const clipId = "019ceb4c-2f7a-7d01-8c55-0c9b6a1f7e20";

const clipOf = (event: string, at: string): Clip => ({
  id: clipId,
  kind: "clip",
  state: "saved",
  subject: "highlight",
  title: "Boss defeated",
  game: "my_game",
  startedAt: "2026-03-14T09:26:41.589Z",
  duration: 17,
  path: "/home/mika/.local/share/kit/clips/2026-03-14 10-26-53 My-Game Boss-defeated.mp4",
  bytes: 7_340_032,
  width: 1280,
  height: 720,
  frameRate: 30,
  backend: "ffmpeg",
  events: [{ id: event, kind: "recording", eventId: "my_game_boss_defeated", label: "Boss defeated", at, offset: 12 }],
  notes: [],
  priority: 500,
  pinned: false,
  tags: ["boss"],
  trimmedFrom: null,
  shared: false,
  missing: false,
  poster: true,
  preview: true,
  deletedAt: null,
});

/** File-related members of a clip without a file. */
const uncut = { duration: 0, path: null, bytes: 0, width: 0, height: 0, frameRate: null } as const;

/** Adds examples of a clip that contains this event. */
export function showClips(show: Show, event: string, at: string): void {
  const clip = clipOf(event, at);
  const copy: ClipExport = {
    id: "019ceb4d-0a31-7b5e-9f04-6d2c8e1b7a35",
    clip: clipId,
    preset: "discord",
    format: "mp4",
    range: null,
    crop: null,
    microphone: false,
    bytesMax: exportPresets.discord.bytesMax,
    state: "waiting",
    reason: null,
    progress: 0,
    secondsLeft: null,
    bytes: 0,
    notes: [],
    fileName: "2026-03-14 10-26-53 my_game my_game_boss_defeated discord.mp4",
    requestedAt: "2026-03-14T09:31:07.204Z",
  };
  show(listClips, {
    reply: { clips: [clip], more: false, bytes: clip.bytes, quotaBytes: recorderDefaults.quotaBytes },
  });
  show(getClip, { reply: clip });
  const byHand = { ...clip, events: [], priority: 800 };
  show(saveRecording, { body: { seconds: 30 }, reply: { ...byHand, title: "Saved by you, 21:04", duration: 30 } });
  show(markMoment, {
    reply: {
      ...byHand,
      ...uncut,
      kind: "marker",
      state: "marked",
      title: "Marked by you, 21:04",
      poster: false,
      preview: false,
    },
  });
  show(planCleanup, {
    reply: {
      bytes: clip.bytes,
      quotaBytes: 5_000_000,
      freedBytes: clip.bytes,
      freeableBytes: clip.bytes,
      goes: [{ clip, why: "the oldest of the lowest priority" }],
      fits: true,
    },
  });
  show(listClipTags, { reply: { tags: [{ tag: "boss", clips: 3 }] } });
  show(trimClip, {
    body: { fromSeconds: 9, toSeconds: 14.5 },
    reply: {
      ...clip,
      id: "019ceb4d-5c1e-7a90-8b3d-2f6e4a9c0d17",
      state: "pending",
      stage: "waiting",
      startedAt: "2026-03-14T09:26:50.589Z",
      ...uncut,
      events: clip.events.map((one) => ({ ...one, offset: 3 })),
      trimmedFrom: clipId,
      poster: false,
      preview: false,
    },
  });
  show(exportClip, { body: { clip: clipId, preset: "discord" }, reply: copy });
  const ready = { state: "ready", progress: 1, bytes: 7_340_032 } as const;
  show(listClipExports, { reply: { exports: [{ ...copy, ...ready }] } });
}
