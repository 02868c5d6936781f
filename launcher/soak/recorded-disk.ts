// A simulated disk: replays recorded operations, and computes what a power cut would leave on it.
import { basename, dirname } from "node:path";
import type { Operation } from "./shim.ts";

type Change = { readonly offset: number; readonly bytes: Buffer } | { readonly size: number };

class Content {
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

/** Which unsynced changes survive a power cut: none, all, or a random selection that may include torn writes. */
export const survivalModels = ["none", "all", "any"] as const;
export type SurvivalModel = (typeof survivalModels)[number];

/**
 * `kept`: a sync makes everything durable that was written before it began. `late`: only the next sync of the file does, as
 * on a disk that loses its cache. `ignored`: no sync does. The last two are controls and must lose events.
 */
export type SyncBehaviour = "kept" | "late" | "ignored";

const sectorBytes = 512;
const pageBytes = 4_096;
const tornShare = 0.2;

type Pending = { readonly at: number; readonly change: Change };
type RecordedFile = {
  /** Content that survives any power cut. */
  readonly durable: Content;
  /** Content that a program reads now. */
  readonly cached: Content;
  pending: Pending[];
  /** By thread, for syncs in progress: the sync covers changes before this operation. */
  readonly covers: Map<number, number>;
  /** The last completed sync covers changes before this operation. */
  lastCovered: number;
  /** A sync failed: the kernel dropped the changes that the sync covered, and keeps them only in its cache. */
  hasGivenUp: boolean;
};
type Names = Map<string, RecordedFile>;
type Renaming = { readonly folders: readonly string[]; apply(names: Names): void };

export class RecordedDisk {
  readonly #syncs: SyncBehaviour;
  readonly #files = new Map<number, RecordedFile>();
  readonly #names: Names = new Map();
  readonly #durableNames: Names = new Map();
  #renamings: Renaming[] = [];
  #at = 0;

  constructor(syncs: SyncBehaviour = "kept") {
    this.#syncs = syncs;
  }

  apply(operation: Operation): void {
    this.#at += 1;
    if (operation.kind === "create") this.#create(operation.file, operation.path);
    else if (operation.kind === "write") this.#change(operation.file, operation);
    else if (operation.kind === "resize") this.#change(operation.file, operation);
    else if (operation.kind === "syncBegins") this.#fileOf(operation.file)?.covers.set(operation.thread, this.#at);
    else if (operation.kind === "synced") this.#synced(operation.file, operation.thread);
    else if (operation.kind === "syncFailed") this.#syncFailed(operation.file, operation.thread);
    else if (operation.kind === "folderSynced") this.#folderSynced(operation.path);
    else if (operation.kind === "rename") this.#rename(operation.from, operation.to);
    else if (operation.kind === "unlink") {
      const { path } = operation;
      this.#renaming({ folders: [dirname(path)], apply: (names) => names.delete(path) });
    }
  }

  /** True if a file of this name has changes that no sync covers. */
  isUnsynced(name: string): boolean {
    return [...this.#names].some(([path, { pending }]) => basename(path) === name && pending.length > 0);
  }

  /** Returns the content that a program would read now, by path. */
  cached(): Map<string, Buffer> {
    return new Map([...this.#names].map(([path, file]) => [path, file.cached.bytes()]));
  }

  /** Returns the content that is on the disk after a power cut now, by path. */
  afterCut(model: SurvivalModel, random: () => number): Map<string, Buffer> {
    // A random share per cut: some cuts lose nearly all unsynced changes, others nearly none.
    const share = { none: 0, all: 1, any: random() }[model];
    const survives = () => random() < share;
    const names = new Map(this.#durableNames);
    for (const renaming of this.#renamings) if (survives()) renaming.apply(names);
    const states = [...names].map(([path, file]) => {
      if (share === 0 || file.pending.length === 0) return [path, file.durable.bytes()] as const;
      const content = new Content(file.durable);
      for (const { change } of file.pending) {
        const isTorn = model === "any" && random() < tornShare;
        if (isTorn && "bytes" in change) for (const part of sectorsOf(change)) if (survives()) content.apply(part);
        if (!isTorn && survives()) content.apply(change);
      }
      return [path, content.bytes()] as const;
    });
    return new Map(states);
  }

  #fileOf(file: number): RecordedFile | undefined {
    return this.#files.get(file);
  }

  #create(number: number, path: string): void {
    const file: RecordedFile = {
      durable: new Content(),
      cached: new Content(),
      pending: [],
      covers: new Map(),
      lastCovered: 0,
      hasGivenUp: false,
    };
    this.#files.set(number, file);
    this.#renaming({ folders: [dirname(path)], apply: (names) => names.set(path, file) });
  }

  #change(number: number, change: Change): void {
    const file = this.#fileOf(number);
    if (file === undefined) throw new Error("The record changes a file whose creation it does not contain");
    file.cached.apply(change);
    file.pending.push({ at: this.#at, change: file.hasGivenUp ? wholePages(change, file.cached) : change });
  }

  #synced(number: number, thread: number): void {
    const file = this.#fileOf(number);
    const covered = file?.covers.get(thread);
    if (file === undefined || covered === undefined || this.#syncs === "ignored") return;
    const until = this.#syncs === "late" ? file.lastCovered : covered;
    file.lastCovered = covered;
    for (const { at, change } of file.pending) if (at < until) file.durable.apply(change);
    file.pending = file.pending.filter(({ at }) => at >= until);
  }

  #syncFailed(number: number, thread: number): void {
    const file = this.#fileOf(number);
    const until = file?.covers.get(thread);
    if (file === undefined || until === undefined) return;
    file.hasGivenUp = true;
    file.pending = file.pending.filter(({ at, change }) => at >= until || "size" in change);
  }

  #renaming(renaming: Renaming): void {
    renaming.apply(this.#names);
    this.#renamings.push(renaming);
  }

  #rename(from: string, to: string): void {
    const file = this.#names.get(from);
    if (file === undefined) throw new Error(`The record renames ${from}, an unknown file`);
    const apply = (names: Names) => void names.set(to, file).delete(from);
    this.#renaming({ folders: [dirname(from), dirname(to)], apply });
  }

  #folderSynced(path: string): void {
    const isOfIt = ({ folders }: Renaming) => folders.includes(path);
    for (const renaming of this.#renamings) if (isOfIt(renaming)) renaming.apply(this.#durableNames);
    this.#renamings = this.#renamings.filter((renaming) => !isOfIt(renaming));
  }
}

function sectorsOf({ offset, bytes }: { offset: number; bytes: Buffer }): Change[] {
  const parts: Change[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + sectorBytes - ((offset + at) % sectorBytes));
    parts.push({ offset: offset + at, bytes: bytes.subarray(at, end) });
    at = end;
  }
  return parts;
}

/** Extends the change to whole pages of the cache, as the kernel writes them. */
function wholePages(change: Change, cached: Content): Change {
  if ("size" in change) return change;
  const from = change.offset - (change.offset % pageBytes);
  const to = Math.ceil((change.offset + change.bytes.length) / pageBytes) * pageBytes;
  return { offset: from, bytes: Buffer.from(cached.bytes().subarray(from, to)) };
}
