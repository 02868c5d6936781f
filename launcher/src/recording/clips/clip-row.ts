// Converts rows of the clip table to clips of the contract, with some more members for the launcher.
import { join } from "node:path";
import type { Clip, ClipKind, ClipState, ClipSubject, EventKind, Message, ReelPart } from "@kit/contract";
import { fromMessageColumn, type Row } from "../../storage/sql.ts";
import { type ClipPlan, type Moment, offsetInFile } from "../plans/plan.ts";

/** Returns how far a reel is; undefined if it is not being made. */
export type ProgressLookup = (id: string) => Clip["progress"];
/** Returns what is being done for a pending clip; undefined if nothing is. */
export type StageLookup = (id: string) => Clip["stage"];

export type StoredClip = {
  readonly clip: Clip;
  /** Name in the clips folder. Also set while the file is in the trash. */
  readonly file: string | null;
  readonly fromMs: number;
  readonly deletedAtMs: number | null;
  /** On how many days the launcher ran while the clip was in the trash. */
  readonly trashDays: number;
  readonly moments: readonly Moment[];
};

/** A planned clip that is neither saved nor failed. `file`, `currentFile`, `durationMs` and `frames` are those of an earlier, shorter cut. */
export type PendingClip = {
  readonly plan: ClipPlan;
  readonly file: string | null;
  /** Where the file is now: in the trash or in the clips folder. */
  readonly currentFile: string | null;
  readonly durationMs: number;
  readonly frames: number;
  /** Id of the clip to trim; null if the clip is cut from footage. */
  readonly trimmedFrom: string | null;
  /** The parts of a reel; null of other clips. */
  readonly parts: readonly ReelPart[] | null;
};

/** Folder of the trash in the clips folder. */
export const trashFolder = ".bin";

const isoOf = (ms: unknown) => new Date(Number(ms)).toISOString();
let alphabet: Intl.Collator | undefined;
/** Compares in the same way on every computer. The first call loads the locale data. */
export function compareAlphabetically(one: string, other: string): number {
  alphabet ??= new Intl.Collator("en", { numeric: true });
  return alphabet.compare(one, other);
}
const notesOf = ({ notes }: Row): Message[] => (notes === null ? [] : JSON.parse(String(notes)));
const tagsOf = ({ tags }: Row): string[] => (tags === null ? [] : JSON.parse(String(tags)));

type MomentCells = [string, number, EventKind, string | null, string, number, number, number?];
const partsOf = ({ reel }: Row): ReelPart[] | null => (reel === null ? null : JSON.parse(String(reel)));

function momentsOf(row: Row): Moment[] {
  const cells: MomentCells[] = JSON.parse(String(row.moments));
  return cells.map(([event, seq, kind, eventId, label, atMs, priority, offsetMs]) => {
    const moment = { event, seq, kind, eventId, label, priority, atMs };
    return offsetMs === undefined ? moment : { ...moment, offsetMs };
  });
}

/** Returns the path of a file in the trash. There it has the id of its clip as its name, so that no two have the same. */
export const trashFileName = (id: string, file: string): string =>
  join(trashFolder, id + file.slice(file.lastIndexOf(".")));

/** Returns where the file of a clip is now, in the clips folder. */
function placeOf(id: string, file: string | null, deletedAtMs: number | null): string | null {
  return file === null || deletedAtMs === null ? file : trashFileName(id, file);
}

const nullable = (value: Row[string] | undefined) => (value === null || value === undefined ? null : String(value));
const flag = (value: Row[string] | undefined) => value === 1;

/** Returns frames per second with three decimals, so that 29.97 differs from 30. */
const frameRateOf = (frames: number, durationMs: number): number | null =>
  frames > 1 && durationMs > 0 ? Math.round((frames * 1_000_000) / durationMs) / 1_000 : null;

export function toStoredClip(row: Row, dir: string, stageOf: StageLookup, progressOf: ProgressLookup): StoredClip {
  const id = String(row.id);
  const file = nullable(row.file);
  const fromMs = Number(row.fromMs);
  const deletedAtMs = row.deletedAtMs === null ? null : Number(row.deletedAtMs);
  const moments = momentsOf(row);
  const place = placeOf(id, file, deletedAtMs);
  const stage = row.state === "pending" ? stageOf(id) : undefined;
  const progress = row.state === "pending" ? progressOf(id) : undefined;
  const parts = partsOf(row);
  const reason = fromMessageColumn(row.reason);
  const titleMessage = fromMessageColumn(row.titleMessage);
  const clip: Clip = {
    id,
    kind: row.kind as ClipKind,
    state: row.state as ClipState,
    ...(reason === null ? {} : { reason }),
    ...(stage === undefined ? {} : { stage }),
    ...(progress === undefined ? {} : { progress }),
    subject: row.subject as ClipSubject,
    title: String(row.title),
    ...(titleMessage === null ? {} : { titleMessage }),
    game: nullable(row.game),
    startedAt: isoOf(fromMs),
    duration: Number(row.durationMs) / 1_000,
    path: place === null ? null : join(dir, place),
    bytes: Number(row.bytes),
    width: Number(row.width),
    height: Number(row.height),
    frameRate: frameRateOf(Number(row.frames), Number(row.durationMs)),
    backend: row.backend as Clip["backend"],
    events: moments.map((moment) => {
      const { event, kind, eventId, label, atMs } = moment;
      const offset = offsetInFile(moment, fromMs) / 1_000;
      return { id: event, kind, eventId, label, at: isoOf(atMs), offset };
    }),
    notes: notesOf(row),
    ...(flag(row.microphone) && { microphone: true }),
    priority: Number(row.priority),
    tags: tagsOf(row).toSorted(compareAlphabetically),
    trimmedFrom: nullable(row.trimmedFrom),
    pinned: flag(row.pinned),
    shared: flag(row.shared),
    ...(parts === null ? {} : { parts }),
    missing: flag(row.missing),
    poster: flag(row.poster),
    preview: flag(row.preview),
    deletedAt: deletedAtMs === null ? null : isoOf(deletedAtMs),
  };
  return { clip, file, fromMs, deletedAtMs, trashDays: Number(row.binDays), moments };
}

export function toPendingClip(row: Row): PendingClip {
  const plan: ClipPlan = {
    id: String(row.id),
    kind: row.kind as ClipKind,
    game: nullable(row.game),
    title: String(row.title),
    fromMs: Number(row.fromMs),
    toMs: Number(row.toMs),
    moments: momentsOf(row),
    priority: Number(row.priority),
    notes: notesOf(row),
  };
  const file = nullable(row.file);
  const place = placeOf(plan.id, file, row.deletedAtMs === null ? null : Number(row.deletedAtMs));
  const trimmedFrom = nullable(row.trimmedFrom);
  return {
    plan,
    file,
    currentFile: place,
    durationMs: Number(row.durationMs),
    frames: Number(row.frames),
    trimmedFrom,
    parts: partsOf(row),
  };
}
