// Text of a game for use inside a translated sentence, as an element: a plain value would be parsed for markup.
export const UntrustedText = ({ text }: { text: string }) => <bdi>{text}</bdi>;
