// Reads committed pages from the write-ahead log (WAL), and verifies their checksums.
// Format: a header of 32 bytes, then frames of 24 bytes plus a page each (https://sqlite.org/fileformat2.html#walformat).
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

const headerBytes = 32;
const frameHeaderBytes = 24;
const magic = 0x377f0682;
/** How often SQLite may have restarted the log between two reads. More restarts mean the log of another database: salts are random. */
const restartsMax = 1_000;
/** A buffer that grew beyond this for one commit is released, because such commits are rare. */
const bufferBytesKept = 512 * 1024;
const framesAtOnce = 100;

export type WalFrame = {
  /** Content of the page. Valid only until the callback returns. */
  readonly page: Buffer;
  /** Offset of the page in the database file. */
  readonly at: number;
  /** Size of the database after the commit, in the last frame of a commit; 0 in all other frames. */
  readonly bytesAfter: number;
};

export type WalReader = {
  /** Calls `onFrame` for each frame committed since the last call. Returns false if the log does not contain the commits. */
  readNew(onFrame: (frame: WalFrame) => void): boolean;
  /** Rereads the frames that were already read. Returns false if they have changed. */
  isUnchanged(): boolean;
  close(): void;
};

/** State of the reader: the log's header, the number of frames read, and the running checksum. */
type WalState = { readonly header: Buffer; frames: number; sums: Uint32Array };

const noLog: WalState = { header: Buffer.alloc(headerBytes), frames: 0, sums: new Uint32Array(2) };
const pageBytesOf = ({ header }: WalState) => header.readUInt32BE(8);
const frameBytesOf = (log: WalState) => frameHeaderBytes + pageBytesOf(log);

/** Adds bytes to SQLite's running checksum, in the byte order that the log's header names. */
function addToChecksum({ sums, header }: WalState, bytes: Buffer, from: number, length: number): void {
  const isLittleEndian = (header.readUInt32BE(0) & 1) === 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset + from, length);
  let [first = 0, second = 0] = sums;
  for (let at = 0; at < length; at += 8) {
    first = (first + view.getUint32(at, isLittleEndian) + second) >>> 0;
    second = (second + view.getUint32(at + 4, isLittleEndian) + first) >>> 0;
  }
  sums[0] = first;
  sums[1] = second;
}

const matchesChecksum = ({ sums }: WalState, bytes: Buffer, at: number) =>
  sums[0] === bytes.readUInt32BE(at) && sums[1] === bytes.readUInt32BE(at + 4);

/** Parses the header of a log. Returns undefined if it is invalid. */
function parseHeader(header: Buffer): WalState | undefined {
  const log = { header: Buffer.from(header), frames: 0, sums: new Uint32Array(2) };
  addToChecksum(log, header, 0, 24);
  const isHeader = (header.readUInt32BE(0) & ~1) >>> 0 === magic && matchesChecksum(log, header, 24);
  return isHeader ? log : undefined;
}

/**
 * Whether `header` is that of the other log after a restart, at which SQLite increments the first salt. True if no log was
 * read yet.
 */
function isSuccessor(header: Buffer, other: WalState): boolean {
  const restarts = (header.readUInt32BE(16) - other.header.readUInt32BE(16)) >>> 0;
  return other === noLog || (restarts > 0 && restarts <= restartsMax);
}

/** Whether the frame belongs to the log and is intact. Advances the running checksum. */
function verifyFrame(log: WalState, bytes: Buffer, at: number): boolean {
  if (bytes.compare(log.header, 16, 24, at + 8, at + 16) !== 0) return false;
  addToChecksum(log, bytes, at, 8);
  addToChecksum(log, bytes, at + frameHeaderBytes, pageBytesOf(log));
  return matchesChecksum(log, bytes, at + 16);
}

/** Reads exactly `bytes` bytes, because one read may return fewer. Returns false if the file ends earlier. */
function readFully(file: number, into: Buffer, bytes: number, from: number): boolean {
  for (let done = 0; done < bytes; ) {
    const more = readSync(file, into, done, bytes - done, from + done);
    if (more === 0) return false;
    done += more;
  }
  return true;
}

/** Returns the first page of the database as of the last commit in the log, or undefined if no commit contains it. */
export function readFirstPage(path: string): Buffer | undefined {
  if (!existsSync(path)) return undefined;
  const file = openSync(path, "r");
  try {
    const header = Buffer.alloc(headerBytes);
    const log = readFully(file, header, headerBytes, 0) ? parseHeader(header) : undefined;
    if (log === undefined) return undefined;
    const frame = Buffer.alloc(frameBytesOf(log));
    let written: Buffer | undefined;
    let committed: Buffer | undefined;
    for (let at = headerBytes; readFully(file, frame, frame.length, at); at += frame.length) {
      if (!verifyFrame(log, frame, 0)) break;
      if (frame.readUInt32BE(0) === 1) written = Buffer.from(frame.subarray(frameHeaderBytes));
      if (frame.readUInt32BE(4) > 0) committed = written;
    }
    return committed;
  } finally {
    closeSync(file);
  }
}

/** Creates a reader for the log at `path`. `database` is an open connection in WAL mode. */
export function createWalReader(path: string, database: DatabaseSync): WalReader {
  const file = openSync(path, "r");
  const statement = database.prepare("PRAGMA wal_checkpoint(NOOP)");
  const header = Buffer.alloc(headerBytes);
  let buffer = Buffer.alloc(0);
  let current = noLog;

  const hasHeader = () => readFully(file, header, headerBytes, 0);
  /** Reads and verifies the next frames. Returns false if any is missing or invalid. */
  const readFrames = (log: WalState, count: number): boolean => {
    const frameBytes = frameBytesOf(log);
    const wanted = count * frameBytes;
    if (buffer.length < wanted) buffer = Buffer.alloc(wanted);
    if (!readFully(file, buffer, wanted, headerBytes + log.frames * frameBytes)) return false;
    for (let at = 0; at < wanted; at += frameBytes) if (!verifyFrame(log, buffer, at)) return false;
    log.frames += count;
    return true;
  };
  const emitFrames = (count: number, onFrame: (frame: WalFrame) => void) => {
    const pageBytes = pageBytesOf(current);
    for (let frame = 0; frame < count; frame += 1) {
      const at = frame * frameBytesOf(current);
      const page = buffer.subarray(at + frameHeaderBytes, at + frameHeaderBytes + pageBytes);
      const number = buffer.readUInt32BE(at);
      const pagesAfter = buffer.readUInt32BE(at + 4);
      onFrame({ page, at: (number - 1) * pageBytes, bytesAfter: pagesAfter * pageBytes });
    }
    if (buffer.length > bufferBytesKept) buffer = Buffer.alloc(0);
  };

  return {
    readNew(onFrame) {
      const committed = Number(statement.get()?.log);
      if (committed <= 0) return true;
      if (!hasHeader()) return false;
      if (!header.equals(current.header)) {
        const next = isSuccessor(header, current) ? parseHeader(header) : undefined;
        if (next === undefined) return false;
        current = next;
      }
      // Verifies all frames before passing on any, because half a commit would be worse than none.
      const count = committed - current.frames;
      if (count > 0 && !readFrames(current, count)) return false;
      emitFrames(count, onFrame);
      return true;
    },
    isUnchanged() {
      // Nothing was read yet, or SQLite has emptied the log since. There is nothing to compare.
      if (current === noLog || Number(statement.get()?.log) < current.frames) return true;
      const again = hasHeader() && header.equals(current.header) ? parseHeader(header) : undefined;
      while (again !== undefined && again.frames < current.frames)
        if (!readFrames(again, Math.min(framesAtOnce, current.frames - again.frames))) return false;
      return again !== undefined;
    },
    close: () => closeSync(file),
  };
}
