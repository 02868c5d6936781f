// A row of the clip table as the rest of recording sees it: the contract's clip, and what only the launcher needs to know.
import { join } from "node:path";
import type { Clip, ClipKind, ClipState, EventKind } from "@kit/contract";
import type { Row } from "../../storage/sql.ts";
import type { Moment, Plan } from "../plan.ts";

/** What a pending clip is at. */
export type StageOf = (id: string) => Clip["stage"];

/** A clip as it is told, with its events and the name of its file. */
export type StoredClip = {
  readonly clip: Clip;
  /** Relative to the clips folder, as it is named outside the bin. */
  readonly file: string | null;
  readonly fromMs: number;
  readonly deletedAtMs: number | null;
  /** On how many days it was seen in the bin. */
  readonly binDays: number;
  readonly moments: readonly Moment[];
};

/** One that was promised and is neither saved nor failed; `file`, `place`, `durationMs` and `frames` are of an earlier, shorter cut. */
export type PendingClip = {
  readonly plan: Plan;
  readonly file: string | null;
  /** Where that one lies now. */
  readonly place: string | null;
  readonly durationMs: number;
  readonly frames: number;
  /** Id of the clip it is to be a part of; null: it is cut from footage. */
  readonly trimmedFrom: string | null;
};

/** Where the bin lies within the clips folder. */
export const binFolder = ".bin";

const isoOf = (ms: unknown) => new Date(Number(ms)).toISOString();
let alphabet: Intl.Collator | undefined;
/** The same order on every machine. The language data is loaded when two tags are first compared. */
export function byAlphabet(one: string, other: string): number {
  alphabet ??= new Intl.Collator("en", { numeric: true });
  return alphabet.compare(one, other);
}
const listOf = (text: unknown): string[] => (text === null ? [] : JSON.parse(String(text)));

type MomentCells = [string, number, EventKind, string | null, string, number];

function momentsOf(row: Row): Moment[] {
  const cells: MomentCells[] = JSON.parse(String(row.moments));
  return cells.map(([event, seq, kind, eventId, label, atMs]) => ({ event, seq, kind, eventId, label, atMs }));
}

/** In the bin a file has the clip's id for a name: nothing there can take another's place. */
export const binNameOf = (id: string, file: string): string => join(binFolder, id + file.slice(file.lastIndexOf(".")));

/** Where its file lies within the clips folder now. */
function placeOf(id: string, file: string | null, deletedAtMs: number | null): string | null {
  return file === null || deletedAtMs === null ? file : binNameOf(id, file);
}

const nullable = (value: Row[string] | undefined) => (value === null || value === undefined ? null : String(value));
const flag = (value: Row[string] | undefined) => value === 1;

/** To a thousandth: 29.97 is another rate than 30. */
const frameRateOf = (frames: number, durationMs: number): number | null =>
  frames > 1 && durationMs > 0 ? Math.round((frames * 1_000_000) / durationMs) / 1_000 : null;

export function storedClipOf(row: Row, dir: string, stageOf: StageOf): StoredClip {
  const id = String(row.id);
  const file = nullable(row.file);
  const fromMs = Number(row.fromMs);
  const deletedAtMs = row.deletedAtMs === null ? null : Number(row.deletedAtMs);
  const moments = momentsOf(row);
  const place = placeOf(id, file, deletedAtMs);
  const stage = row.state === "pending" ? stageOf(id) : undefined;
  const clip: Clip = {
    id,
    kind: row.kind as ClipKind,
    state: row.state as ClipState,
    ...(row.reason === null ? {} : { reason: String(row.reason) }),
    ...(stage === undefined ? {} : { stage }),
    title: String(row.title),
    game: nullable(row.game),
    startedAt: isoOf(fromMs),
    duration: Number(row.durationMs) / 1_000,
    path: place === null ? null : join(dir, place),
    bytes: Number(row.bytes),
    width: Number(row.width),
    height: Number(row.height),
    frameRate: frameRateOf(Number(row.frames), Number(row.durationMs)),
    backend: row.backend as Clip["backend"],
    events: moments.map(({ event, kind, eventId, label, atMs }) => {
      const offset = (atMs - fromMs) / 1_000;
      return { id: event, kind, eventId, label, at: isoOf(atMs), offset };
    }),
    notes: listOf(row.notes),
    priority: Number(row.priority),
    tags: listOf(row.tags).toSorted(byAlphabet),
    trimmedFrom: nullable(row.trimmedFrom),
    pinned: flag(row.pinned),
    shared: flag(row.shared),
    hasError: moments.some(({ kind }) => kind === "monitor"),
    missing: flag(row.missing),
    poster: flag(row.poster),
    preview: flag(row.preview),
    deletedAt: deletedAtMs === null ? null : isoOf(deletedAtMs),
  };
  return { clip, file, fromMs, deletedAtMs, binDays: Number(row.binDays), moments };
}

export function pendingOf(row: Row): PendingClip {
  const plan: Plan = {
    id: String(row.id),
    kind: row.kind as ClipKind,
    game: nullable(row.game),
    title: String(row.title),
    fromMs: Number(row.fromMs),
    toMs: Number(row.toMs),
    moments: momentsOf(row),
    priority: Number(row.priority),
    notes: listOf(row.notes),
  };
  const file = nullable(row.file);
  const place = placeOf(plan.id, file, row.deletedAtMs === null ? null : Number(row.deletedAtMs));
  const trimmedFrom = nullable(row.trimmedFrom);
  return { plan, file, place, durationMs: Number(row.durationMs), frames: Number(row.frames), trimmedFrom };
}
