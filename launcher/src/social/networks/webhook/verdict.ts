// What a receiver's answer means (https://www.standardwebhooks.com, "Delivery success and failure"). A repeat has the same id,
// by which the receiver knows it, so whatever may pass is tried again.
import { restUntilMs } from "../../../reach/retry-after.ts";
import type { Outcome } from "../network.ts";

const stops: Readonly<Record<number, string>> = {
  401: "The receiver asks who sends this (401). Give the account the address that belongs to it, then test it.",
  403: "The receiver refuses posts from here (403). Look at the receiver's settings, then test the account.",
  404: "There is nothing at this address (404). Give the account the right one, then test it.",
  405: "This address takes no posts (405). Give the account the right one, then test it.",
  410: "The receiver wants no more posts (410). Give the account another address, or remove it.",
};

const refusals: Readonly<Record<number, string>> = {
  413: "The post is too large for the receiver (413). Send it without footage, or have the receiver take more.",
};

/** Those whose moment passes, though they begin with a 4. */
const passing = new Set([408, 425, 429]);

export function verdictOn({ status, headers }: Response, nowMs: number): Outcome {
  const notBeforeMs = restUntilMs(headers, nowMs);
  if (status >= 200 && status < 300) return { outcome: "sent", link: null, restUntilMs: notBeforeMs, notes: [] };
  if (status >= 300 && status < 400)
    return {
      outcome: "stopped",
      says: `The receiver sends on to another address (${status}), which is not followed. Give the account the address it moved to.`,
    };
  const stop = stops[status];
  if (stop !== undefined) return { outcome: "stopped", says: stop };
  if (status === 429) return { outcome: "later", says: "The receiver asks for fewer posts (429).", notBeforeMs };
  if (status >= 500 || passing.has(status))
    return { outcome: "later", says: `The receiver failed (${status}).`, notBeforeMs };
  const says = refusals[status] ?? `The receiver does not take this post (${status}).`;
  return { outcome: "refused", says };
}
