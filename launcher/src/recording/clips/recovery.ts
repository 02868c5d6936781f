// At the start: clips that an earlier run of the launcher promised and did not finish are finished, or failed with the reason.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Statement } from "../../storage/sql.ts";
import { missedBy } from "../clip-jobs/coverage.ts";
import type { Moment, Plan } from "../plan.ts";
import { footageNotes } from "../said.ts";
import type { ClipFileInfo, ClipFiles } from "./clip-files.ts";
import type { PendingClip } from "./clip-row.ts";
import { type ClipStore, failed, type Saved, saved } from "./clip-store.ts";
import { baseNameOf, type Naming, namingOf, namingOfPart, nthName } from "./file-name.ts";

export type RecoveryNeeds = {
  /** The clips folder; absolute. */
  readonly dir: string;
  readonly store: ClipStore;
  readonly files: ClipFiles;
  readonly write: (...statements: Statement[]) => Promise<void>;
  /** States of receipts, written together with the rows. */
  readonly receipts: (moments: readonly Moment[], state: "saved" | "failed", reason: string) => Statement[];
};

/** Ids of the clips. */
export type Recovered = { readonly saved: readonly string[]; readonly failed: readonly string[] };

export const finishedLater = "finished after the launcher was ended";
export const neverCut = "the launcher was ended before the clip was cut";
const cutOnce = "the clip was to be longer, but the launcher was ended before it was cut anew";
const startUnsure = "the launcher was ended before it noted where the clip begins";
const durationOffMaxMs = 500;
/** Less is only another ffmpeg's count. */
const longerMinMs = 100;
const namesLookedAt = 5;

const partName = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.(jpg|mp4))?\.part$/;

type Found = {
  readonly saved: Saved;
  /** The moments it shows; those it does not. */
  readonly shown: readonly Moment[];
  readonly left: readonly Moment[];
};

/** What a file is worth, as it says itself: where it begins, and for which events it was cut; the clip may have grown since. */
async function foundIn(plan: Plan, kept: ClipFileInfo, files: ClipFiles): Promise<Found> {
  const isClip = plan.kind === "clip";
  const { startedAtMs, events } = (isClip ? await files.told(kept.file) : undefined) ?? {};
  const fromMs = startedAtMs ?? plan.fromMs;
  const footage = { fromMs, toMs: fromMs + kept.durationMs, holes: [] };
  const isWanted = ({ event }: Moment) => events?.includes(event) ?? true;
  const isShown = (one: Moment) => isWanted(one) && (startedAtMs === undefined || missedBy(footage, one.atMs) === 0);
  const isShorter = !plan.moments.every(isWanted);
  const said = [
    ...(isShorter ? [cutOnce] : []),
    ...(isClip && startedAtMs === undefined ? [startUnsure] : []),
    ...(startedAtMs === undefined || isShorter ? [] : footageNotes(plan, footage)),
  ];
  return {
    saved: { ...kept, fromMs, backend: null, notes: [...plan.notes, ...kept.notes, finishedLater, ...said] },
    shown: plan.moments.filter(isShown),
    left: plan.moments.filter((moment) => !isShown(moment)),
  };
}

/** What is left of a clip's part, checked and under its name. */
async function fromPart({ plan, file }: PendingClip, files: ClipFiles): Promise<ClipFileInfo | undefined> {
  const part = files.partOf(plan.id);
  const isThere = await stat(part).catch(() => undefined);
  if (isThere === undefined || plan.kind !== "clip") return undefined;
  return files.keep(plan.id, part, undefined, { ...namingOf(plan), replaces: file }).catch(() => undefined);
}

/** Files that may be the plan's and no row names. A name is taken before its file is there: one that is empty is freed again. */
async function namedFor(
  plan: Plan,
  naming: Naming,
  { dir, files }: RecoveryNeeds,
  owned: ReadonlySet<string>,
): Promise<string[]> {
  const extension = plan.kind === "screenshot" ? ".jpg" : ".mp4";
  const base = baseNameOf(naming);
  const named: string[] = [];
  for (let nth = 1; nth <= namesLookedAt; nth += 1) {
    const file = nthName(base, extension, nth);
    const found = owned.has(file) ? undefined : await stat(join(dir, file)).catch(() => undefined);
    if (found === undefined || found.mtimeMs < plan.fromMs) continue;
    if (found.size > 0) named.push(file);
    else await files.discard(join(dir, file)).catch(() => undefined);
  }
  return named;
}

/** A file that has its final name already, though its row was not written any more. */
async function fromNamed(plan: Plan, named: readonly string[], files: ClipFiles): Promise<ClipFileInfo | undefined> {
  for (const file of named) {
    const kept = await files.checked(file).catch(() => undefined);
    if (kept !== undefined && kept.durationMs <= plan.toMs - plan.fromMs + durationOffMaxMs) return kept;
  }
  return undefined;
}

/** Of a part of a clip only its file is looked for: whoever trims makes it again otherwise, and its events have their receipts. */
async function settlePart({ plan }: PendingClip, needs: RecoveryNeeds, owned: Set<string>): Promise<"saved" | "again"> {
  const { files, store, write } = needs;
  for (const file of await namedFor(plan, namingOfPart(plan), needs, owned)) {
    const kept = await files.checked(file).catch(() => undefined);
    const told = await files.told(file);
    const offMs = (kept?.durationMs ?? 0) - (plan.toMs - plan.fromMs);
    if (kept === undefined || told?.startedAtMs !== plan.fromMs || Math.abs(offMs) > durationOffMaxMs) continue;
    owned.add(file);
    const { backend = null } = (await store.find(plan.id))?.clip ?? {};
    await write(saved(plan.id, { ...kept, fromMs: plan.fromMs, backend, notes: [...kept.notes, finishedLater] }));
    return "saved";
  }
  return "again";
}

async function settle(pending: PendingClip, needs: RecoveryNeeds, owned: Set<string>): Promise<"saved" | "failed"> {
  const { files, write, receipts } = needs;
  const { plan, file, place, durationMs } = pending;
  const tell = (moments: readonly Moment[], state: "saved" | "failed", reason: string) =>
    moments.length === 0 ? [] : receipts(moments, state, reason);
  const named = file === null ? await namedFor(plan, namingOf(plan), needs, owned) : [];
  const standing = place === null ? undefined : await files.checked(place).catch(() => undefined);
  // A longer cut that had taken the first one's place, though its row was not written any more.
  const isLonger = standing !== undefined && place === file && standing.durationMs - durationMs > longerMinMs;
  const kept =
    (await fromPart(pending, files)) ?? (isLonger ? standing : undefined) ?? (await fromNamed(plan, named, files));
  if (kept !== undefined) {
    owned.add(kept.file);
    const found = await foundIn(plan, kept, files);
    const told = [...tell(found.shown, "saved", finishedLater), ...tell(found.left, "failed", neverCut)];
    await write(saved(plan.id, found.saved), ...told);
    return "saved";
  }
  const stands = standing !== undefined;
  // The row's beginning is that of the first cut until another one is there.
  const first = { fromMs: plan.fromMs, toMs: plan.fromMs + durationMs, holes: [] };
  const isIn = ({ atMs }: Moment) => stands && missedBy(first, atMs) === 0;
  const inside = tell(plan.moments.filter(isIn), "saved", cutOnce);
  const outside = plan.moments.filter((moment) => !isIn(moment));
  await write(...failed(plan.id, neverCut, stands), ...inside, ...tell(outside, "failed", neverCut));
  return stands ? "saved" : "failed";
}

/** Parts are ours alone; whatever else lies in the folder is left as it is. */
async function sweep({ dir, files }: RecoveryNeeds): Promise<void> {
  for (const folder of [dir, join(dir, ".media")]) {
    const names = await readdir(folder).catch(() => []);
    const parts = names.filter((name) => partName.test(name));
    await Promise.all(parts.map((name) => files.discard(join(folder, name)).catch(() => undefined)));
  }
}

/** Before anything is recorded. Nothing in the folder can make it fail; a database that cannot be read or written can. */
export async function recoverClips(needs: RecoveryNeeds): Promise<Recovered> {
  const { store } = needs;
  const owned = new Set((await store.withFile()).flatMap(({ file }) => file ?? []));
  const outcome = { saved: [] as string[], failed: [] as string[] };
  for (const pending of await store.pending()) {
    const isPart = pending.trimmedFrom !== null;
    const state = isPart ? await settlePart(pending, needs, owned) : await settle(pending, needs, owned);
    if (state !== "again") outcome[state].push(pending.plan.id);
  }
  await sweep(needs);
  return outcome;
}
