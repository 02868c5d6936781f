// The events of a damaged database: which are intact, and whether they are of the same history as those of the backup.
import type { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { scan } from "./scan.ts";
import { type Shape, shapeOf } from "./shape.ts";

/** False where the restored database is no earlier state of the damaged one: rows of both must not be mixed. */
export function isSameHistory(source: DatabaseSync, target: DatabaseSync): boolean {
  const known = target.prepare(
    "SELECT seq, id FROM event WHERE seq % max(1, (SELECT count(*) FROM event) / 64) = 0 ORDER BY seq DESC LIMIT 64",
  );
  const other = source.prepare("SELECT id FROM event NOT INDEXED WHERE seq = ?");
  // One of them may be what is damaged.
  let alike = 0;
  let different = 0;
  for (const { seq, id } of known.all()) {
    try {
      const found = other.get(Number(seq))?.id;
      if (found === id) alike += 1;
      else if (found !== undefined) different += 1;
    } catch {
      // It cannot be read.
    }
  }
  return alike >= different;
}

export const isIntact = ({ columns }: Shape, read: readonly unknown[]): boolean => {
  const at = (name: string) => read[columns.findIndex((column) => column.name === name)];
  const payload = at("payload");
  const checksum = at("checksum");
  if (!(payload instanceof Uint8Array) || !(checksum instanceof Uint8Array)) return false;
  return crc32(payload).toString(16).padStart(8, "0") === Buffer.from(checksum).toString();
};

/** Whether a grafted schema finds the journal. */
export function hasEvents(database: DatabaseSync): boolean {
  try {
    const shape = shapeOf(database, "event");
    if (shape === undefined) return false;
    let isFound = false;
    const stop = new Error("found");
    try {
      scan({
        source: database,
        shape,
        take(read) {
          isFound ||= isIntact(shape, read);
          if (isFound) throw stop;
        },
        isRow: (read) => isIntact(shape, read),
        checkTime: () => undefined,
      });
    } catch (error) {
      if (error !== stop) throw error;
    }
    return isFound;
  } catch {
    return false;
  }
}

/** How far from the number it has a place is looked for. */
const nearby = 1_000n;

/** The event at the nearest free place: its own number is broken, or was taken by one whose number is; what it says is intact. */
export function renumbered(
  target: DatabaseSync,
  { columns }: Shape,
  read: readonly unknown[],
  after: bigint,
): readonly unknown[] {
  const at = columns.findIndex(({ name }) => name === "seq");
  const claimed = read[at] as bigint;
  const find = target.prepare("SELECT 1 FROM event WHERE seq = ?");
  for (let far = 0n; far < nearby; far += 1n)
    for (const place of [claimed + far, claimed - far])
      if (place > after && find.get(place) === undefined) return read.with(at, place);
  return read;
}
