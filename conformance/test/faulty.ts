// Plays one case with one fault in the reference binding.
import { join } from "node:path";
import type { FaultName } from "../broken/faults.ts";
import { type Binding, type Driver, readBinding } from "../src/binding.ts";
import { readCases } from "../src/cases.ts";
import { conform } from "../src/conform.ts";

export const reference = readBinding(join(import.meta.dirname, "../reference"));
export const broken = readBinding(join(import.meta.dirname, "../broken"));
const cases = readCases();

/** Returns all faults that the runner finds. */
export async function faultsOf(id: string, fault: FaultName, traits: Partial<Binding & Driver> = {}): Promise<string> {
  const chosen = cases.filter((one) => one.id === id);
  if (chosen.length !== 1) throw new Error(`there is no case ${id}`);
  const driver = { ...traits, engine: "Node.js", command: ["node", "driver.ts", "--fault", fault] };
  const { verdicts, output } = await conform({ ...reference, ...traits }, driver, chosen);
  return `${verdicts.flatMap(({ faults }) => faults).join("\n")}${output}`;
}
