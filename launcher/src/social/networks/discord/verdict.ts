// What Discord's answer to a post means (https://docs.discord.com/developers/topics/opcodes-and-status-codes and
// /topics/rate-limits). A repeat is a second post, so only what was certainly not taken is tried again.
import type { APIMessage, RESTError, RESTRateLimit } from "discord-api-types/v10";
import { objectOf } from "../../../outbound/bounded.ts";
import { restUntilMs } from "../../../outbound/retry-after.ts";
import type { Outcome } from "../network.ts";
import { wasUnreached } from "../unreached.ts";
import { wordsOf } from "../words.ts";
import { pageOf } from "./address.ts";

const newWebhook =
  "Make one in the channel's settings (Integrations, Webhooks), give the account its address and test it.";

export const stops: Readonly<Record<number, string>> = {
  401: `Discord does not take this webhook any more (401). ${newWebhook}`,
  403: "Discord refuses posts of this webhook (403). Look at the channel's permissions and integrations, then test the account.",
  404: `This webhook is gone, or its thread is (404). ${newWebhook}`,
  410: `This webhook is gone (410). ${newWebhook}`,
};

/** Of a rate limit, whichever of header and body asks for more. */
export function waitOf(headers: Headers, limit: Partial<RESTRateLimit> | undefined, nowMs: number): number | null {
  const inHeaders = restUntilMs(headers, nowMs);
  const said = restUntilMs(new Headers({ "retry-after": String(limit?.retry_after ?? "") }), nowMs);
  return inHeaders === null || said === null ? (inHeaders ?? said) : Math.max(inHeaders, said);
}

/** The innermost reason of a form that was not taken: `errors` has it by field. */
function reasonIn(errors: unknown, depth = 0): string {
  if (typeof errors !== "object" || errors === null || depth > 8) return "";
  const { _errors: list } = errors as { readonly _errors?: unknown };
  if (Array.isArray(list)) return wordsOf((list[0] as { readonly message?: unknown } | undefined)?.message);
  for (const inner of Object.values(errors).slice(0, 20)) {
    const reason = reasonIn(inner, depth + 1);
    if (reason !== "") return reason;
  }
  return "";
}

/** `status` with Discord's own words where it gave some. */
function said(status: number, error: Partial<RESTError> | undefined): string {
  const words = [wordsOf(error?.message), reasonIn(error?.errors)].filter((each) => each !== "");
  return words.length === 0 ? `(${status})` : `(${status}): ${words.join(": ")}`;
}

const lookThere = "Look in the channel whether it is there.";

export async function verdictOn(
  answer: Response,
  { url, guild, nowMs }: { url: string; guild: string; nowMs: number },
): Promise<Outcome> {
  const { status, headers } = answer;
  const body = await objectOf(answer);
  if (status >= 200 && status < 300) {
    const { id, channel_id: channel } = (body ?? {}) as Partial<APIMessage>;
    // The post itself is Discord's confirmation: without it, whoever answered may not even be Discord.
    if (typeof id !== "string")
      return { outcome: "maybe", says: `Discord's answer could not be read (${status}). ${lookThere}` };
    return {
      outcome: "sent",
      link: pageOf(url, guild, channel, id),
      restUntilMs: restUntilMs(headers, nowMs),
      notes: [],
    };
  }
  if (status >= 300 && status < 400)
    return {
      outcome: "stopped",
      says: `Discord sends on to another address (${status}), which is not followed. ${newWebhook}`,
    };
  if (status === 429)
    return {
      outcome: "later",
      says: "Discord has a rate limit (429).",
      notBeforeMs: waitOf(headers, body as Partial<RESTRateLimit>, nowMs),
    };
  const stop = stops[status];
  if (stop !== undefined) return { outcome: "stopped", says: stop };
  if (status === 408 || wasUnreached(status))
    return { outcome: "later", says: `Discord was not reached (${status}).`, notBeforeMs: restUntilMs(headers, nowMs) };
  // Also 503: whatever failed may have failed after the post was made.
  if (status >= 500) return { outcome: "maybe", says: `Discord failed (${status}). ${lookThere}` };
  if (status === 413)
    return {
      outcome: "refused",
      says: "The footage is too large for this server (413). Send it with a shorter clip or without.",
    };
  return { outcome: "refused", says: `Discord does not take this post ${said(status, body as Partial<RESTError>)}` };
}
