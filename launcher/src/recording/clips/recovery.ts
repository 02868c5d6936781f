// At the start: clips that an earlier run of the launcher promised and did not finish are finished, or failed with the reason.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Statement } from "../../storage/sql.ts";
import { missedBy } from "../making/shown.ts";
import type { Moment, Plan } from "../plan.ts";
import type { ClipFiles, KeptFile } from "./clip-files.ts";
import type { PendingClip } from "./clip-row.ts";
import { type ClipStore, failed, type Saved, saved } from "./clip-store.ts";
import { baseNameOf, namingOf, nthName } from "./file-name.ts";

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
const namesLookedAt = 5;

const partName = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.(jpg|mp4))?\.part$/;

/** A cut waits for its window's end: when the length is not that of the window, it is the beginning that is elsewhere. */
function savedOf(plan: Plan, kept: KeptFile, isShorter: boolean): Saved {
  // A cut from before the clip grew ends earlier; its beginning is the window's.
  const isUnsure = !isShorter && Math.abs(plan.toMs - plan.fromMs - kept.durationMs) > durationOffMaxMs;
  const said = [...(isShorter ? [cutOnce] : []), ...(isUnsure ? [startUnsure] : [])];
  const notes = [...plan.notes, ...kept.notes, finishedLater, ...said];
  return { ...kept, fromMs: isUnsure ? plan.toMs - kept.durationMs : plan.fromMs, backend: null, notes };
}

/** Which of its moments the file was cut for, as the file itself says: the clip may have grown since. */
async function cutFor(plan: Plan, kept: KeptFile, files: ClipFiles): Promise<{ inFile: Moment[]; left: Moment[] }> {
  const events = plan.kind === "clip" ? await files.eventsIn(kept.file) : undefined;
  const isIn = ({ event }: Moment) => events === undefined || events.includes(event);
  return { inFile: plan.moments.filter(isIn), left: plan.moments.filter((moment) => !isIn(moment)) };
}

/** What is left of a clip's part, checked and under its name. */
async function fromPart({ plan, file }: PendingClip, files: ClipFiles): Promise<KeptFile | undefined> {
  const part = files.partOf(plan.id);
  const isThere = await stat(part).catch(() => undefined);
  if (isThere === undefined || plan.kind !== "clip") return undefined;
  return files.keep(plan.id, part, undefined, { ...namingOf(plan), replaces: file }).catch(() => undefined);
}

/** A file that has its final name already, though its row was not written any more. */
async function fromFinal(
  plan: Plan,
  { dir, files }: RecoveryNeeds,
  owned: ReadonlySet<string>,
): Promise<KeptFile | undefined> {
  const extension = plan.kind === "screenshot" ? ".jpg" : ".mp4";
  const base = baseNameOf(namingOf(plan));
  for (let nth = 1; nth <= namesLookedAt; nth += 1) {
    const file = nthName(base, extension, nth);
    const found = owned.has(file) ? undefined : await stat(join(dir, file)).catch(() => undefined);
    if (found === undefined || found.mtimeMs < plan.fromMs) continue;
    const kept = await files.checked(file).catch(() => undefined);
    if (kept !== undefined && kept.durationMs <= plan.toMs - plan.fromMs + durationOffMaxMs) return kept;
  }
  return undefined;
}

async function settle(pending: PendingClip, needs: RecoveryNeeds, owned: Set<string>): Promise<"saved" | "failed"> {
  const { files, write, receipts } = needs;
  const { plan, file, place, durationMs } = pending;
  const kept = (await fromPart(pending, files)) ?? (file === null ? await fromFinal(plan, needs, owned) : undefined);
  if (kept !== undefined) {
    owned.add(kept.file);
    const { inFile, left } = await cutFor(plan, kept, files);
    const told = [
      ...(inFile.length === 0 ? [] : receipts(inFile, "saved", finishedLater)),
      ...(left.length === 0 ? [] : receipts(left, "failed", neverCut)),
    ];
    await write(saved(plan.id, savedOf(plan, kept, left.length > 0)), ...told);
    return "saved";
  }
  const isWhole = (where: string) =>
    files.checked(where).then(
      () => true,
      () => false,
    );
  const stands = place !== null && (await isWhole(place));
  // The row's beginning is that of the first cut until another one is there.
  const first = { fromMs: plan.fromMs, toMs: plan.fromMs + durationMs, holes: [] };
  const isIn = (atMs: number) => stands && missedBy(first, atMs) === 0;
  const [inside, outside] = [
    plan.moments.filter(({ atMs }) => isIn(atMs)),
    plan.moments.filter(({ atMs }) => !isIn(atMs)),
  ];
  const told = [
    ...(inside.length === 0 ? [] : receipts(inside, "saved", cutOnce)),
    ...(outside.length === 0 ? [] : receipts(outside, "failed", neverCut)),
  ];
  await write(...failed(plan.id, neverCut, stands), ...told);
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
    const state = await settle(pending, needs, owned);
    outcome[state].push(pending.plan.id);
  }
  await sweep(needs);
  return outcome;
}
