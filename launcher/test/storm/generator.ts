// Support: generates a storm in its own process, because the launcher tells senders apart by process. Takes a plan as JSON
// argument and prints its result as a line of JSON. Started by generate.ts.
import { setTimeout as pause } from "node:timers/promises";
import { type StormName, storms } from "./reports.ts";
import { startSender } from "./sender.ts";

export type GeneratorPlan = {
  readonly port: number;
  readonly connections: number;
  readonly client: string;
  readonly name: StormName;
  /** The maximum number of reports. */
  readonly reportsMax?: number;
  /** The generator continues for at least this time ... */
  readonly seconds?: number;
  /** ... and until this number of reports is acknowledged. */
  readonly reportsMin?: number;
};

const { name, seconds, reportsMin, ...plan } = JSON.parse(process.argv[2] ?? "") as GeneratorPlan;
const beganMs = performance.now();
const sender = startSender({ ...plan, report: storms[name] });
const over = new AbortController();
void sender.ended.then(() => over.abort());
const isOver = () =>
  performance.now() - beganMs >= (seconds ?? Number.POSITIVE_INFINITY) * 1_000 &&
  sender.account().acknowledged >= (reportsMin ?? 0);
while (!over.signal.aborted && !isOver()) {
  await pause(20, undefined, { signal: over.signal }).catch(() => undefined);
}
const lastedMs = performance.now() - beganMs;
await sender.stop();
const { waits, ...account } = sender.account();
console.log(JSON.stringify({ ...account, lastedMs, waits: [...waits] }));
