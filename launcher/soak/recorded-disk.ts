// A disk that goes through a record operation by operation, and says what would be on it if the power failed now.
import { basename, dirname } from "node:path";
import { type Change, Content } from "./content.ts";
import type { Operation } from "./record.ts";

/** Which of the changes that no sync covers survive the cut: none, all, or any of them, also in part. */
export const models = ["none", "all", "any"] as const;
export type Model = (typeof models)[number];

/**
 * `kept`: a sync holds for what was written before it began. `late`: only once the next sync of that file is over, as with
 * a disk that loses its cache. `ignored`: no sync of a file holds. The last two are controls: they must lose something.
 */
export type Syncs = "kept" | "late" | "ignored";

const sectorBytes = 512;
const pageBytes = 4_096;
const tornShare = 0.2;

type Pending = { readonly at: number; readonly change: Change };
type RecordedFile = {
  /** What is on the disk whatever happens. */
  readonly durable: Content;
  /** What a program reads. */
  readonly cached: Content;
  pending: Pending[];
  /** By thread: a sync that is under way covers what is older than this. */
  readonly covers: Map<number, number>;
  /** How far the last sync that was over reaches. */
  lastCovered: number;
  /** A sync failed: the system has given up what it covered, and keeps it in its cache only. */
  hasGivenUp: boolean;
};
type Names = Map<string, RecordedFile>;
type Renaming = { readonly folders: readonly string[]; apply(names: Names): void };

export class RecordedDisk {
  readonly #syncs: Syncs;
  readonly #files = new Map<number, RecordedFile>();
  readonly #names: Names = new Map();
  readonly #durableNames: Names = new Map();
  #renamings: Renaming[] = [];
  #at = 0;

  constructor(syncs: Syncs = "kept") {
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

  /** True while changes to the file of this name wait for a sync. */
  isUnsynced(name: string): boolean {
    return [...this.#names].some(([path, { pending }]) => basename(path) === name && pending.length > 0);
  }

  /** What a program would read now, by path. */
  cached(): Map<string, Buffer> {
    return new Map([...this.#names].map(([path, file]) => [path, file.cached.bytes()]));
  }

  /** What is on the disk after a power cut now, by path. */
  afterCut(model: Model, random: () => number): Map<string, Buffer> {
    // Some cuts lose nearly all that was unsynced, others nearly nothing.
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
    if (file === undefined) throw new Error("The record changes a file that it did not see created");
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
    if (file === undefined) throw new Error(`The record renames ${from}, which is no file it knows`);
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

/** What the system will write for a change: pages, as they are in its cache. */
function wholePages(change: Change, cached: Content): Change {
  if ("size" in change) return change;
  const from = change.offset - (change.offset % pageBytes);
  const to = Math.ceil((change.offset + change.bytes.length) / pageBytes) * pageBytes;
  return { offset: from, bytes: Buffer.from(cached.bytes().subarray(from, to)) };
}
