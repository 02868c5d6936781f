// MP4 boxes: splits the encoder's output, which arrives in chunks of any size, into boxes, and reads and writes boxes of the library
// mp4box as plain bytes.

import { Box, BoxParser, DataStream, MP4BoxBuffer, MultiBufferStream } from "mp4box";
import { BrokenStream } from "./broken-stream.ts";

export type BoxSplitter = {
  /** Throws BrokenStream if the data are broken, and then with every later call. */
  push(chunk: Uint8Array): void;
};

type BoxSplitterDeps = {
  /** `bytes` is the whole box with its header. It is a copy, so that it does not keep the chunks of the pipe in memory. */
  onBox(type: string, bytes: Uint8Array): void;
  readonly boxBytesMax: number;
};

const headerBytes = 8;
const boxType = /^[\x20-\x7e\xa9]{4}$/;

export function createBoxSplitter({ onBox, boxBytesMax }: BoxSplitterDeps): BoxSplitter {
  const header = Buffer.alloc(headerBytes);
  let headerFilled = 0;
  let box: Buffer | undefined;
  let boxFilled = 0;
  let broken: BrokenStream | undefined;

  return {
    push(chunk) {
      if (broken !== undefined) throw broken;
      try {
        splitChunk(chunk);
      } catch (failure) {
        if (failure instanceof BrokenStream) {
          broken = failure;
          box = undefined;
        }
        throw failure;
      }
    },
  };

  function splitChunk(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      if (box === undefined) {
        const count = Math.min(headerBytes - headerFilled, chunk.length - at);
        header.set(chunk.subarray(at, at + count), headerFilled);
        headerFilled += count;
        at += count;
        if (headerFilled < headerBytes) return;
        box = startBox();
      }
      const count = Math.min(box.length - boxFilled, chunk.length - at);
      box.set(chunk.subarray(at, at + count), boxFilled);
      boxFilled += count;
      at += count;
      if (boxFilled === box.length) finishBox(box);
    }
  }

  function startBox(): Buffer {
    const bytes = header.readUInt32BE(0);
    const type = header.toString("latin1", 4);
    if (!boxType.test(type)) throw new BrokenStream(`expected an MP4 box, got the bytes ${header.toString("hex")}`);
    if (bytes < headerBytes)
      throw new BrokenStream(`box "${type}" has the size ${bytes}, which no piece of a stream has`);
    if (bytes > boxBytesMax)
      throw new BrokenStream(`box "${type}" has ${bytes} bytes, at most ${boxBytesMax} are taken`);
    headerFilled = 0;
    boxFilled = headerBytes;
    // Does not use Node's pool of buffers: a box that is kept would keep a whole slab of the pool in memory.
    const begun = Buffer.allocUnsafeSlow(bytes);
    begun.set(header);
    return begun;
  }

  function finishBox(whole: Buffer): void {
    box = undefined;
    onBox(header.toString("latin1", 4), whole);
  }
}

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
