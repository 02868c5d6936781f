// `kit doctor`'s check of recent events: whether any arrive, and why the newest was refused or ignored.
import { type IgnoreReason, type KitEvent, listEvents, listRefusals, type Refusal } from "@kit/contract";
import type { Config } from "../config.ts";
import { type Check, failed, passed } from "./check.ts";
import { connect, Unreachable } from "./connection.ts";

const name = "events";
const formatTime = (iso: string) => new Date(iso).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/** Returns the text only if it is safe to paste into a shell, because it comes from a game. */
const shellWord = (text: string | null, fallback: string) =>
  text !== null && /^\w[\w.:/-]*$/.test(text) ? text : fallback;

const switchHints: Record<IgnoreReason, (event: KitEvent) => { why: string; back: string }> = {
  service_off: ({ kind }) => ({ why: `${kind} is switched off`, back: `kit switch on --kind ${kind}` }),
  game_off: ({ kind, game }) => ({
    why: `${kind} is switched off for this game`,
    back: `kit switch on --kind ${kind} --game ${shellWord(game, "GAME")}`,
  }),
  event_off: ({ kind, eventId }) => ({
    why: "this event is switched off",
    back: `kit switch on --kind ${kind} --event ${shellWord(eventId, "ID")}`,
  }),
};

function refusalCheck({ at, status, code, detail, origin }: Refusal, count: number): Check {
  const others = count > 1 ? `, and ${count - 1} more since the last accepted event` : "";
  const says = `a request was refused at ${formatTime(at)} (${status})${others}: ${detail}`;
  if (code === "consent_needed" && origin !== null)
    return failed(name, says, `If you trust it: kit origins allow ${shellWord(origin, "ORIGIN")}`);
  return failed(name, says, "Fix the request in the game. `kit tail` shows each request as it arrives.");
}

function eventCheck(event: KitEvent): Check {
  const says = `the newest event of ${event.game ?? "no game"} arrived at ${formatTime(event.receivedAt)}`;
  if (event.reason === undefined) return passed(name, says);
  const { why, back } = switchHints[event.reason](event);
  return failed(name, `${says} and was ignored: ${why}`, back);
}

/** Reports the newest request: a refusal since the last event, or that event. */
function newestCheck([newest]: readonly KitEvent[], refusals: readonly Refusal[]): Check {
  const since = refusals.filter(({ at }) => newest === undefined || at > newest.receivedAt);
  const [refusal] = since;
  if (refusal !== undefined) return refusalCheck(refusal, since.length);
  if (newest !== undefined) return eventCheck(newest);
  return passed(name, "no event has arrived yet; send one with `kit fire recording my_first_event`");
}

export async function checkRecentEvents(config: Config): Promise<Check> {
  try {
    const { client } = await connect(config);
    const [{ events }, { refusals }] = await Promise.all([
      client.call(listEvents, { query: { limit: 1 } }),
      client.call(listRefusals),
    ]);
    return newestCheck(events, refusals);
  } catch (error) {
    if (error instanceof Unreachable) return passed(name, "Kit is not running");
    throw error;
  }
}
