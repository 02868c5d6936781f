// Checks the events of a damaged database: their checksums, and whether they continue the backup's journal.
import type { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { scanTable } from "./scan.ts";
import { readTableShape, type TableShape } from "./shape.ts";

/** Whether the restored database is an earlier state of the damaged one. Otherwise their rows must not be mixed. */
export function isSameHistory(source: DatabaseSync, target: DatabaseSync): boolean {
  const known = target.prepare(
    "SELECT seq, id FROM event WHERE seq % max(1, (SELECT count(*) FROM event) / 64) = 0 ORDER BY seq DESC LIMIT 64",
  );
  const other = source.prepare("SELECT id FROM event NOT INDEXED WHERE seq = ?");
  // Tolerates some differences, because the compared rows may be damaged.
  let same = 0;
  let different = 0;
  for (const { seq, id } of known.all()) {
    try {
      const found = other.get(Number(seq))?.id;
      if (found === id) same += 1;
      else if (found !== undefined) different += 1;
    } catch {
      // The row is unreadable.
    }
  }
  return same >= different;
}

/** Whether the payload matches the checksum. `read`: the row's values in column order. */
export const isIntactEvent = ({ columns }: TableShape, read: readonly unknown[]): boolean => {
  const at = (name: string) => read[columns.findIndex((column) => column.name === name)];
  const payload = at("payload");
  const checksum = at("checksum");
  if (!(payload instanceof Uint8Array) || !(checksum instanceof Uint8Array)) return false;
  return crc32(payload).toString(16).padStart(8, "0") === Buffer.from(checksum).toString();
};

/** Whether the database has an intact event. If not, the schema that was grafted into it does not fit its pages. */
export function hasIntactEvent(database: DatabaseSync): boolean {
  try {
    const shape = readTableShape(database, "event");
    if (shape === undefined) return false;
    let isFound = false;
    const stop = new Error("found");
    try {
      scanTable({
        source: database,
        shape,
        take(read) {
          isFound ||= isIntactEvent(shape, read);
          if (isFound) throw stop;
        },
        isRow: (read) => isIntactEvent(shape, read),
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

/** Maximum distance between the old and the new number of an event. */
const nearby = 1_000n;

/** Returns the row of an intact event with its own number, or with the nearest free one if its own is damaged or taken. */
export function renumberEvent(
  target: DatabaseSync,
  { columns }: TableShape,
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
