// Support: generates a storm in its own process, because the launcher tells senders apart by process. Takes a plan as JSON
// argument and prints its result as a line of JSON. Started by generate.ts.
import { setTimeout as pause } from "node:timers/promises";
import { stormReport } from "./reports.ts";
import { type Endpoint, startSender } from "./sender.ts";

export type GeneratorPlan = {
  readonly port: number;
  readonly connections: number;
  readonly client: string;
  /** Sent again and again. Without it, the reports of a storm are sent. */
  readonly body?: string;
  readonly endpoint?: Endpoint;
  /** The generator continues for at least this time ... */
  readonly seconds: number;
  /** ... and until this number of reports is acknowledged. */
  readonly reportsMin?: number;
};

const { body, seconds, reportsMin = 0, ...plan } = JSON.parse(process.argv[2] ?? "") as GeneratorPlan;
const beganMs = performance.now();
const sender = startSender({ ...plan, report: body === undefined ? stormReport : () => body });
while (performance.now() - beganMs < seconds * 1_000 || sender.account().acknowledged < reportsMin) await pause(20);
const lastedMs = performance.now() - beganMs;
await sender.stop();
const { waits, ...account } = sender.account();
console.log(JSON.stringify({ ...account, lastedMs, waits: [...waits] }));
