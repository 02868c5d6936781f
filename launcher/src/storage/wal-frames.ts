// Reads the pages that commits put into the write-ahead log, and checks that they are what SQLite wrote.
// The format is SQLite's: a header of 32 bytes, then frames of 24 bytes and a page each (https://sqlite.org/fileformat2.html#walformat).
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

const headerBytes = 32;
const frameHeaderBytes = 24;
const magic = 0x377f0682;
/** Times the log may have begun anew between two readings. Another database's first salt is a random number. */
const restartsMax = 1_000;
/** A larger commit is rare: its buffer is not kept. */
const bufferBytesKept = 512 * 1024;
const framesAtOnce = 100;

export type WalFrame = {
  /** Valid during the call only. */
  readonly page: Buffer;
  /** Where the page lies in the database file. */
  readonly at: number;
  /** In the last frame of a commit: how many bytes the database has then. Else 0. */
  readonly bytesAfter: number;
};

export type WalReader = {
  /** Calls `take` for each frame committed since the last call. False when the log does not hold what was committed. */
  readNew(take: (frame: WalFrame) => void): boolean;
  /** Reads again what was read before. False when it is not what it was. */
  isUnchanged(): boolean;
  close(): void;
};

/** The log that is being read: its header, the frames read so far, and the checksum up to them. */
type Log = { readonly header: Buffer; frames: number; sums: Uint32Array };

const none: Log = { header: Buffer.alloc(headerBytes), frames: 0, sums: new Uint32Array(2) };
const pageBytesOf = ({ header }: Log) => header.readUInt32BE(8);
const frameBytesOf = (log: Log) => frameHeaderBytes + pageBytesOf(log);

/** SQLite's running checksum over whole words, in the byte order of the machine that made the log. */
function addToChecksum({ sums, header }: Log, bytes: Buffer, from: number, length: number): void {
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

const isChecksum = ({ sums }: Log, bytes: Buffer, at: number) =>
  sums[0] === bytes.readUInt32BE(at) && sums[1] === bytes.readUInt32BE(at + 4);

/** Undefined where it is not the header of a log. */
function begun(header: Buffer): Log | undefined {
  const log = { header: Buffer.from(header), frames: 0, sums: new Uint32Array(2) };
  addToChecksum(log, header, 0, 24);
  const isHeader = (header.readUInt32BE(0) & ~1) >>> 0 === magic && isChecksum(log, header, 24);
  return isHeader ? log : undefined;
}

/** True where the log follows the other one: SQLite adds one to the first salt each time it begins anew. */
function follows(header: Buffer, other: Log): boolean {
  const restarts = (header.readUInt32BE(16) - other.header.readUInt32BE(16)) >>> 0;
  return other === none || (restarts > 0 && restarts <= restartsMax);
}

/** Whether the frame belongs to the log and is whole; the checksum runs on. */
function isFrame(log: Log, bytes: Buffer, at: number): boolean {
  if (bytes.compare(log.header, 16, 24, at + 8, at + 16) !== 0) return false;
  addToChecksum(log, bytes, at, 8);
  addToChecksum(log, bytes, at + frameHeaderBytes, pageBytesOf(log));
  return isChecksum(log, bytes, at + 16);
}

/** False when the file ends before that. A read may give less than there is. */
function readWhole(file: number, into: Buffer, bytes: number, from: number): boolean {
  for (let done = 0; done < bytes; ) {
    const more = readSync(file, into, done, bytes - done, from + done);
    if (more === 0) return false;
    done += more;
  }
  return true;
}

/** The database's first page as the last commit in the log at `path` left it; undefined where no commit in it holds that page. */
export function firstPageIn(path: string): Buffer | undefined {
  if (!existsSync(path)) return undefined;
  const file = openSync(path, "r");
  try {
    const header = Buffer.alloc(headerBytes);
    const log = readWhole(file, header, headerBytes, 0) ? begun(header) : undefined;
    if (log === undefined) return undefined;
    const frame = Buffer.alloc(frameBytesOf(log));
    let written: Buffer | undefined;
    let committed: Buffer | undefined;
    for (let at = headerBytes; readWhole(file, frame, frame.length, at); at += frame.length) {
      if (!isFrame(log, frame, 0)) break;
      if (frame.readUInt32BE(0) === 1) written = Buffer.from(frame.subarray(frameHeaderBytes));
      if (frame.readUInt32BE(4) > 0) committed = written;
    }
    return committed;
  } finally {
    closeSync(file);
  }
}

/** Reads the log at `path` of `database`, an open connection in WAL mode. */
export function createWalReader(path: string, database: DatabaseSync): WalReader {
  const file = openSync(path, "r");
  const statement = database.prepare("PRAGMA wal_checkpoint(NOOP)");
  const header = Buffer.alloc(headerBytes);
  let buffer = Buffer.alloc(0);
  let current = none;

  const hasHeader = () => readWhole(file, header, headerBytes, 0);
  /** Reads the next frames into the buffer, and goes on in the log. False when not all of them are there. */
  const readFrames = (log: Log, count: number): boolean => {
    const frameBytes = frameBytesOf(log);
    const wanted = count * frameBytes;
    if (buffer.length < wanted) buffer = Buffer.alloc(wanted);
    if (!readWhole(file, buffer, wanted, headerBytes + log.frames * frameBytes)) return false;
    for (let at = 0; at < wanted; at += frameBytes) if (!isFrame(log, buffer, at)) return false;
    log.frames += count;
    return true;
  };
  const give = (count: number, take: (frame: WalFrame) => void) => {
    const pageBytes = pageBytesOf(current);
    for (let frame = 0; frame < count; frame += 1) {
      const at = frame * frameBytesOf(current);
      const page = buffer.subarray(at + frameHeaderBytes, at + frameHeaderBytes + pageBytes);
      const number = buffer.readUInt32BE(at);
      const pagesAfter = buffer.readUInt32BE(at + 4);
      take({ page, at: (number - 1) * pageBytes, bytesAfter: pagesAfter * pageBytes });
    }
    if (buffer.length > bufferBytesKept) buffer = Buffer.alloc(0);
  };

  return {
    readNew(take) {
      const committed = Number(statement.get()?.log);
      if (committed <= 0) return true;
      if (!hasHeader()) return false;
      if (!header.equals(current.header)) {
        const next = follows(header, current) ? begun(header) : undefined;
        if (next === undefined) return false;
        current = next;
      }
      // All are checked before one is given away: half a commit would be worse than none.
      const count = committed - current.frames;
      if (count > 0 && !readFrames(current, count)) return false;
      give(count, take);
      return true;
    },
    isUnchanged() {
      // SQLite emptied the log, or has not begun it anew yet.
      if (current === none || Number(statement.get()?.log) < current.frames) return true;
      const again = hasHeader() && header.equals(current.header) ? begun(header) : undefined;
      while (again !== undefined && again.frames < current.frames)
        if (!readFrames(again, Math.min(framesAtOnce, current.frames - again.frames))) return false;
      return again !== undefined;
    },
    close: () => closeSync(file),
  };
}
