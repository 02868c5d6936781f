// A game of the evening: a window that shows the time of each frame in machine-readable form, and a script of events that it sends.
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type Acknowledgement, ingestOperations } from "@kit/contract";
import { openClockWindow } from "../engines/clock-window.ts";

/** One event to send, that many milliseconds after the first. */
type ScriptedEvent = {
  readonly atMs: number;
  readonly kind: "recording" | "social" | "monitor";
  readonly body: object;
};
/** An event that the launcher accepted: its id, and the time that the window showed when it was sent. */
export type SentEvent = ScriptedEvent & { readonly id: string; readonly shownMs: number };
export type GameScript = {
  readonly title: string;
  readonly display: string;
  readonly url: string;
  readonly events: readonly ScriptedEvent[];
  readonly endsMs: number;
  readonly crashes: boolean;
  /** The file that gets the sent events when the game ends. */
  readonly results: string;
};

const path = process.argv[2] ?? "";
const { title, display, url, events, endsMs, crashes, results }: GameScript = JSON.parse(readFileSync(path, "utf8"));
const window = await openClockWindow({ display, title, width: 640, height: 360, framesPerSecond: 30 });
const beganMs = performance.now();
const until = (atMs: number) => pause(Math.max(0, beganMs + atMs - performance.now()));
const sent: SentEvent[] = [];
for (const event of events) {
  await until(event.atMs);
  const shownMs = Date.now();
  const body = JSON.stringify({ ...event.body, timestamp: new Date(shownMs).toISOString() });
  const headers = { "content-type": "application/json", "user-agent": `${title}/1.0` };
  const answer = await fetch(url + ingestOperations[event.kind].path, { method: "POST", headers, body });
  if (answer.status !== 202) throw new Error(`${title}: answered ${answer.status}`);
  sent.push({ ...event, shownMs, id: ((await answer.json()) as Acknowledgement).id });
}
await until(endsMs);
writeFileSync(results, JSON.stringify(sent));
await window.close();
if (crashes) process.kill(process.pid, "SIGSEGV");
