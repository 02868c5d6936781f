// What a person sees as one character: networks that say so count these.
let segmenter: Intl.Segmenter | undefined;

/** The language data is loaded with the first text, not at the start of a launcher that may never post. */
export function graphemesIn(text: string): number {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  let count = 0;
  for (const _ of segmenter.segment(text)) count += 1;
  return count;
}
