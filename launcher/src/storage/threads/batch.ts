// Packs write units into messages for the writer thread. Each SQL text is sent once; later statements refer to its number.

import type { Statement } from "../sql.ts";
import type { WriteBatch, WriteUnit } from "./messages.ts";

/** Returns a function that packs units as JSON. It remembers which SQL texts the writer already has. */
export function createBatchPacker(): (units: readonly WriteUnit[]) => string {
  const numbers = new Map<string, number>();
  return (units) => {
    const texts: string[] = [];
    const numberOf = (text: string) => {
      let number = numbers.get(text);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(text, number);
        texts.push(text);
      }
      return number;
    };
    const batch: WriteBatch = {
      units: units.map((unit) => unit.map(({ text, values }) => [numberOf(text), ...values])),
      texts,
    };
    return JSON.stringify(batch);
  };
}

/** Returns a function that unpacks batches, which must arrive in the order in which they were packed. */
export function createBatchUnpacker(): (batch: string) => WriteUnit[] {
  const texts: string[] = [];
  const statementOf = ([number, ...values]: WriteBatch["units"][number][number]): Statement => {
    const text = texts[number];
    if (text === undefined) throw new Error(`Statement ${number} was never announced`);
    return { text, values };
  };
  return (batch) => {
    const { texts: announced, units } = JSON.parse(batch) as WriteBatch;
    texts.push(...announced);
    return units.map((unit) => unit.map(statementOf));
  };
}
