// The font in the demo game's picture: letters of three by five squares. Pure.

/** The five rows of each letter, from the top. Each digit has three bits, one for each square. */
const rows: Readonly<Record<string, string>> = {
  A: "25755",
  B: "65656",
  C: "34443",
  D: "65556",
  E: "74647",
  F: "74644",
  G: "34553",
  H: "55755",
  I: "72227",
  J: "11152",
  K: "55655",
  L: "44447",
  M: "57755",
  N: "65555",
  O: "25552",
  P: "65644",
  Q: "25563",
  R: "65655",
  S: "34216",
  T: "72222",
  U: "55557",
  V: "55552",
  W: "55775",
  X: "55255",
  Y: "55222",
  Z: "71247",
  "0": "75557",
  "1": "26227",
  "2": "71747",
  "3": "71717",
  "4": "55711",
  "5": "74717",
  "6": "74757",
  "7": "71244",
  "8": "75757",
  "9": "75717",
  "'": "22000",
  ".": "00002",
  ":": "02020",
  "!": "22202",
  "-": "00700",
};

export type FillRectangle = (colour: number, x: number, y: number, width: number, height: number) => void;

const advance = 4;

/** `side` is the width of one of the squares that make up a letter. `x` and `y` are the top left corner of the text. */
type TextStyle = { readonly x: number; readonly y: number; readonly colour: number; readonly side: number };

/** Draws the text in capitals. Leaves a blank for a character that the font does not have. */
export function drawText(fill: FillRectangle, text: string, { x, y, colour, side }: TextStyle): void {
  for (const [index, letter] of [...text.toUpperCase()].entries()) {
    for (const [row, bits] of [...(rows[letter] ?? "")].entries()) {
      for (let column = 0; column < 3; column += 1) {
        const isSet = ((Number(bits) >> (2 - column)) & 1) === 1;
        if (isSet) fill(colour, x + (index * advance + column) * side, y + row * side, side, side);
      }
    }
  }
}

export const textWidth = (text: string, side = 1): number => (text.length * advance - 1) * side;
