// Cuts the encoder's output into MP4 boxes, in whatever pieces the pipe hands it over.

/** What the encoder wrote is no MP4, or none that can be cut. The message says what was found, for the log. */
export class BrokenStream extends Error {
  override name = "BrokenStream";
}

export type BoxSplitter = {
  /** Throws BrokenStream; from then on every further push throws it too. */
  push(chunk: Uint8Array): void;
};

export type BoxSplitterNeeds = {
  /** `bytes` is the whole box with its header, in memory of its own: nothing of the pipe's chunks is kept alive by it. */
  onBox(type: string, bytes: Uint8Array): void;
  readonly boxBytesMax: number;
};

const headerBytes = 8;
const boxType = /^[\x20-\x7e\xa9]{4}$/;

export function createBoxSplitter({ onBox, boxBytesMax }: BoxSplitterNeeds): BoxSplitter {
  const header = Buffer.alloc(headerBytes);
  let headerFilled = 0;
  let box: Buffer | undefined;
  let boxFilled = 0;
  let broken: BrokenStream | undefined;

  return {
    push(chunk) {
      if (broken !== undefined) throw broken;
      try {
        take(chunk);
      } catch (failure) {
        if (failure instanceof BrokenStream) {
          broken = failure;
          box = undefined;
        }
        throw failure;
      }
    },
  };

  function take(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      if (box === undefined) {
        const count = Math.min(headerBytes - headerFilled, chunk.length - at);
        header.set(chunk.subarray(at, at + count), headerFilled);
        headerFilled += count;
        at += count;
        if (headerFilled < headerBytes) return;
        box = begin();
      }
      const count = Math.min(box.length - boxFilled, chunk.length - at);
      box.set(chunk.subarray(at, at + count), boxFilled);
      boxFilled += count;
      at += count;
      if (boxFilled === box.length) finish(box);
    }
  }

  function begin(): Buffer {
    const bytes = header.readUInt32BE(0);
    const type = header.toString("latin1", 4);
    if (!boxType.test(type)) throw new BrokenStream(`expected an MP4 box, got the bytes ${header.toString("hex")}`);
    if (bytes < headerBytes)
      throw new BrokenStream(`box "${type}" has the size ${bytes}, which no piece of a stream has`);
    if (bytes > boxBytesMax)
      throw new BrokenStream(`box "${type}" has ${bytes} bytes, at most ${boxBytesMax} are taken`);
    headerFilled = 0;
    boxFilled = headerBytes;
    // Not from Node's pool: a kept box must not keep a slab of others alive.
    const begun = Buffer.allocUnsafeSlow(bytes);
    begun.set(header);
    return begun;
  }

  function finish(whole: Buffer): void {
    box = undefined;
    onBox(header.toString("latin1", 4), whole);
  }
}
