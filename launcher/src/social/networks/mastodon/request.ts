// Sends requests to a Mastodon server and interprets refusals (https://docs.joinmastodon.org/client/intro/#http-response-codes).
import { readJsonObject } from "../../../outbound/bounded-response.ts";
import type { Outbound, OutboundRequest } from "../../../outbound/outbound.ts";
import { retryAfterMs } from "../../../outbound/retry-after.ts";
import { isGatewayFailure } from "../gateway-failure.ts";
import type { Credentials, SendOutcome } from "../network.ts";
import { plainMessage } from "../plain-message.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined if the body is not a JSON object, for example from a proxy. */
  readonly body: JsonObject | undefined;
};

/** Large enough for the description of an instance, which contains its rules in all languages. */
const bytesMax = 1024 * 1024;

export async function request(
  access: Credentials,
  reach: Outbound,
  path: string,
  init: OutboundRequest,
): Promise<Answer> {
  const { server = "", token = "" } = access;
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${token}`);
  headers.set("accept", "application/json");
  const answer = await reach.clientFor(server).fetch(new URL(path, server), { ...init, headers, bytesMax });
  return { status: answer.status, headers: answer.headers, body: await readJsonObject(answer) };
}

/** Returns a string member, or an empty string. */
export const stringMember = (said: JsonObject | undefined, name: string): string => {
  const value = said?.[name];
  return typeof value === "string" ? value : "";
};

const newToken =
  "On your server: Preferences, Development, New application, with the scopes read:accounts, write:media and write:statuses. Enter its token here and test the account";

const missingStatuses = new Set([404, 405, 410]);
const notAMastodonServer =
  "The server does not answer like a Mastodon server, or redirects. Check its URL, then test the account.";

/** `isCommitting` means that the answer is to the request that creates the post, so a failure may have come afterwards. */
export function outcomeOf({ status, headers, body }: Answer, nowMs: number, isCommitting: boolean): SendOutcome {
  const words = plainMessage(body?.error) || `status ${status}`;
  const notBeforeMs = retryAfterMs(headers, nowMs);
  if (status === 429) return { outcome: "later", says: "The server's rate limit was reached.", notBeforeMs };
  if (status === 408 || status === 425 || isGatewayFailure(status))
    return { outcome: "later", says: `The server could not be reached (${status}).`, notBeforeMs };
  if (status >= 500 && isCommitting)
    return { outcome: "maybe", says: `The server failed while it created the post: ${words}` };
  if (status >= 500) return { outcome: "later", says: `The server failed: ${words}`, notBeforeMs };
  if (status === 401)
    return { outcome: "stopped", says: `The server no longer accepts the access token. ${newToken}.` };
  if (status === 403) return { outcome: "stopped", says: `The server does not allow it: ${words}. ${newToken}.` };
  if (status < 400 || missingStatuses.has(status)) return { outcome: "stopped", says: notAMastodonServer };
  return { outcome: "refused", says: `The server does not accept this post: ${words}` };
}
