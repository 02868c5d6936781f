// Compiles the shim, builds the environment that loads it into a launcher, and reads its record.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathOf } from "../../tools/engines/locate.ts";

const source = join(import.meta.dirname, "shim.c");

/** Makes one kind of call fail while the arm file exists: every n-th call (`every`), or each with a probability (`share`). */
export type Fault = {
  readonly call: "open" | "write" | "read" | "sync" | "truncate" | "rename" | "unlink";
  /** An errno, or "short" to process only half of the requested bytes. */
  readonly what: number | "short";
  readonly when: { readonly every: number } | { readonly share: number };
  readonly seed: number;
};

export type Watch = {
  readonly dataDir: string;
  /** The file to which the shim appends its record. */
  readonly record: string;
  readonly fault?: Fault;
};

/** Files beside the record whose existence arms the faults, or asks the shim to kill the launcher. */
export const armFile = (record: string) => `${record}.armed`;
export const killFile = (record: string) => `${record}.kill`;

/** Compiles the shim into the folder. Throws with the compiler's output on failure. */
export function compileShim(folder: string): string {
  const library = join(folder, "shim.so");
  const words = ["-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, source, "-lpthread"];
  const made = spawnSync(pathOf("gcc"), words, { encoding: "utf8" });
  if (made.status !== 0) throw new Error(`gcc could not compile ${source}:\n${made.stderr}`);
  return library;
}

function wordsOf({ call, what, when, seed }: Fault): string {
  return `${call} ${what} ${"every" in when ? `n ${when.every}` : `p ${when.share}`} ${seed}`;
}

export function shimEnvironment(library: string, { dataDir, record, fault }: Watch) {
  return {
    LD_PRELOAD: library,
    // With io_uring, libuv would bypass libc, and the shim would miss changes.
    UV_USE_IO_URING: "0",
    KIT_SOAK_DIR: dataDir,
    KIT_SOAK_RECORD: record,
    KIT_SOAK_KILL: killFile(record),
    ...(fault && { KIT_SOAK_FAULT: wordsOf(fault), KIT_SOAK_ARMED: armFile(record) }),
  };
}

export type Operation =
  | { readonly kind: "create"; readonly file: number; readonly path: string }
  | { readonly kind: "write"; readonly file: number; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: "resize"; readonly file: number; readonly size: number }
  /** `thread` matches the start of a sync with its end. */
  | { readonly kind: "syncBegins" | "synced" | "syncFailed"; readonly file: number; readonly thread: number }
  | { readonly kind: "folderSynced"; readonly path: string }
  | { readonly kind: "rename"; readonly from: string; readonly to: string }
  | { readonly kind: "unlink"; readonly path: string }
  /** Ids of events, noted immediately before the answer that acknowledges them was sent. */
  | { readonly kind: "acknowledge"; readonly ids: readonly string[] }
  /** A call that the shim made fail or shortened. */
  | { readonly kind: "fault"; readonly call: string };

const headBytes = 32;
const idInAnswer = /"id":"([^"]+)"/gu;

function operationOf(kind: string, numbers: readonly [number, number], bytes: Buffer): Operation {
  const [file, offset] = numbers;
  const [path = "", to = ""] = "odruax".includes(kind) ? bytes.toString().split("\0") : [];
  if (kind === "o") return { kind: "create", file, path };
  if (kind === "w") return { kind: "write", file, offset, bytes };
  if (kind === "t") return { kind: "resize", file, size: offset };
  if (kind === "b") return { kind: "syncBegins", file, thread: offset };
  if (kind === "s") return { kind: "synced", file, thread: offset };
  if (kind === "f") return { kind: "syncFailed", file, thread: offset };
  if (kind === "d") return { kind: "folderSynced", path };
  if (kind === "r") return { kind: "rename", from: path, to };
  if (kind === "u") return { kind: "unlink", path };
  if (kind === "a") return { kind: "acknowledge", ids: [...path.matchAll(idInAnswer)].map(([, id = ""]) => id) };
  if (kind === "x") return { kind: "fault", call: path };
  throw new Error(`The record has an unknown operation: ${kind}`);
}

/** Reads all operations. Throws if the record ends in the middle of an operation. */
export function readRecord(path: string): Operation[] {
  const record = readFileSync(path);
  const operations: Operation[] = [];
  for (let at = 0; at < record.length; ) {
    const number = (index: number) => Number(record.readBigInt64LE(at + index * 8));
    const end = at + headBytes + number(3);
    if (end > record.length) throw new Error(`${path} ends in the middle of an operation`);
    const bytes = record.subarray(at + headBytes, end);
    operations.push(operationOf(String.fromCharCode(number(0)), [number(1), number(2)], bytes));
    at = end;
  }
  return withoutLiveCopies(operations);
}

/** Drops operations on live copies: every start deletes them unread, so their state does not matter. */
function withoutLiveCopies(operations: readonly Operation[]): Operation[] {
  const copies = new Set<number>();
  const isOfCopy = (path: string) => basename(dirname(path)) === "live-copy";
  return operations.filter((operation) => {
    if (operation.kind === "create") {
      // The system reuses the inode numbers of deleted files.
      if (isOfCopy(operation.path)) copies.add(operation.file);
      else copies.delete(operation.file);
      return !isOfCopy(operation.path);
    }
    if ("file" in operation) return !copies.has(operation.file);
    return !("path" in operation && isOfCopy(operation.path));
  });
}
