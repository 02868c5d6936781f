// Sends requests to a Mastodon server and interprets refusals
// (https://docs.joinmastodon.org/client/intro/#http-response-codes).

import { textOf } from "@kit/contract";
import type { Outbound, OutboundRequest } from "../../../outbound/outbound.ts";
import { readJsonObject, retryAfterMs } from "../../../outbound/response.ts";
import type { Credentials, SendOutcome } from "../network.ts";
import { isGatewayFailure, isWebPage, limitedBy, plainServerMessage, saysTooLarge } from "../server-answer.ts";
import { mastodonMessage } from "./messages.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

export type MastodonAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined if the body is not a JSON object, as in the answer of a proxy. */
  readonly body: JsonObject | undefined;
};

/** Maximum size of an answer. The description of a server can be large, because it contains its rules in all languages. */
const bytesMax = 1024 * 1024;

export async function requestMastodon(
  access: Credentials,
  reach: Outbound,
  path: string,
  init: OutboundRequest,
): Promise<MastodonAnswer> {
  const { server = "", token = "" } = access;
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${token}`);
  headers.set("accept", "application/json");
  const answer = await reach.clientFor(server).fetch(new URL(path, server), { ...init, headers, bytesMax });
  return { status: answer.status, headers: answer.headers, body: await readJsonObject(answer) };
}

/** Returns the member if it is a string, otherwise an empty string. */
export const stringMember = (said: JsonObject | undefined, name: string): string => {
  const value = said?.[name];
  return typeof value === "string" ? value : "";
};

const missingStatuses = new Set([404, 405, 410]);

/** Whether the server has nothing at this path: it says so, redirects to a page such as its sign-in, or answers with one. */
export const lacksEndpoint = ({ status, headers }: MastodonAnswer): boolean =>
  missingStatuses.has(status) || (status >= 300 && status < 400) || (status < 300 && isWebPage(headers));

/** Returns the server's reason. Servers that are only compatible with Mastodon may call it `message`. */
export const reasonOf = (body: JsonObject | undefined): string =>
  plainServerMessage(body?.error) || plainServerMessage(body?.message);

/** `isCommitting`: the request was the one that creates the post, so the server may have failed after it created it. */
export function outcomeOfAnswer(
  { status, headers, body }: MastodonAnswer,
  nowMs: number,
  isCommitting: boolean,
): SendOutcome {
  const reason = reasonOf(body) || mastodonMessage("mastodon.no_reason", { status });
  const notBeforeMs = retryAfterMs(headers, nowMs);
  if (status === 429)
    return { outcome: "later", says: mastodonMessage("mastodon.rate_limit"), notBeforeMs, limits: limitedBy(headers) };
  if (status === 408 || status === 425 || isGatewayFailure(status, headers))
    return { outcome: "later", says: mastodonMessage("mastodon.not_reached", { status }), notBeforeMs };
  if (status >= 500 && isCommitting)
    return { outcome: "maybe", says: mastodonMessage("mastodon.failed_posting", { reason }) };
  if (status >= 500) return { outcome: "later", says: mastodonMessage("mastodon.failed", { reason }), notBeforeMs };
  if (status === 401) return { outcome: "stopped", says: mastodonMessage("mastodon.token_rejected") };
  if (status === 403) return { outcome: "stopped", says: mastodonMessage("mastodon.not_allowed", { reason }) };
  if (status < 400 || missingStatuses.has(status))
    return { outcome: "stopped", says: mastodonMessage("mastodon.not_a_server") };
  const says = mastodonMessage("mastodon.post_refused", { reason });
  const isTooLarge = status === 413 || (!isCommitting && saysTooLarge(textOf(reason)));
  return isTooLarge ? { outcome: "refused", says, isTooLarge } : { outcome: "refused", says };
}
