// Text from outside in a sentence of the page's: put in as an element, for a sentence's markup is read after its values are in it.
export const OutsideText = ({ text }: { text: string }) => <bdi>{text}</bdi>;
