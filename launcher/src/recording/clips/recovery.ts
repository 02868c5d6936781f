// Recovers the clips that the previous run of the launcher left pending: finishes each, or marks it as failed with the reason.

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Message } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Statement } from "../../storage/sql.ts";
import { footageNotes } from "../plans/notes.ts";
import { type ClipPlan, distanceToFootageMs, type Moment, markerOf, withMoments } from "../plans/plan.ts";
import type { ClipFiles, VerifiedFile } from "./clip-files.ts";
import type { PendingClip } from "./clip-row.ts";
import {
  type ClipStore,
  describeClip,
  dropMoments,
  insertMarker,
  insertSplitClip,
  markClipFailed,
  markClipSaved,
  type SavedFile,
} from "./clip-store.ts";
import {
  type FileNameParts,
  fileBaseName,
  namePartsForPlan,
  namePartsForReel,
  namePartsForTrim,
  numberedName,
} from "./file-names.ts";

export type RecoveryDeps = {
  /** The clips folder; absolute. */
  readonly dir: string;
  readonly store: ClipStore;
  readonly files: ClipFiles;
  readonly write: (...statements: Statement[]) => Promise<void>;
  /** Builds the statements for receipts, which are written together with the rows. */
  readonly receiptStatements: (
    moments: readonly Moment[],
    state: "saved" | "failed" | "marked",
    reason: Message,
  ) => Statement[];
};

/** The ids of the recovered clips. */
export type RecoveredClips = { readonly saved: readonly string[]; readonly failed: readonly string[] };

export const finishedLaterMessage = message("clip.finished_later");
export const neverCutMessage = message("clip.never_cut");
const cutOnce = message("clip.not_cut_again");
const startUnsure = message("clip.start_unsure");
const durationOffMaxMs = 500;
/** By how much each part of a reel may be longer or shorter, because it has only whole frames. */
const frameMsMax = 50;
/** Minimum difference at which a file counts as longer than its row says: another version of ffmpeg may measure slightly more. */
const longerMinMs = 100;
const candidateNamesMax = 5;

const partName = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.(jpg|small\.jpg|mp4))?\.part$/;

type RecoveredClip = {
  readonly saved: SavedFile;
  /** Moments that the file shows. */
  readonly shown: readonly Moment[];
  readonly missed: readonly Moment[];
};

/** Reads from the file when it starts and which events it was cut for: the plan may have grown since. */
async function describeFile(plan: ClipPlan, file: VerifiedFile, files: ClipFiles): Promise<RecoveredClip> {
  const isClip = plan.kind === "clip";
  const { startedAtMs, events } = (isClip ? await files.readMetadata(file.file) : undefined) ?? {};
  const fromMs = startedAtMs ?? plan.fromMs;
  const footage = { fromMs, toMs: fromMs + file.durationMs, gaps: [] };
  const isWanted = ({ event }: Moment) => events?.includes(event) ?? true;
  const isShown = (one: Moment) =>
    isWanted(one) && (startedAtMs === undefined || distanceToFootageMs(footage, one.atMs) === 0);
  const hasGrown = !plan.moments.every(isWanted);
  const notes = [
    ...(hasGrown ? [cutOnce] : []),
    ...(isClip && startedAtMs === undefined ? [startUnsure] : []),
    ...(startedAtMs === undefined || hasGrown ? [] : footageNotes(plan, footage)),
  ];
  return {
    saved: { ...file, fromMs, backend: null, notes: [...plan.notes, ...file.notes, ...notes] },
    shown: plan.moments.filter(isShown),
    missed: plan.moments.filter((moment) => !isShown(moment)),
  };
}

/** Verifies the partial file of a clip, if there is one, and gives it its name. */
async function recoverPartialFile({ plan, file }: PendingClip, files: ClipFiles): Promise<VerifiedFile | undefined> {
  const part = files.partPath(plan.id);
  const isThere = await stat(part).catch(() => undefined);
  if (isThere === undefined || plan.kind !== "clip") return undefined;
  return files
    .saveVideo(plan.id, part, undefined, { ...namePartsForPlan(plan), replaces: file })
    .catch(() => undefined);
}

/** Returns files without a row that may belong to the plan. Deletes empty ones, which only reserved a name. */
async function findCandidates(
  plan: ClipPlan,
  naming: FileNameParts,
  { dir, files }: RecoveryDeps,
  owned: ReadonlySet<string>,
): Promise<string[]> {
  const extension = plan.kind === "screenshot" ? ".jpg" : ".mp4";
  const base = fileBaseName(naming);
  const named: string[] = [];
  for (let nth = 1; nth <= candidateNamesMax; nth += 1) {
    const file = numberedName(base, extension, nth);
    const found = owned.has(file) ? undefined : await stat(join(dir, file)).catch(() => undefined);
    if (found === undefined || found.mtimeMs < plan.fromMs) continue;
    if (found.size > 0) named.push(file);
    else await files.discard(join(dir, file)).catch(() => undefined);
  }
  return named;
}

/** Returns the file of the plan, if it already has its name and only its row was not written. */
async function recoverNamedFile(
  plan: ClipPlan,
  candidates: readonly string[],
  files: ClipFiles,
): Promise<VerifiedFile | undefined> {
  for (const file of candidates) {
    const verified = await files.verify(file).catch(() => undefined);
    if (verified !== undefined && verified.durationMs <= plan.toMs - plan.fromMs + durationOffMaxMs) return verified;
  }
  return undefined;
}

/** Looks for the finished file of a trim or reel; without one, it is made again. Writes no receipts: the original clip has them. */
async function recoverDerived(
  { plan, parts }: PendingClip,
  needs: RecoveryDeps,
  owned: Set<string>,
): Promise<"saved" | "again"> {
  const { files, store, write } = needs;
  const naming = parts === null ? namePartsForTrim(plan) : namePartsForReel(plan);
  const offMaxMs = durationOffMaxMs + (parts?.length ?? 0) * frameMsMax;
  for (const file of await findCandidates(plan, naming, needs, owned)) {
    const verified = await files.verify(file).catch(() => undefined);
    const metadata = await files.readMetadata(file);
    const offMs = (verified?.durationMs ?? 0) - (plan.toMs - plan.fromMs);
    if (verified === undefined || metadata?.startedAtMs !== plan.fromMs || Math.abs(offMs) > offMaxMs) continue;
    owned.add(file);
    const { backend = null } = (await store.find(plan.id))?.clip ?? {};
    await write(
      markClipSaved(plan.id, {
        ...verified,
        fromMs: plan.fromMs,
        backend,
        notes: verified.notes,
      }),
    );
    return "saved";
  }
  return "again";
}

async function recoverClip(pending: PendingClip, needs: RecoveryDeps, owned: Set<string>): Promise<"saved" | "failed"> {
  const { files, write, receiptStatements: receipts } = needs;
  const { plan, file, currentFile: place, durationMs } = pending;
  const receiptsFor = (moments: readonly Moment[], state: "saved" | "failed" | "marked", reason: Message) =>
    moments.length === 0 ? [] : receipts(moments, state, reason);
  const candidates = await findCandidates(plan, namePartsForPlan(plan), needs, owned);
  const existing = place === null ? undefined : await files.verify(place).catch(() => undefined);
  // A longer cut may have replaced the first file before its row could be written.
  const isLonger = existing !== undefined && place === file && existing.durationMs - durationMs > longerMinMs;
  const recovered =
    (await recoverPartialFile(pending, files)) ??
    (isLonger ? existing : undefined) ??
    (await recoverNamedFile(plan, candidates, files));
  if (recovered !== undefined) {
    owned.add(recovered.file);
    const { saved, shown, missed } = await describeFile(plan, recovered, files);
    if (shown.length === 0 && file === null) {
      await write(...insertMarker(plan, neverCutMessage), ...receiptsFor(missed, "marked", neverCutMessage));
      await files.discard(files.absolutePath(recovered.file));
      return "failed";
    }
    const triggers = missed.filter(({ kind }) => kind !== "monitor");
    const marker = markerOf(plan, triggers);
    const marking = triggers.length === 0 ? [] : [...insertSplitClip(marker), ...insertMarker(marker, neverCutMessage)];
    await write(
      markClipSaved(plan.id, saved),
      ...marking,
      dropMoments(plan, missed),
      describeClip(withMoments(plan, shown)),
      ...receiptsFor(shown, "saved", finishedLaterMessage),
      ...receiptsFor(missed, "marked", neverCutMessage),
    );
    if (file !== null && file === place && file !== recovered.file) await files.discard(files.absolutePath(file));
    return "saved";
  }
  const hasFile = existing !== undefined;
  // Until another cut is saved, the start in the row is that of the first cut.
  const first = { fromMs: plan.fromMs, toMs: plan.fromMs + durationMs, gaps: [] };
  const isShown = ({ atMs }: Moment) => hasFile && distanceToFootageMs(first, atMs) === 0;
  const saved = receiptsFor(plan.moments.filter(isShown), "saved", cutOnce);
  const missed = plan.moments.filter((moment) => !isShown(moment));
  await write(
    ...markClipFailed(plan.id, neverCutMessage, hasFile),
    ...saved,
    ...receiptsFor(missed, "failed", neverCutMessage),
  );
  return hasFile ? "saved" : "failed";
}

/** Deletes partial files that are left over. Other files in the folder may be a person's, and stay. */
async function removePartialFiles({ dir, files }: RecoveryDeps): Promise<void> {
  for (const folder of [dir, join(dir, ".media")]) {
    const names = await readdir(folder).catch(() => []);
    const parts = names.filter((name) => partName.test(name));
    await Promise.all(parts.map((name) => files.discard(join(folder, name)).catch(() => undefined)));
  }
}

/** Must run before anything is recorded. Rejects only if the database fails, never because of a file. */
export async function recoverClips(needs: RecoveryDeps): Promise<RecoveredClips> {
  const { store } = needs;
  const owned = new Set((await store.withFile()).flatMap(({ file }) => file ?? []));
  const outcome = { saved: [] as string[], failed: [] as string[] };
  for (const pending of await store.pending()) {
    const isDerived = pending.trimmedFrom !== null || pending.parts !== null;
    const state = isDerived ? await recoverDerived(pending, needs, owned) : await recoverClip(pending, needs, owned);
    if (state !== "again") outcome[state].push(pending.plan.id);
  }
  await removePartialFiles(needs);
  return outcome;
}
