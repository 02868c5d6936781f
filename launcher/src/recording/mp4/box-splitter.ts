// Splits the encoder's output, which arrives in chunks of any size, into MP4 boxes.

/** The data are no valid MP4, or one that Kit cannot cut. The message is for the log. */
export class BrokenStream extends Error {
  override name = "BrokenStream";
}

export type BoxSplitter = {
  /** Throws BrokenStream if the data are broken, and then with every later call. */
  push(chunk: Uint8Array): void;
};

export type BoxSplitterDeps = {
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
