// Renders texts with markup: **bold** for names on the screen, `code` for what to type.

/** Splits a text into plain and marked parts, e.g. `["Press ", "**Import**", "."]`. */
const splitMarkup = (text: string): readonly string[] => text.split(/(\*\*[^*]+\*\*|`[^`]+`)/u);

export const MarkupText = ({ text }: { text: string }) =>
  splitMarkup(text).map((part) => {
    if (part.startsWith("**")) return <strong key={part}>{part.slice(2, -2)}</strong>;
    if (part.startsWith("`")) return <code key={part}>{part.slice(1, -1)}</code>;
    return part;
  });

export const StepText = ({ text }: { text: string }) => (
  <p>
    <MarkupText text={text} />
  </p>
);
