// Counts graphemes: each is what people see as one character.
let segmenter: Intl.Segmenter | undefined;

/** The segmenter is made for the first text, because many launchers never post. */
export function countGraphemes(text: string): number {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  let count = 0;
  for (const _ of segmenter.segment(text)) count += 1;
  return count;
}
