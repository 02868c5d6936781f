// Reads and writes boxes of the library mp4box as plain bytes.
import { Box, BoxParser, DataStream, MP4BoxBuffer, MultiBufferStream } from "mp4box";
import { BrokenStream } from "./box-splitter.ts";

/** The library's box classes by four-letter type. */
export const boxClasses = BoxParser.box;

export const boxHeaderBytes = 8;

type Readable = { start?: number; hdr_size?: number; parse(stream: MultiBufferStream): void };

/** Fills a box from its bytes, which include the header. Copies them. */
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

/** Turns errors into BrokenStream. For a damaged box, the library throws, or leaves members undefined contrary to its types. */
export function wrapReadErrors<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof BrokenStream) throw cause;
    throw new BrokenStream(`its boxes cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** Returns a copy of the bytes of a box that was read from `bytes`. */
export function copyBoxBytes(box: { start?: number; size: number }, bytes: Uint8Array): Uint8Array {
  const start = box.start ?? 0;
  return new Uint8Array(bytes.subarray(start, start + box.size));
}

/** Returns a box that is written exactly as it was read. */
export function verbatimBox(bytes: Uint8Array): Box {
  return rawBox(Buffer.from(bytes.subarray(4, boxHeaderBytes)).toString("latin1"), bytes.subarray(boxHeaderBytes));
}

/** Creates a box that the library cannot write itself. */
export function rawBox(type: string, content: Uint8Array): Box {
  const box = new Box();
  box.type = type;
  // A copy, because the library ignores where a view begins in its buffer.
  box.data = new Uint8Array(content);
  return box;
}

export function writeBox(box: { write(stream: DataStream): void }): Uint8Array {
  const stream = new DataStream();
  box.write(stream);
  return new Uint8Array(stream.buffer);
}
