// Our own sentences: **bold** is what a person looks for on the screen, `code` what they type.

/** The parts of a sentence, marks and all, e.g. `["Press ", "**Import**", "."]`. */
const partsOf = (text: string): readonly string[] => text.split(/(\*\*[^*]+\*\*|`[^`]+`)/u);

export const Marked = ({ text }: { text: string }) =>
  partsOf(text).map((part) => {
    if (part.startsWith("**")) return <strong key={part}>{part.slice(2, -2)}</strong>;
    if (part.startsWith("`")) return <code key={part}>{part.slice(1, -1)}</code>;
    return part;
  });

export const StepText = ({ text }: { text: string }) => (
  <p>
    <Marked text={text} />
  </p>
);
