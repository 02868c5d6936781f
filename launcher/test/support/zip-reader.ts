// Reads a ZIP by its central directory, and checks the size and checksum of each entry.
import { crc32, inflateRawSync } from "node:zlib";

const endMark = 0x06054b50;

/** Entries by name. Throws if anything contradicts the directory. */
export function entriesOf(zip: Buffer): Map<string, Buffer> {
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== endMark) end -= 1;
  if (end < 0) throw new Error("there is no end of a ZIP");
  const entries = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const method = zip.readUInt16LE(at + 10);
    const crc = zip.readUInt32LE(at + 16);
    const packed = zip.readUInt32LE(at + 20);
    const size = zip.readUInt32LE(at + 24);
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString("utf8", at + 46, at + 46 + nameLength);
    const local = zip.readUInt32LE(at + 42);
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = zip.subarray(from, from + packed);
    const bytes = method === 8 ? inflateRawSync(content) : content;
    if (bytes.length !== size || crc32(bytes) !== crc) throw new Error(`${name} is not what the directory says`);
    entries.set(name, bytes);
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}
