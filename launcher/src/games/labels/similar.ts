// Finds the older event id that a new one was probably meant to be. Searches once for each id, with low priority.
import type { EventKind } from "@kit/contract";
import { countTypos, maxTypos } from "../../http/typos.ts";

export type AssignedId = { readonly kind: EventKind; readonly eventId: string; readonly game: string | null };

export type SimilarIds = {
  /** Adds a new id, which is compared with all ids added before. */
  add(id: AssignedId): void;
  /** Starts again with these ids in this order, after they were assigned to other games. */
  restart(ids: readonly AssignedId[]): void;
  /** Returns null if there is no similar id, or if the search has not reached this id yet. */
  similarTo(kind: EventKind, eventId: string): string | null;
};

/** Maximum time that the search blocks the thread that accepts events. */
const sliceMs = 4;

/** Matches a number, one letter or a Roman numeral, which distinguishes things of one sort: level_1, team_b, act_iv. */
const counterPattern = /^(?:\d+|[a-z]|[ivx]{1,5})$/;
const number = "#";
/** Each of two typing mistakes removes one letter and adds another. */
const bitsMax = 4;

type Form = {
  /** The id in lower case without separators, with one sign for each counter. */
  readonly letters: string;
  readonly counted: string;
  /** One bit for each letter that occurs. Similar words differ in few bits. */
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
  const counted: string[] = [];
  const parts = own
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1_$2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((part) => part.split(/(\d+)/))
    .filter((part) => part !== "")
    .map((part) => {
      if (!counterPattern.test(part)) return part;
      counted.push(part);
      return number;
    });
  const letters = parts.join("");
  return { letters, counted: counted.join(" "), bits: bitsOf(letters) };
}

/** Ids that differ only in a counter share one entry. */
type FormEntry = { readonly form: Form; readonly ids: Map<string, string>; readonly position: number };
/** The ids of one kind and game, also by the number of their letters. */
type FormIndex = { readonly byLetters: Map<string, FormEntry>; readonly byLength: Map<number, FormEntry[]> };

/** Yields the entries whose length differs by at most the allowed number of mistakes. */
function* candidates({ byLength }: FormIndex, { length }: string): Generator<FormEntry> {
  const most = maxTypos(length);
  for (let other = length - most; other <= length + most; other += 1) yield* byLength.get(other) ?? [];
}

function findNearest(index: FormIndex, { letters, counted, bits }: Form): string | null {
  const same = index.byLetters.get(letters);
  // The ids differ in separators or case, or in a counter, which is no mistake.
  if (same !== undefined) return same.ids.get(counted) ?? null;
  let nearest: { readonly slips: number; readonly entry: FormEntry } | undefined;
  for (const entry of candidates(index, letters)) {
    // Comparing bits first leaves few words to compare letter by letter.
    if (bitsApart(bits, entry.form.bits) > bitsMax || !entry.ids.has(counted)) continue;
    const slips = countTypos(letters, entry.form.letters);
    if (slips === undefined) continue;
    const isNearer = nearest === undefined || slips < nearest.slips;
    const isOlder = slips === nearest?.slips && entry.position < nearest.entry.position;
    if (isNearer || isOlder) nearest = { slips, entry };
  }
  return nearest?.entry.ids.get(counted) ?? null;
}

function addToIndex({ byLetters, byLength }: FormIndex, form: Form, eventId: string): void {
  const { letters, counted } = form;
  const known = byLetters.get(letters);
  if (known !== undefined) {
    if (!known.ids.has(counted)) known.ids.set(counted, eventId);
    return;
  }
  const entry = { form, ids: new Map([[counted, eventId]]), position: byLetters.size };
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
    const untilMs = performance.now() + sliceMs;
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
