// Plays an evening and leaves its launcher open, to look at the dashboard by hand: node tools/evening.ts [--speed 4] [--port 9921]
import { once } from "node:events";
import { parseArgs } from "node:util";
import { createTicket } from "@kit/contract";
import { playEvening } from "./evening/evening.ts";

const { values } = parseArgs({
  options: { speed: { type: "string", default: "4" }, port: { type: "string" }, "data-dir": { type: "string" } },
});
const { speed, port, "data-dir": dataDir } = values;
await using evening = await playEvening({
  speed: Number(speed),
  ...(port !== undefined && { port: Number(port) }),
  ...(dataDir !== undefined && { dataDir }),
  onProgress: (says) => console.log(says),
});
const { ticket } = await evening.client.call(createTicket);
console.log(`Open http://127.0.0.1:${evening.launcher.port}/#t=${ticket} within a minute. Ctrl+C ends it.`);
await Promise.race(["SIGINT", "SIGTERM"].map((signal) => once(process, signal)));
