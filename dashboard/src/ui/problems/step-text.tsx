// Renders texts in which **bold** marks names on the screen and `code` marks what a person types.

/** Splits text into its plain and its marked parts, e.g. `["Press ", "**Import**", "."]`. */
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
