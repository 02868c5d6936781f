// Encodes a time as a row of black and white cells, which a window shows and the clock reader decodes.

/** 48 bits of milliseconds, 8 of a checksum, 8 of a frame counter. */
export const cellCount = 64;

export type ClockCode = { readonly clockMs: number; readonly frame: number };

/** Returns the cells; true is white. */
export function encodeClock({ clockMs, frame }: ClockCode): boolean[] {
  const code = (BigInt(clockMs) << 16n) | (BigInt(checksumOf(clockMs, frame & 255)) << 8n) | BigInt(frame & 255);
  return Array.from({ length: cellCount }, (_, cell) => ((code >> BigInt(cellCount - 1 - cell)) & 1n) === 1n);
}

/** Returns undefined if the checksum is wrong. */
export function decodeClock(cells: readonly boolean[]): ClockCode | undefined {
  const code = cells.reduce((sum, isWhite) => (sum << 1n) | (isWhite ? 1n : 0n), 0n);
  const clockMs = Number(code >> 16n);
  const frame = Number(code & 255n);
  return Number((code >> 8n) & 255n) === checksumOf(clockMs, frame) ? { clockMs, frame } : undefined;
}

/** CRC-8. Detects every single wrong cell, and rejects all-black and all-white rows. */
function checksumOf(clockMs: number, frame: number): number {
  const bytes = [...Buffer.from(clockMs.toString(16).padStart(12, "0"), "hex"), frame];
  return bytes.reduce((sum, byte) => {
    let rest = sum ^ byte;
    for (let bit = 0; bit < 8; bit += 1) rest = rest & 0x80 ? ((rest << 1) ^ 0x07) & 0xff : rest << 1;
    return rest;
  }, 0x5a);
}
