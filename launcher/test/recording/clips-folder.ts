// Support: a temporary clips folder with a real database and small real videos.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { Clip } from "@kit/contract";
import { pathOf } from "../../../tools/engines/locate.ts";
import { ClipFiles } from "../../src/recording/clips/clip-files.ts";
import {
  type ClipStore,
  createClipStore,
  insertClip,
  markClipSaved,
  type SavedFile,
} from "../../src/recording/clips/clip-store.ts";
import type { ClipLibrary } from "../../src/recording/clips/library.ts";
import type { ClipPlan, Moment } from "../../src/recording/plans/plan.ts";
import { quickFfmpeg } from "../support/quick-ffmpeg.ts";
import { openStorageFolder, type StorageFolder } from "../support/storage-folder.ts";
import { patienceMs } from "../support/until.ts";

export const beganMs = Date.UTC(2026, 4, 3, 10, 20, 30);

export type ClipsFolder = StorageFolder & {
  readonly clipsDir: string;
  readonly store: ClipStore;
  readonly files: ClipFiles;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Tests of what ffmpeg finds in a file give the installed one. */
export async function openClipsFolder(ffmpeg: () => string = quickFfmpeg): Promise<ClipsFolder> {
  const folder = await openStorageFolder();
  // A difficult folder name: with a space, letters that are not ASCII, and what ffmpeg could read as a pattern.
  const root = mkdtempSync(join(tmpdir(), "kit-clips-"));
  const clipsDir = join(root, "Ünsere %03d clips");
  mkdirSync(clipsDir);
  const files = new ClipFiles({ dir: clipsDir, ffmpeg: async () => ({ path: ffmpeg() }) });
  await files.createFolders();
  return {
    ...folder,
    clipsDir,
    files,
    store: createClipStore(folder.storage, clipsDir, () => "cutting"),
    async [Symbol.asyncDispose]() {
      await folder[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

let eventsMade = 0;

export function momentAt(atMs: number, kind: Moment["kind"] = "recording"): Moment {
  eventsMade += 1;
  const event = `00000000-0000-4000-8000-${String(eventsMade).padStart(12, "0")}`;
  const eventId = kind === "monitor" ? null : "saga_boss";
  return { event, seq: eventsMade, kind, eventId, label: "boss", priority: 500, atMs };
}

let plansMade = 0;

/** A plan of two seconds with one moment in the middle. */
export function planWith(changes: Partial<ClipPlan> = {}): ClipPlan {
  plansMade += 1;
  const id = `01900000-0000-7000-8000-${String(plansMade).padStart(12, "0")}`;
  const fromMs = changes.fromMs ?? beganMs;
  const toMs = changes.toMs ?? fromMs + 2_000;
  const moments = changes.moments ?? [momentAt(Math.floor((fromMs + toMs) / 2))];
  const plain: ClipPlan = {
    id,
    kind: "clip",
    game: "saga",
    title: "boss",
    fromMs,
    toMs,
    moments,
    priority: 500,
    notes: [],
  };
  return { ...plain, ...changes };
}

export const savedWith = (plan: ClipPlan, changes: Partial<SavedFile> = {}): SavedFile => ({
  fromMs: plan.fromMs,
  durationMs: plan.toMs - plan.fromMs,
  file: `${plan.id}.mp4`,
  bytes: 1_000,
  width: 320,
  height: 180,
  frames: 60,
  backend: "ffmpeg",
  notes: plan.notes,
  ...changes,
});

/** Writes the row of a saved clip, without a file. */
export async function saveRow(
  { storage }: Pick<StorageFolder, "storage">,
  plan: ClipPlan,
  changes: Partial<SavedFile> = {},
): Promise<ClipPlan> {
  await storage.write(...insertClip(plan), markClipSaved(plan.id, savedWith(plan, changes)));
  return plan;
}

/** Resolves with the clip when it is no longer pending. */
export async function settledClip(library: Pick<ClipLibrary, "get">, id: string): Promise<Clip> {
  const endsMs = performance.now() + patienceMs;
  for (;;) {
    const clip = await library.get(id);
    if (clip.state !== "pending") return clip;
    assert.ok(performance.now() < endsMs, `it is still ${clip.stage}`);
    await pause(20);
  }
}

/** `picture` is a source of ffmpeg's lavfi. */
export async function makeVideo(path: string, seconds = 2, picture = "testsrc2=s=320x180:r=30"): Promise<void> {
  const encode = [
    "-c:v",
    "libx264",
    "-preset",
    "ultrafast",
    "-g",
    "30",
    "-pix_fmt",
    "yuv420p",
    "-movflags",
    "+faststart",
  ];
  const args = ["-v", "error", "-f", "lavfi", "-i", picture, "-t", String(seconds), ...encode, "-f", "mp4", "-y", path];
  // At the usual priority, because on a busy machine a job of the launcher would not finish.
  await promisify(execFile)(pathOf("ffmpeg"), ["-nostdin", ...args]);
}
