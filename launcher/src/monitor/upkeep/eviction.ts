// Keeps issues and their stored reports within limits. Deletes the least relevant issues, so that there is always room for a
// new one; of reports, the old ones of frequent issues first.

import { setTimeout as pause } from "node:timers/promises";
import type { Statement } from "../../storage/sql.ts";
import { issuesMax } from "../grouping/group.ts";
import {
  deleteAndCountIssues,
  deleteIssues,
  deleteSamples,
  type EvictionCandidate,
  type GameIssueCount,
  type IssueEvictionStore,
  type IssueTableSize,
  type SampleStore,
  truncateLongestSamples,
} from "./upkeep-store.ts";

const pauseMs = 10;

type PacedWriterDeps = {
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  /** Called before and after issues are deleted, so that no cache keeps a deleted issue. */
  readonly onRemoved: () => void;
};

type PacedWriter = {
  readonly now: () => number;
  /** Writes, then pauses briefly so that other writes can run. */
  write(...statements: Statement[]): Promise<void>;
  /** Like `write`, for statements that delete issues. */
  writeRemoval(...statements: Statement[]): Promise<void>;
  pause(): Promise<void>;
  /** False after `end`: the caller stops early, and a later run does the rest. */
  isActive(): boolean;
};

/** Writes in small steps with pauses between, so that new events never wait long for upkeep. */
export function createPacedWriter({ write, now, onRemoved }: PacedWriterDeps): PacedWriter & { end(): void } {
  let ended = false;
  const pauseBriefly = async () => {
    await pause(pauseMs);
  };
  const writeAndPause = async (...statements: Statement[]) => {
    await write(...statements);
    await pauseBriefly();
  };
  return {
    now,
    write: writeAndPause,
    async writeRemoval(...statements) {
      onRemoved();
      await writeAndPause(...statements);
      onRemoved();
    },
    pause: pauseBriefly,
    isActive: () => !ended,
    end() {
      ended = true;
    },
  };
}

/** Maximum rounds of a run. The next run continues. */
const roundsMax = 20;
const issuesAtOnce = 40;
/** Maximum rows deleted in one write, including the rows that belong to the issues. */
const rowsAtOnce = 300;
/** What the deletion of an issue costs besides its rows, expressed as a number of rows. */
const rowsPerIssue = 15;

export type IssueLimits = {
  readonly issuesMax: number;
  /** How many more issues must always fit below `issuesMax`. */
  readonly issuesFree: number;
  readonly bytesMax: number;
};
export const defaultIssueLimits: IssueLimits = { issuesMax, issuesFree: 2_000, bytesMax: 256 * 1024 * 1024 };

const isOverLimit = ({ issues, bytes }: IssueTableSize, limits: IssueLimits) =>
  issues > limits.issuesMax - limits.issuesFree || bytes > limits.bytesMax;

/** Splits candidates into writes of at most `rowsAtOnce` rows, or of one issue that has more. */
function splitIntoWrites(candidates: readonly EvictionCandidate[]): EvictionCandidate[][] {
  const writes: EvictionCandidate[][] = [];
  let rows = Number.POSITIVE_INFINITY;
  for (const one of candidates) {
    rows += one.rows + rowsPerIssue;
    if (rows > rowsAtOnce) {
      writes.push([]);
      rows = one.rows + rowsPerIssue;
    }
    writes.at(-1)?.push(one);
  }
  return writes;
}

/** Permanently deletes issues that were moved to the trash before `beforeMs`. */
export async function emptyIssueTrash(store: IssueEvictionStore, writer: PacedWriter, beforeMs: number): Promise<void> {
  for (let round = 0; round < roundsMax && writer.isActive(); round += 1) {
    const candidates = await store.trashedBefore(beforeMs, issuesAtOnce);
    if (candidates.length === 0) return;
    for (const part of splitIntoWrites(candidates)) await writer.writeRemoval(deleteIssues(part));
  }
}

/**
 * Deletes issues in the trash first, then issues of the game that has the most, so that a flood only displaces its own issues.
 * Issues with a note are never deleted. Counts the evicted issues and their reports.
 */
export async function evictIssues(store: IssueEvictionStore, writer: PacedWriter, limits: IssueLimits): Promise<void> {
  if (!isOverLimit(await store.size(), limits)) return;
  let shares: readonly GameIssueCount[] = await store.issuesPerGame();
  for (let round = 0; round < roundsMax && writer.isActive(); round += 1) {
    const over = await excessIssues(store, limits);
    if (over <= 0) return;
    const trashed = await store.trashedWithoutNote(over);
    if (trashed.length > 0) {
      await evictAndCount(trashed, writer);
      continue;
    }
    const [most, next] = shares.toSorted((a, b) => b.issues - a.issues);
    if (most === undefined) return;
    const wanted = Math.min(over, most.issues - (next?.issues ?? 0) + 1);
    const candidates = await store.leastRelevant(most.game, writer.now(), wanted);
    await evictAndCount(candidates, writer);
    // If the game has no deletable issue, it takes no part in the next rounds.
    const issues = candidates.length === 0 ? -1 : most.issues - candidates.length;
    shares = shares.flatMap((share) => (share !== most ? share : issues < 0 ? [] : { ...share, issues }));
  }
}

/** Returns how many issues to delete in the next round. How many bytes that frees is only known afterwards. */
async function excessIssues(store: IssueEvictionStore, limits: IssueLimits): Promise<number> {
  const size = await store.size();
  if (!isOverLimit(size, limits)) return 0;
  const more = size.issues - (limits.issuesMax - limits.issuesFree);
  return Math.min(issuesAtOnce, size.bytes > limits.bytesMax ? issuesAtOnce : more);
}

async function evictAndCount(candidates: readonly EvictionCandidate[], writer: PacedWriter): Promise<void> {
  for (const part of splitIntoWrites(candidates)) await writer.writeRemoval(...deleteAndCountIssues(part));
}

// Stored reports. When no more may be deleted, the longest are truncated.

const removedAtOnce = 80;
const cutCharsMax = 2_000;
/** Deletes down to this share of the limit, so that not every run has to delete. */
const shrinkTo = 0.9;

/**
 * Reads all reports twice: first to find out which levels have to go, then to delete them. Returns the bytes that remain. They
 * exceed the limit if no other report may be deleted.
 */
export async function shrinkStoredReports(store: SampleStore, writer: PacedWriter, bytesMax: number): Promise<number> {
  const excessBytes = async () => (await store.bytes()) - bytesMax * shrinkTo;
  const atMs = writer.now();
  const levels = await bytesPerLevel(store, writer, atMs);
  if (levels.size > 0) await deleteFromTop(levels, await excessBytes(), store, writer, atMs);
  if ((await store.bytes()) > bytesMax) {
    while ((await excessBytes()) > 0 && (await store.hasSampleOver(cutCharsMax * 2)) && writer.isActive())
      await writer.write(truncateLongestSamples(cutCharsMax));
  }
  return store.bytes();
}

type BytesPerLevel = ReadonlyMap<number, number>;

/** Returns how many bytes of reports each level has. */
async function bytesPerLevel(store: SampleStore, writer: PacedWriter, atMs: number): Promise<BytesPerLevel> {
  const levels = new Map<number, number>();
  for (let after: number | null = 0; after !== null && writer.isActive(); ) {
    const { next, rows } = await store.readDeletable(after, atMs);
    for (const { level, bytes } of rows) levels.set(level, (levels.get(level) ?? 0) + bytes);
    after = next;
    await writer.pause();
  }
  return levels;
}

/** Deletes the most dispensable reports first, level by level, until `wanted` bytes are free. */
async function deleteFromTop(
  levels: BytesPerLevel,
  wanted: number,
  store: SampleStore,
  writer: PacedWriter,
  atMs: number,
): Promise<void> {
  let lowest = Number.NEGATIVE_INFINITY;
  let left = wanted;
  for (const [level, bytes] of [...levels].sort(([a], [b]) => b - a)) {
    if (bytes >= left) {
      lowest = level;
      break;
    }
    left -= bytes;
  }
  for (let after: number | null = 0; after !== null && writer.isActive(); ) {
    const { next, rows } = await store.readDeletable(after, atMs);
    const seqs: number[] = [];
    for (const { seq, level, bytes } of rows) {
      if (level < lowest || (level === lowest && left <= 0)) continue;
      if (level === lowest) left -= bytes;
      seqs.push(seq);
    }
    for (let at = 0; at < seqs.length; at += removedAtOnce)
      await writer.write(deleteSamples(seqs.slice(at, at + removedAtOnce)));
    after = next;
    await writer.pause();
  }
}
