// Which older id a new one was probably meant to be. Looked for once an id, behind everything else.
import type { EventKind } from "@kit/contract";
import { slipsBetween, slipsMax } from "../../http/likeness.ts";

export type KnownId = { readonly kind: EventKind; readonly eventId: string; readonly game: string | null };

export type Similar = {
  /** The id was seen; those that were seen before it are the ones it can be meant to be. */
  add(id: KnownId): void;
  /** Begins anew with these, in their order: they are filed under other games now. */
  restart(ids: readonly KnownId[]): void;
  /** Null while it is not looked at yet, too. */
  to(kind: EventKind, eventId: string): string | null;
};

/** So long it may hold up the thread that takes events in. */
const sliceMs = 4;

/** A number, one letter or a Roman numeral tells things of one sort apart: level_1, team_b, act_iv. */
const counts = /^(?:\d+|[a-z]|[ivx]{1,5})$/;
const number = "#";
/** Each of two slips takes one letter away and brings another. */
const bitsMax = 4;

type Form = {
  /** Without separators, in lower case, each count as one sign. */
  readonly letters: string;
  readonly counted: string;
  /** Which letters occur: two words that are alike differ in few of these bits. */
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
      if (!counts.test(part)) return part;
      counted.push(part);
      return number;
    });
  const letters = parts.join("");
  return { letters, counted: counted.join(" "), bits: bitsOf(letters) };
}

/** Of ids that differ in a count alone the form is kept once. */
type Shelved = { readonly form: Form; readonly ids: Map<string, string>; readonly place: number };
/** The ids of one kind and game, found again by a third of their letters: with two slips at most, one of three is as it was. */
type Shelf = { readonly byLetters: Map<string, Shelved>; readonly byThird: Map<string, Shelved[]> };

const thirds = [0, 1, 2] as const;
const cutOf = (length: number, third: number) => Math.floor((length * third) / thirds.length);
const keyOfThird = (length: number, third: number, letters: string) => `${length} ${third} ${letters}`;

/** Those that share a third with these letters, moved by as many places as there may be slips. */
function* candidates({ byThird }: Shelf, letters: string): Generator<Shelved> {
  const most = slipsMax(letters.length);
  for (let length = letters.length - most; length <= letters.length + most; length += 1) {
    for (const third of thirds) {
      const from = cutOf(length, third);
      const to = cutOf(length, third + 1);
      for (let by = Math.max(-from, -most); by <= Math.min(most, letters.length - to); by += 1)
        yield* byThird.get(keyOfThird(length, third, letters.slice(from + by, to + by))) ?? [];
    }
  }
}

function nearestIn(shelf: Shelf, { letters, counted, bits }: Form): string | null {
  const same = shelf.byLetters.get(letters);
  // Written with other separators or in other letters; or another number of its sort, which is no slip.
  if (same !== undefined) return same.ids.get(counted) ?? null;
  let nearest: { readonly slips: number; readonly shelved: Shelved } | undefined;
  for (const shelved of candidates(shelf, letters)) {
    if (!shelved.ids.has(counted) || bitsApart(bits, shelved.form.bits) > bitsMax) continue;
    const slips = slipsBetween(letters, shelved.form.letters);
    if (slips === undefined) continue;
    const isNearer = nearest === undefined || slips < nearest.slips;
    const isOlder = slips === nearest?.slips && shelved.place < nearest.shelved.place;
    if (isNearer || isOlder) nearest = { slips, shelved };
  }
  return nearest?.shelved.ids.get(counted) ?? null;
}

function shelve({ byLetters, byThird }: Shelf, form: Form, eventId: string): void {
  const { letters, counted } = form;
  const known = byLetters.get(letters);
  if (known !== undefined) {
    if (!known.ids.has(counted)) known.ids.set(counted, eventId);
    return;
  }
  const shelved = { form, ids: new Map([[counted, eventId]]), place: byLetters.size };
  byLetters.set(letters, shelved);
  for (const third of thirds) {
    const { length } = letters;
    const key = keyOfThird(length, third, letters.slice(cutOf(length, third), cutOf(length, third + 1)));
    const alike = byThird.get(key) ?? [];
    alike.push(shelved);
    byThird.set(key, alike);
  }
}

const keyOf = (kind: EventKind, eventId: string) => `${kind} ${eventId}`;

export function createSimilar(onFound: () => void): Similar {
  let shelves = new Map<string, Shelf>();
  let found = new Map<string, string>();
  let waiting: KnownId[] = [];
  let next = 0;
  let isAtWork = false;

  /** Whether it was probably meant to be another. */
  const lookAt = ({ kind, eventId, game }: KnownId): boolean => {
    const place = JSON.stringify([kind, game]);
    const shelf: Shelf = shelves.get(place) ?? { byLetters: new Map(), byThird: new Map() };
    shelves.set(place, shelf);
    const form = formOf(eventId, game);
    const meant = nearestIn(shelf, form);
    shelve(shelf, form, eventId);
    if (meant === null || meant === eventId) return false;
    found.set(keyOf(kind, eventId), meant);
    return true;
  };
  const work = () => {
    const untilMs = performance.now() + sliceMs;
    let isNews = false;
    for (let id = waiting[next]; id !== undefined; id = waiting[next]) {
      next += 1;
      isNews = lookAt(id) || isNews;
      if (performance.now() > untilMs) break;
    }
    isAtWork = next < waiting.length;
    if (isAtWork) setImmediate(work).unref();
    else [waiting, next] = [[], 0];
    if (isNews) onFound();
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
      shelves = new Map();
      found = new Map();
      [waiting, next] = [[...ids], 0];
      begin();
    },
    to: (kind, eventId) => found.get(keyOf(kind, eventId)) ?? null,
  };
}
