// Interprets Discord's answer to a post (https://docs.discord.com/developers/topics/opcodes-and-status-codes and
// /topics/rate-limits). A repeat could be a second post, so only a post that was certainly not created is tried again.
import type { Message } from "@kit/contract";
import type { APIMessage, RESTError, RESTRateLimit } from "discord-api-types/v10";
import { readJsonObject, retryAfterMs } from "../../../outbound/response.ts";
import type { SendOutcome } from "../network.ts";
import { isGatewayFailure, plainServerMessage } from "../server-answer.ts";
import { channelPage } from "./address.ts";
import { discordMessage } from "./messages.ts";

export const discordStopReasons: Readonly<Record<number, Message>> = {
  401: discordMessage("discord.webhook_rejected"),
  403: discordMessage("discord.webhook_refused"),
  404: discordMessage("discord.webhook_or_thread_gone"),
  410: discordMessage("discord.webhook_gone"),
};

/** Returns when the rate limit ends. If headers and body differ, the later time. */
export function discordRateLimitEnd(
  headers: Headers,
  limit: Partial<RESTRateLimit> | undefined,
  nowMs: number,
): number | null {
  const inHeaders = retryAfterMs(headers, nowMs);
  const said = retryAfterMs(new Headers({ "retry-after": String(limit?.retry_after ?? "") }), nowMs);
  return inHeaders === null || said === null ? (inHeaders ?? said) : Math.max(inHeaders, said);
}

/** Returns the first reason inside `errors`, in which Discord nests reasons by form field. */
function innermostReason(errors: unknown, depth = 0): string {
  if (typeof errors !== "object" || errors === null || depth > 8) return "";
  const { _errors: list } = errors as { readonly _errors?: unknown };
  if (Array.isArray(list)) return plainServerMessage((list[0] as { readonly message?: unknown } | undefined)?.message);
  for (const inner of Object.values(errors).slice(0, 20)) {
    const reason = innermostReason(inner, depth + 1);
    if (reason !== "") return reason;
  }
  return "";
}

function refusal(status: number, error: Partial<RESTError> | undefined): Message {
  const words = [plainServerMessage(error?.message), innermostReason(error?.errors)].filter((each) => each !== "");
  return words.length === 0
    ? discordMessage("discord.post_refused", { status })
    : discordMessage("discord.post_refused_because", { status, reason: words.join(": ") });
}

export async function outcomeOfAnswer(
  answer: Response,
  { url, guild, nowMs }: { url: string; guild: string; nowMs: number },
): Promise<SendOutcome> {
  const { status, headers } = answer;
  const body = await readJsonObject(answer);
  if (status >= 200 && status < 300) {
    const { id, channel_id: channel } = (body ?? {}) as Partial<APIMessage>;
    // Discord confirms a post by returning it. An answer without the post may come from a proxy.
    if (typeof id !== "string")
      return { outcome: "maybe", says: discordMessage("discord.unreadable_answer", { status }) };
    return {
      outcome: "sent",
      link: channelPage(url, guild, channel, id),
      restUntilMs: retryAfterMs(headers, nowMs),
      notes: [],
    };
  }
  if (status >= 300 && status < 400)
    return {
      outcome: "stopped",
      says: discordMessage("discord.redirected", { status }),
    };
  if (status === 429)
    return {
      outcome: "later",
      says: discordMessage("discord.rate_limit"),
      notBeforeMs: discordRateLimitEnd(headers, body as Partial<RESTRateLimit>, nowMs),
    };
  const stop = discordStopReasons[status];
  if (stop !== undefined) return { outcome: "stopped", says: stop };
  if (status === 408 || isGatewayFailure(status))
    return {
      outcome: "later",
      says: discordMessage("discord.not_reached", { status }),
      notBeforeMs: retryAfterMs(headers, nowMs),
    };
  // Even after 503 the post may exist, because Discord may have failed after it created the post.
  if (status >= 500) return { outcome: "maybe", says: discordMessage("discord.failed_posting", { status }) };
  if (status === 413)
    return {
      outcome: "refused",
      says: discordMessage("discord.large_footage"),
    };
  return { outcome: "refused", says: refusal(status, body as Partial<RESTError>) };
}
