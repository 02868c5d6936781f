// Text from a game inside a translated sentence. Passed as an element, because markup in plain values would be parsed.
export const UntrustedText = ({ text }: { text: string }) => <bdi>{text}</bdi>;
