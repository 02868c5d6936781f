// Translates the launcher's English sentences. The keys of the catalogue are the launcher's sentences, with `{{name}}`
// for values. Unknown text stays unchanged.

type Form = {
  /** The texts between the values; one more than there are values. */
  readonly literals: readonly string[];
  readonly names: readonly string[];
  readonly other: string;
};

type Catalogue = {
  readonly exact: ReadonlyMap<string, string>;
  /** Longest first, because it is the most specific. */
  readonly worded: readonly Form[];
  /** Sentences without words of their own, such as `{{why}}: {{said}}`. */
  readonly bare: readonly Form[];
};

/** A possible translation; `left` is the number of characters that are still English. */
type Reading = { readonly text: string; readonly left: number };

/** Longer texts cannot be launcher sentences and are not searched. */
const charsMax = 1_000;
/** Maximum substrings examined for one text, so that hostile input cannot slow the page down. */
const readingsMax = 150;
const piecesMax = 12;
const cacheMax = 500;

const placeholder = /\{\{(\w+)\}\}/u;
const separators = [
  { at: /(?<=[.?!]) /u, by: " " },
  { at: /; /u, by: "; " },
] as const;

/** The same sentence may occur after a colon or at the beginning of a text, so case is ignored. */
const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);
const withoutEnd = (text: string) => text.trimEnd().replace(/[.。]$/u, "");
/** A continuation such as `; recording begins …`, or the path of an invalid field such as `/fields/url `. */
const addition = /^(?:[;,:]?|\/\S*) /u;
const additions: Readonly<Record<string, string>> = { " ": "", "; ": "；", ", ": "、", ": ": "：" };
const openEnd = /[;,] $/u;

function parseForm([english, other]: readonly [string, string]): Form {
  const parts = lowerFirst(withoutEnd(english.replace(addition, "").replace(openEnd, ""))).split(placeholder);
  return {
    literals: parts.filter((_, at) => at % 2 === 0),
    names: parts.filter((_, at) => at % 2 === 1),
    other: withoutEnd(other),
  };
}

const literalLength = ({ literals }: Form) => literals.join("").length;
const hasWords = ({ literals }: Form) => /\p{L}/u.test(literals.join(""));

/** The shortest values with which a form matches the text; one pass over the text. */
function matchValues(text: string, { literals }: Form): string[] | undefined {
  const first = literals[0] ?? "";
  const last = literals.at(-1) ?? "";
  const end = text.length - last.length;
  if (end < first.length || !text.endsWith(last) || lowerFirst(text.slice(0, first.length)) !== first) return undefined;
  const values: string[] = [];
  let from = first.length;
  for (const literal of literals.slice(1, -1)) {
    const at = text.indexOf(literal, from);
    if (at === -1 || at + literal.length > end) return undefined;
    values.push(text.slice(from, at));
    from = at + literal.length;
  }
  return [...values, text.slice(from, end)];
}

const endsSentence = /[。？！]$/u;
const sentence = ({ text, left }: Reading, isEnded: boolean): Reading => ({
  text: isEnded && !endsSentence.test(text) ? `${text}。` : text,
  left,
});
const fillForm = ({ names, other }: Form, values: readonly Reading[]) =>
  other.replace(new RegExp(placeholder, "gu"), (mark, name: string) => values[names.indexOf(name)]?.text ?? mark);
const sumUntranslated = (readings: readonly Reading[]) => readings.reduce((sum, { left }) => sum + left, 0);

function joinReadings(readings: readonly Reading[], by: string): string {
  const texts = readings.map(({ text }) => text);
  if (by !== " ") return texts.join("；");
  return texts.reduce((before, next) => (endsSentence.test(before) ? before + next : `${before} ${next}`));
}

/** Translates one text and picks the result with the least English. */
class Reader {
  readonly #catalogue: Catalogue;
  readonly #read = new Map<string, Reading>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  read(text: string): Reading {
    // A single word is a name, a number or a path and needs no translation.
    if (!text.trim().includes(" ")) return { text, left: 0 };
    const known = this.#read.get(text);
    if (known !== undefined) return known;
    const unread = { text, left: text.length };
    if (this.#read.size >= readingsMax) return unread;
    this.#read.set(text, unread);
    const reading = this.#best(text, unread);
    this.#read.set(text, reading);
    return reading;
  }

  #best(text: string, unread: Reading): Reading {
    const added = addition.exec(text)?.[0] ?? "";
    if (added !== "") {
      const rest = text.slice(added.length);
      const { text: said, left } = this.read(rest);
      return said === rest ? unread : { text: (additions[added] ?? `${added.trim()}：`) + said, left };
    }
    const body = withoutEnd(text);
    const exact = this.#catalogue.exact.get(lowerFirst(body));
    if (exact !== undefined) return sentence({ text: exact, left: 0 }, body !== text);
    let best = unread;
    const { worded, bare } = this.#catalogue;
    for (const reading of this.#inForms(worded, text)) {
      if (reading.left < best.left) best = reading;
      if (best.left === 0) return best;
    }
    // On a tie, values end at the end of a sentence.
    for (const reading of this.#cut(text)) if (reading.left <= best.left) best = reading;
    if (best.left === 0) return best;
    for (const reading of this.#inForms(bare, text)) if (reading.left < best.left) best = reading;
    return best;
  }

  *#inForms(forms: readonly Form[], text: string): Generator<Reading> {
    const body = withoutEnd(text);
    for (const form of forms) {
      const values = matchValues(body, form);
      if (values === undefined) continue;
      const readings = values.map((value) => this.read(value));
      // A form without words matches almost anything, so one of its values must be translated.
      if (!hasWords(form) && readings.every(({ text: said }, at) => said === values[at])) continue;
      yield sentence({ text: fillForm(form, readings), left: sumUntranslated(readings) }, body !== text);
    }
  }

  *#cut(text: string): Generator<Reading> {
    for (const { at, by } of separators) {
      const pieces = text.split(at);
      if (pieces.length < 2 || pieces.length > piecesMax) continue;
      const reading = this.#inPieces(pieces, by);
      if (reading.left < this.#leftUnread(pieces)) yield reading;
    }
  }

  #leftUnread(pieces: readonly string[]): number {
    return sumUntranslated(pieces.map((text) => ({ text, left: text.includes(" ") ? text.length : 0 })));
  }

  /** Translates as many consecutive pieces together as the catalogue knows, then the next ones. */
  #inPieces(pieces: readonly string[], by: string): Reading {
    const readings: Reading[] = [];
    for (let from = 0; from < pieces.length; ) {
      let to = pieces.length - (from === 0 ? 1 : 0);
      let reading = this.read(pieces.slice(from, to).join(by));
      while (reading.left > 0 && to > from + 1) reading = this.read(pieces.slice(from, --to).join(by));
      readings.push(reading);
      from = to;
    }
    return { text: joinReadings(readings, by), left: sumUntranslated(readings) };
  }
}

function buildCatalogue(sentences: Readonly<Record<string, string>>): Catalogue {
  const forms = Object.entries(sentences)
    .map(parseForm)
    .toSorted((a, b) => literalLength(b) - literalLength(a));
  const isWhole = ({ names }: Form) => names.length === 0;
  return {
    exact: new Map(forms.filter(isWhole).map(({ literals, other }) => [literals[0] ?? "", other])),
    worded: forms.filter((form) => !isWhole(form) && hasWords(form)),
    bare: forms.filter((form) => !isWhole(form) && !hasWords(form)),
  };
}

/** Returns a function that translates a text, or returns it unchanged if the catalogue has no translation. */
export function createMessageTranslator(sentences: Readonly<Record<string, string>>): (text: string) => string {
  const catalogue = buildCatalogue(sentences);
  const cache = new Map<string, string>();
  return (text) => {
    if (text.length > charsMax) return text;
    const known = cache.get(text);
    if (known !== undefined) return known;
    if (cache.size >= cacheMax) cache.clear();
    const said = new Reader(catalogue).read(text).text;
    cache.set(text, said);
    return said;
  };
}
