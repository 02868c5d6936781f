// The last lines a game wrote, while it writes on: bounded in lines and bytes.

const linesMax = 200;
const bytesMax = 32 * 1024;

export type LastLines = {
  add(chunk: Buffer): void;
  text(): string;
};

export function createLastLines(): LastLines {
  let chunks: Buffer[] = [];
  let bytes = 0;
  const joined = () => Buffer.concat(chunks).subarray(-bytesMax);
  return {
    add(chunk) {
      chunks.push(chunk);
      bytes += chunk.length;
      // Copied now and then only, and never more than twice the bound.
      if (bytes < 2 * bytesMax) return;
      chunks = [Buffer.from(joined())];
      bytes = bytesMax;
    },
    text() {
      const end = joined();
      // A character that was cut in two is left out.
      const from = end.length < bytesMax ? 0 : end.findIndex((byte) => (byte & 0xc0) !== 0x80);
      return end.subarray(Math.max(0, from)).toString().trimEnd().split("\n").slice(-linesMax).join("\n");
    },
  };
}
