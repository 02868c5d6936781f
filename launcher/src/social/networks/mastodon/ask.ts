// Requests to a Mastodon server, and what its no means (https://docs.joinmastodon.org/client/intro/#http-response-codes).
import { objectOf } from "../../../outbound/bounded.ts";
import type { Asking, Outbound } from "../../../outbound/outbound.ts";
import { restUntilMs } from "../../../outbound/retry-after.ts";
import type { Access, Outcome } from "../network.ts";
import { wasUnreached } from "../unreached.ts";
import { wordsOf } from "../words.ts";

export type Said = Readonly<Record<string, unknown>>;

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  /** undefined where it is no JSON, as of a proxy before the server. */
  readonly said: Said | undefined;
};

/** An instance describes itself at length: its rules, in all languages. */
const bytesMax = 1024 * 1024;

export async function ask(access: Access, reach: Outbound, path: string, init: Asking): Promise<Answer> {
  const { server = "", token = "" } = access;
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${token}`);
  headers.set("accept", "application/json");
  const answer = await reach.to(server).fetch(new URL(path, server), { ...init, headers, bytesMax });
  return { status: answer.status, headers: answer.headers, said: await objectOf(answer) };
}

/** A text member, empty where there is none. */
export const textOf = (said: Said | undefined, name: string): string => {
  const value = said?.[name];
  return typeof value === "string" ? value : "";
};

const newToken =
  "On your server: Preferences, Development, New application, with the scopes read:accounts, write:media and write:statuses. Give its token to the account here and test it";

const notThere = new Set([404, 405, 410]);
const elsewhere =
  "The server does not answer as one of Mastodon does, or sends elsewhere. Look at its address, then test the account.";

/** `isCommitting`: it answered the request that makes the post, so that a failure on the way may have come after the deed. */
export function outcomeOf({ status, headers, said }: Answer, nowMs: number, isCommitting: boolean): Outcome {
  const words = wordsOf(said?.error) || `status ${status}`;
  const notBeforeMs = restUntilMs(headers, nowMs);
  if (status === 429) return { outcome: "later", says: "The server has a rate limit.", notBeforeMs };
  if (status === 408 || status === 425 || wasUnreached(status))
    return { outcome: "later", says: `The server was not reached (${status}).`, notBeforeMs };
  if (status >= 500 && isCommitting)
    return { outcome: "maybe", says: `The server failed while it took the post: ${words}` };
  if (status >= 500) return { outcome: "later", says: `The server could not do it now: ${words}`, notBeforeMs };
  if (status === 401)
    return { outcome: "stopped", says: `The server does not take the access token any more. ${newToken}.` };
  if (status === 403) return { outcome: "stopped", says: `The server does not allow it: ${words}. ${newToken}.` };
  if (status < 400 || notThere.has(status)) return { outcome: "stopped", says: elsewhere };
  return { outcome: "refused", says: `The server does not take this post: ${words}` };
}
