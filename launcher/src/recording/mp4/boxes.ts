// The MP4 boxes of the mp4box library, from and to plain bytes.
import { Box, BoxParser, DataStream, MP4BoxBuffer, MultiBufferStream } from "mp4box";
import { BrokenStream } from "./box-splitter.ts";

/** The library's classes, by their four letters. */
export const boxes = BoxParser.box;

export const boxHeaderBytes = 8;

type Readable = { start?: number; hdr_size?: number; parse(stream: MultiBufferStream): void };

/** Fills a box from its bytes, header included. Keeps nothing of them. */
export function readBox<T extends Readable>(box: T, bytes: Uint8Array): T {
  const copy = new MP4BoxBuffer(bytes.length);
  new Uint8Array(copy).set(bytes);
  const stream = new MultiBufferStream(copy);
  stream.seek(boxHeaderBytes);
  box.start = 0;
  box.hdr_size = boxHeaderBytes;
  box.parse(stream);
  return box;
}

/** In damaged boxes the library misses what its types promise, and throws or leaves out whatever comes next. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof BrokenStream) throw cause;
    throw new BrokenStream(`its boxes cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** A copy of the bytes of a box inside another, as the other was read from `bytes`. */
export function bytesOf(box: { start?: number; size: number }, bytes: Uint8Array): Uint8Array {
  const start = box.start ?? 0;
  return new Uint8Array(bytes.subarray(start, start + box.size));
}

/** A box that is written as it was read. */
export function verbatim(bytes: Uint8Array): Box {
  return rawBox(Buffer.from(bytes.subarray(4, boxHeaderBytes)).toString("latin1"), bytes.subarray(boxHeaderBytes));
}

/** A box the library cannot write by itself. */
export function rawBox(type: string, content: Uint8Array): Box {
  const box = new Box();
  box.type = type;
  // Copied: the library writes a view from the beginning of the memory it looks into.
  box.data = new Uint8Array(content);
  return box;
}

export function writeBox(box: { write(stream: DataStream): void }): Uint8Array {
  const stream = new DataStream();
  box.write(stream);
  return new Uint8Array(stream.buffer);
}
