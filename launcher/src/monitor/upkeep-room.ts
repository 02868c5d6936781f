// Makes room for new issues: whole ones go, the least relevant first, so that a new kind is always told apart from the rest.
import { issuesMax } from "./grouping/room.ts";
import { forgotten, type Leaving, left, type RoomStore, type Share, type Size } from "./upkeep-room-store.ts";
import type { Work } from "./upkeep-work.ts";

/** Of a look. */
const roundsMax = 20;
const issuesAtOnce = 40;
/** In one write, with all that belongs to its issues. */
const rowsAtOnce = 300;
/** What is an issue's own, in rows that take as long. */
const rowsOfIssue = 15;

export type Room = {
  readonly issuesMax: number;
  /** So many more always fit. */
  readonly issuesFree: number;
  readonly bytesMax: number;
};
export const roomOf: Room = { issuesMax, issuesFree: 2_000, bytesMax: 256 * 1024 * 1024 };

const isTooMuch = ({ issues, bytes }: Size, room: Room) =>
  issues > room.issuesMax - room.issuesFree || bytes > room.bytesMax;

/** As many as a write holds, one at least. */
function cutToWrites(leaving: readonly Leaving[]): Leaving[][] {
  const writes: Leaving[][] = [];
  let rows = Number.POSITIVE_INFINITY;
  for (const one of leaving) {
    rows += one.rows + rowsOfIssue;
    if (rows > rowsAtOnce) {
      writes.push([]);
      rows = one.rows + rowsOfIssue;
    }
    writes.at(-1)?.push(one);
  }
  return writes;
}

/** What lies in the bin since before then goes for good. */
export async function emptyBin(store: RoomStore, work: Work, beforeMs: number): Promise<void> {
  for (let round = 0; round < roundsMax && work.goesOn(); round += 1) {
    const leaving = await store.binned(beforeMs, issuesAtOnce);
    if (leaving.length === 0) return;
    for (const part of cutToWrites(leaving)) await work.remove(left(part));
  }
}

/**
 * First what lies in the bin, then always of the game that has most: a flood makes room for itself. A noted one never goes.
 * What went is counted, and no other count changes.
 */
export async function makeRoom(store: RoomStore, work: Work, room: Room): Promise<void> {
  if (!isTooMuch(await store.size(), room)) return;
  let shares: readonly Share[] = await store.shares();
  for (let round = 0; round < roundsMax && work.goesOn(); round += 1) {
    const over = await tooMany(store, room);
    if (over <= 0) return;
    const binned = await store.binnedUnnoted(over);
    if (binned.length > 0) {
      await forget(binned, work);
      continue;
    }
    const [most, next] = shares.toSorted((a, b) => b.issues - a.issues);
    if (most === undefined) return;
    const wanted = Math.min(over, most.issues - (next?.issues ?? 0) + 1);
    const leaving = await store.leastRelevant(most.game, work.now(), wanted);
    await forget(leaving, work);
    // One that has nothing left that may go is not asked again.
    const issues = leaving.length === 0 ? -1 : most.issues - leaving.length;
    shares = shares.flatMap((share) => (share !== most ? share : issues < 0 ? [] : { ...share, issues }));
  }
}

/** How many have to go next. Of bytes it is only seen when they went. */
async function tooMany(store: RoomStore, room: Room): Promise<number> {
  const size = await store.size();
  if (!isTooMuch(size, room)) return 0;
  const more = size.issues - (room.issuesMax - room.issuesFree);
  return Math.min(issuesAtOnce, size.bytes > room.bytesMax ? issuesAtOnce : more);
}

async function forget(leaving: readonly Leaving[], work: Work): Promise<void> {
  for (const part of cutToWrites(leaving)) await work.remove(...forgotten(part));
}
