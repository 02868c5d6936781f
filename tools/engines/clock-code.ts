// A moment as a row of black and white cells: what the clock window paints and the clock reader reads.

/** 48 bits of milliseconds, 8 of a checksum, 8 of a frame counter. */
export const cellCount = 64;

export type ClockCode = { readonly clockMs: number; readonly frame: number };

/** True is a white cell. */
export function encodeClock({ clockMs, frame }: ClockCode): boolean[] {
  const code = (BigInt(clockMs) << 16n) | (BigInt(checksumOf(clockMs, frame & 255)) << 8n) | BigInt(frame & 255);
  return Array.from({ length: cellCount }, (_, cell) => ((code >> BigInt(cellCount - 1 - cell)) & 1n) === 1n);
}

/** Undefined when the checksum says that these cells are no clock, or were read wrongly. */
export function decodeClock(cells: readonly boolean[]): ClockCode | undefined {
  const code = cells.reduce((sum, isWhite) => (sum << 1n) | (isWhite ? 1n : 0n), 0n);
  const clockMs = Number(code >> 16n);
  const frame = Number(code & 255n);
  return Number((code >> 8n) & 255n) === checksumOf(clockMs, frame) ? { clockMs, frame } : undefined;
}

/** CRC-8: finds every single wrong cell, and takes neither all black nor all white for a moment. */
function checksumOf(clockMs: number, frame: number): number {
  const bytes = [...Buffer.from(clockMs.toString(16).padStart(12, "0"), "hex"), frame];
  return bytes.reduce((sum, byte) => {
    let rest = sum ^ byte;
    for (let bit = 0; bit < 8; bit += 1) rest = rest & 0x80 ? ((rest << 1) ^ 0x07) & 0xff : rest << 1;
    return rest;
  }, 0x5a);
}
