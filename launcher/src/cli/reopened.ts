// Waits while the launcher closes and opens anew, and says when it is there again.
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../config.ts";
import { whoAnswers } from "./connection.ts";

const lookEveryMs = 200;
const waitMsMax = 60_000;
/** It answers a moment longer before it closes. */
const closesWithinMs = 3_000;

/** True once it answers again; false where it did not within a minute. */
export async function reopened(config: Config): Promise<boolean> {
  const answers = async () => (await whoAnswers(config)).who === "own";
  const beganMs = performance.now();
  const since = () => performance.now() - beganMs;
  while (since() < closesWithinMs && (await answers())) await pause(lookEveryMs / 4);
  while (since() < waitMsMax) {
    if (await answers()) return true;
    await pause(lookEveryMs);
  }
  return false;
}
