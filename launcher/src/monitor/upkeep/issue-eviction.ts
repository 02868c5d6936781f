// Deletes the least relevant issues, so that there is always room for a new one.
import { issuesMax } from "../grouping/issue-quota.ts";
import {
  deleteAndCountIssues,
  deleteIssues,
  type EvictionCandidate,
  type GameIssueCount,
  type IssueEvictionStore,
  type IssueTableSize,
} from "./issue-eviction-store.ts";
import type { PacedWriter } from "./paced-writer.ts";

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
