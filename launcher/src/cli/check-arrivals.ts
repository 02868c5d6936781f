// `kit doctor` on what games send: whether anything arrives, and why the newest was refused or ignored.
import { type IgnoreReason, type KitEvent, listEvents, listRefusals, type Refusal } from "@kit/contract";
import type { Config } from "../config.ts";
import { bad, type Check, good } from "./check.ts";
import { connect, Unreachable } from "./connection.ts";

const name = "events";
const timeOf = (iso: string) => new Date(iso).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/** What is shown as a command may be pasted into a shell: no game chooses more of it than a name. */
const word = (text: string | null, otherwise: string) =>
  text !== null && /^\w[\w.:/-]*$/.test(text) ? text : otherwise;

const switchedOff: Record<IgnoreReason, (event: KitEvent) => { why: string; back: string }> = {
  service_off: ({ kind }) => ({ why: `${kind} is switched off`, back: `kit switch on --kind ${kind}` }),
  game_off: ({ kind, game }) => ({
    why: `${kind} is switched off for this game`,
    back: `kit switch on --kind ${kind} --game ${word(game, "GAME")}`,
  }),
  event_off: ({ kind, eventId }) => ({
    why: "this event is switched off",
    back: `kit switch on --kind ${kind} --event ${word(eventId, "ID")}`,
  }),
};

function ofRefusal({ at, status, code, detail, origin }: Refusal, count: number): Check {
  const others = count > 1 ? `, and ${count - 1} more since the last event that was taken` : "";
  const says = `a request was refused at ${timeOf(at)} (${status})${others}: ${detail}`;
  if (code === "consent_needed" && origin !== null)
    return bad(name, says, `If you trust it: kit origins allow ${word(origin, "ORIGIN")}`);
  return bad(name, says, "Correct what the game sends; `kit tail` shows each request as it arrives.");
}

function ofEvent(event: KitEvent): Check {
  const says = `the newest of ${event.game ?? "no game"} came at ${timeOf(event.receivedAt)}`;
  if (event.reason === undefined) return good(name, says);
  const { why, back } = switchedOff[event.reason](event);
  return bad(name, `${says} and was ignored: ${why}`, back);
}

/** Of the newest event, and of what was refused since. */
function arrivals([newest]: readonly KitEvent[], refusals: readonly Refusal[]): Check {
  const since = refusals.filter(({ at }) => newest === undefined || at > newest.receivedAt);
  const [refusal] = since;
  if (refusal !== undefined) return ofRefusal(refusal, since.length);
  if (newest !== undefined) return ofEvent(newest);
  return good(name, "nothing has arrived yet; `kit fire recording my_first_event` sends one as a game would");
}

export async function checkArrivals(config: Config): Promise<Check> {
  try {
    const { client } = await connect(config);
    const [{ events }, { refusals }] = await Promise.all([
      client.call(listEvents, { query: { limit: 1 } }),
      client.call(listRefusals),
    ]);
    return arrivals(events, refusals);
  } catch (error) {
    if (error instanceof Unreachable) return good(name, "Kit does not run: nothing can arrive");
    throw error;
  }
}
