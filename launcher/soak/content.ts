// The content of one file, to which recorded writes and resizes are applied.

export type Change = { readonly offset: number; readonly bytes: Buffer } | { readonly size: number };

export class Content {
  #bytes: Buffer;
  #size: number;

  constructor(copied?: Content) {
    this.#bytes = copied === undefined ? Buffer.alloc(4_096) : Buffer.from(copied.bytes());
    this.#size = this.#bytes.length;
    if (copied === undefined) this.#size = 0;
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  apply(change: Change): void {
    if ("size" in change) return this.#resize(change.size);
    const end = change.offset + change.bytes.length;
    if (end > this.#size) this.#resize(end);
    change.bytes.copy(this.#bytes, change.offset);
  }

  /** Bytes between the old end and the new end read as zeros. */
  #resize(size: number): void {
    if (size > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(size, this.#bytes.length * 2));
      this.bytes().copy(larger);
      this.#bytes = larger;
    }
    if (size > this.#size) this.#bytes.fill(0, this.#size, size);
    this.#size = size;
  }
}
