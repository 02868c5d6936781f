// Finds the older event id that a new one was probably meant to be. Searches once for each id, with low priority.
import type { EventKind } from "@kit/contract";
import { countTypos, maxTypos } from "../../http/typos.ts";

export type AssignedId = { readonly kind: EventKind; readonly eventId: string; readonly game: string | null };

export type SimilarIds = {
  /** Adds a new id, which is compared with all ids added before. */
  add(id: AssignedId): void;
  /** Forgets all ids and adds these in this order. Needed after ids were assigned to other games. */
  restart(ids: readonly AssignedId[]): void;
  /** Returns null if there is no similar id, or if the search has not reached this id yet. */
  similarTo(kind: EventKind, eventId: string): string | null;
};

/** Maximum time that the search blocks this thread, which also accepts events. */
const blockMsMax = 4;

/** A counter: a number, a letter or a Roman numeral that distinguishes things of one kind, as in level_1, team_b, act_iv. */
const counterPattern = /^(?:\d+|[a-z]|[ivx]{1,5})$/;
/** Stands for any counter in `Form.letters`. */
const counterSign = "#";
/** Maximum number of bits in which similar ids may differ: each of two typing mistakes removes one letter and adds another. */
const bitsMax = 4;

/** The form of an id in which ids are compared. */
type Form = {
  /** The id in lower case, without the game and separators. A sign stands for each counter. */
  readonly letters: string;
  /** The counters in order. */
  readonly counters: string;
  /** A bit for each letter that occurs, so similar words differ in few bits. */
  readonly bits: number;
};

function bitsOf(letters: string): number {
  let bits = 0;
  for (let index = 0; index < letters.length; index += 1) bits |= 1 << (letters.charCodeAt(index) & 31);
  return bits;
}

function bitsApart(one: number, other: number): number {
  let left = one ^ other;
  let count = 0;
  for (; left !== 0; left &= left - 1) count += 1;
  return count;
}

function formOf(eventId: string, game: string | null): Form {
  const own = game !== null && eventId.startsWith(`${game}_`) ? eventId.slice(game.length + 1) : eventId;
  const counters: string[] = [];
  const parts = own
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1_$2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((part) => part.split(/(\d+)/))
    .filter((part) => part !== "")
    .map((part) => {
      if (!counterPattern.test(part)) return part;
      counters.push(part);
      return counterSign;
    });
  const letters = parts.join("");
  return { letters, counters: counters.join(" "), bits: bitsOf(letters) };
}

/**
 * Ids that differ only in counters share an entry. `ids` has each of them under its counters. An entry with a lower `position` is
 * older.
 */
type FormEntry = { readonly form: Form; readonly ids: Map<string, string>; readonly position: number };
/** The ids of one kind and game, by their letters and by the number of letters. */
type FormIndex = { readonly byLetters: Map<string, FormEntry>; readonly byLength: Map<number, FormEntry[]> };

/** Yields the entries whose length is close enough: each typing mistake changes it by at most one. */
function* candidates({ byLength }: FormIndex, { length }: string): Generator<FormEntry> {
  const most = maxTypos(length);
  for (let other = length - most; other <= length + most; other += 1) yield* byLength.get(other) ?? [];
}

function findNearest(index: FormIndex, { letters, counters, bits }: Form): string | null {
  const same = index.byLetters.get(letters);
  // Ids with the same letters differ only in separators, case or counters. A different counter is not a typo.
  if (same !== undefined) return same.ids.get(counters) ?? null;
  let nearest: { readonly typos: number; readonly entry: FormEntry } | undefined;
  for (const entry of candidates(index, letters)) {
    // Bits are compared first, because comparing letter by letter is much slower.
    if (bitsApart(bits, entry.form.bits) > bitsMax || !entry.ids.has(counters)) continue;
    const typos = countTypos(letters, entry.form.letters);
    if (typos === undefined) continue;
    const isNearer = nearest === undefined || typos < nearest.typos;
    const isOlder = typos === nearest?.typos && entry.position < nearest.entry.position;
    if (isNearer || isOlder) nearest = { typos, entry };
  }
  return nearest?.entry.ids.get(counters) ?? null;
}

function addToIndex({ byLetters, byLength }: FormIndex, form: Form, eventId: string): void {
  const { letters, counters } = form;
  const known = byLetters.get(letters);
  if (known !== undefined) {
    if (!known.ids.has(counters)) known.ids.set(counters, eventId);
    return;
  }
  const entry = { form, ids: new Map([[counters, eventId]]), position: byLetters.size };
  byLetters.set(letters, entry);
  const alike = byLength.get(letters.length) ?? [];
  alike.push(entry);
  byLength.set(letters.length, alike);
}

const keyOf = (kind: EventKind, eventId: string) => `${kind} ${eventId}`;

export function createSimilarIds(onFound: () => void): SimilarIds {
  let indexes = new Map<string, FormIndex>();
  let found = new Map<string, string>();
  let waiting: AssignedId[] = [];
  let next = 0;
  let isAtWork = false;

  /** Returns true if a similar older id was found. */
  const searchSimilar = ({ kind, eventId, game }: AssignedId): boolean => {
    const indexKey = JSON.stringify([kind, game]);
    const index: FormIndex = indexes.get(indexKey) ?? { byLetters: new Map(), byLength: new Map() };
    indexes.set(indexKey, index);
    const form = formOf(eventId, game);
    const meant = findNearest(index, form);
    addToIndex(index, form, eventId);
    if (meant === null || meant === eventId) return false;
    found.set(keyOf(kind, eventId), meant);
    return true;
  };
  const work = () => {
    const untilMs = performance.now() + blockMsMax;
    let hasFound = false;
    for (let id = waiting[next]; id !== undefined; id = waiting[next]) {
      next += 1;
      hasFound = searchSimilar(id) || hasFound;
      if (performance.now() > untilMs) break;
    }
    isAtWork = next < waiting.length;
    if (isAtWork) setImmediate(work).unref();
    else [waiting, next] = [[], 0];
    if (hasFound) onFound();
  };
  const begin = () => {
    if (isAtWork || waiting.length === 0) return;
    isAtWork = true;
    setImmediate(work).unref();
  };
  return {
    add(id) {
      waiting.push(id);
      begin();
    },
    restart(ids) {
      indexes = new Map();
      found = new Map();
      [waiting, next] = [[...ids], 0];
      begin();
    },
    similarTo: (kind, eventId) => found.get(keyOf(kind, eventId)) ?? null,
  };
}
