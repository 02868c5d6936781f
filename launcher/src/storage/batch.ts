// Packs units for the writer and unpacks them there.
import type { Batch, Unit } from "./messages.ts";
import type { Statement } from "./sql.ts";

/** Packs on the sending side; remembers which texts the other side has. */
export function createPacker(): (units: readonly Unit[]) => string {
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
    const batch: Batch = {
      units: units.map((unit) => unit.map(({ text, values }) => [numberOf(text), ...values])),
      texts,
    };
    return JSON.stringify(batch);
  };
}

/** Unpacks on the writer's side. Batches must come in the order in which they were packed. */
export function createUnpacker(): (batch: string) => Unit[] {
  const texts: string[] = [];
  const statementOf = ([number, ...values]: Batch["units"][number][number]): Statement => {
    const text = texts[number];
    if (text === undefined) throw new Error(`Statement ${number} was never announced`);
    return { text, values };
  };
  return (batch) => {
    const { texts: announced, units } = JSON.parse(batch) as Batch;
    texts.push(...announced);
    return units.map((unit) => unit.map(statementOf));
  };
}
