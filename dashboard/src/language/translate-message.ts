// The launcher's sentences in another language. The wire stays English: a page finds the sentence it was sent in a catalogue
// whose keys are the launcher's own, with `{{name}}` where a value goes in. What is not found is shown as it came.

type Form = {
  /** What stands between the values; one more than there are values. */
  readonly literals: readonly string[];
  readonly names: readonly string[];
  readonly other: string;
};

type Catalogue = {
  readonly exact: ReadonlyMap<string, string>;
  /** The longest first: it says the most. */
  readonly worded: readonly Form[];
  /** Without a word of their own, such as `{{why}}: {{said}}`. */
  readonly bare: readonly Form[];
};

/** A text as it can be said; `left` is how many characters of it are still English. */
type Reading = { readonly text: string; readonly left: number };

/** Longer texts are no sentences of the launcher's, and are not looked at. */
const charsMax = 1_000;
/** Parts of one text that are looked at: what was made to fit in many ways ends here. */
const looksMax = 150;
const piecesMax = 12;
const rememberedMax = 500;

const hole = /\{\{(\w+)\}\}/u;
const cuts = [
  { at: /(?<=[.?!]) /u, by: " " },
  { at: /; /u, by: "; " },
] as const;

/** A sentence may stand behind a colon, a reason at a sentence's beginning, and an addition by itself. */
const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);
const withoutEnd = (text: string) => text.trimEnd().replace(/[.。]$/u, "");
/** What goes on from the words before it, e.g. `; recording begins …`, and the place of a broken member, e.g. `/fields/url `. */
const addition = /^(?:[;,:]?|\/\S*) /u;
const additions: Readonly<Record<string, string>> = { " ": "", "; ": "；", ", ": "、", ": ": "：" };
const goesOn = /[;,] $/u;

function formOf([english, other]: readonly [string, string]): Form {
  const parts = lowerFirst(withoutEnd(english.replace(addition, "").replace(goesOn, ""))).split(hole);
  return {
    literals: parts.filter((_, at) => at % 2 === 0),
    names: parts.filter((_, at) => at % 2 === 1),
    other: withoutEnd(other),
  };
}

const charsOf = ({ literals }: Form) => literals.join("").length;
const hasWords = ({ literals }: Form) => /\p{L}/u.test(literals.join(""));

/** The values in a text of this form, each as short as it can be; one pass over the text. */
function valuesIn(text: string, { literals }: Form): string[] | undefined {
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
const filledIn = ({ names, other }: Form, values: readonly Reading[]) =>
  other.replace(new RegExp(hole, "gu"), (mark, name: string) => values[names.indexOf(name)]?.text ?? mark);
const leftIn = (readings: readonly Reading[]) => readings.reduce((sum, { left }) => sum + left, 0);

function joined(readings: readonly Reading[], by: string): string {
  const texts = readings.map(({ text }) => text);
  if (by !== " ") return texts.join("；");
  return texts.reduce((before, next) => (endsSentence.test(before) ? before + next : `${before} ${next}`));
}

/** One text's readings. Of all there are that counts which leaves the least in English. */
class Reader {
  readonly #catalogue: Catalogue;
  readonly #read = new Map<string, Reading>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  read(text: string): Reading {
    // A name, a number or a path is the same in every language.
    if (!text.trim().includes(" ")) return { text, left: 0 };
    const known = this.#read.get(text);
    if (known !== undefined) return known;
    const unread = { text, left: text.length };
    if (this.#read.size >= looksMax) return unread;
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
    // In doubt a value ends where its sentence does.
    for (const reading of this.#cut(text)) if (reading.left <= best.left) best = reading;
    if (best.left === 0) return best;
    for (const reading of this.#inForms(bare, text)) if (reading.left < best.left) best = reading;
    return best;
  }

  *#inForms(forms: readonly Form[], text: string): Generator<Reading> {
    const body = withoutEnd(text);
    for (const form of forms) {
      const values = valuesIn(body, form);
      if (values === undefined) continue;
      const readings = values.map((value) => this.read(value));
      // A form without words fits nearly everything: something in it has to be known.
      if (!hasWords(form) && readings.every(({ text: said }, at) => said === values[at])) continue;
      yield sentence({ text: filledIn(form, readings), left: leftIn(readings) }, body !== text);
    }
  }

  *#cut(text: string): Generator<Reading> {
    for (const { at, by } of cuts) {
      const pieces = text.split(at);
      if (pieces.length < 2 || pieces.length > piecesMax) continue;
      const reading = this.#inPieces(pieces, by);
      if (reading.left < this.#leftUnread(pieces)) yield reading;
    }
  }

  #leftUnread(pieces: readonly string[]): number {
    return leftIn(pieces.map((text) => ({ text, left: text.includes(" ") ? text.length : 0 })));
  }

  /** As many pieces at once as the catalogue has in one, then the next ones. */
  #inPieces(pieces: readonly string[], by: string): Reading {
    const readings: Reading[] = [];
    for (let from = 0; from < pieces.length; ) {
      let to = pieces.length - (from === 0 ? 1 : 0);
      let reading = this.read(pieces.slice(from, to).join(by));
      while (reading.left > 0 && to > from + 1) reading = this.read(pieces.slice(from, --to).join(by));
      readings.push(reading);
      from = to;
    }
    return { text: joined(readings, by), left: leftIn(readings) };
  }
}

function catalogueOf(sentences: Readonly<Record<string, string>>): Catalogue {
  const forms = Object.entries(sentences)
    .map(formOf)
    .toSorted((a, b) => charsOf(b) - charsOf(a));
  const isWhole = ({ names }: Form) => names.length === 0;
  return {
    exact: new Map(forms.filter(isWhole).map(({ literals, other }) => [literals[0] ?? "", other])),
    worded: forms.filter((form) => !isWhole(form) && hasWords(form)),
    bare: forms.filter((form) => !isWhole(form) && !hasWords(form)),
  };
}

/** Says a text in the catalogue's language. What a catalogue does not have is given back untouched. */
export function createMessageTranslator(sentences: Readonly<Record<string, string>>): (text: string) => string {
  const catalogue = catalogueOf(sentences);
  const remembered = new Map<string, string>();
  return (text) => {
    if (text.length > charsMax) return text;
    const known = remembered.get(text);
    if (known !== undefined) return known;
    if (remembered.size >= rememberedMax) remembered.clear();
    const said = new Reader(catalogue).read(text).text;
    remembered.set(text, said);
    return said;
  };
}
