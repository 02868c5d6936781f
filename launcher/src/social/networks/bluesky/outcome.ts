// Interprets a server's refusal. The codes are defined by the protocol (https://atproto.com/specs/xrpc) and its lexicons.
import { type Message, textOf } from "@kit/contract";
import { retryAfterMs } from "../../../outbound/response.ts";
import type { SendOutcome } from "../network.ts";
import { isTurnedAway, limitedBy, plainServerMessage, saysTooLarge } from "../server-answer.ts";
import { blueskyMessage } from "./messages.ts";

/** An error of the library. Status 1 means that there was no answer, status 2 that the answer does not follow the protocol. */
type XrpcError = Error & {
  readonly status: number;
  readonly error: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const wrongPassword = blueskyMessage("bluesky.password_rejected");

/** The codes of errors after which only a person can help. */
const stopReasons: Readonly<Record<string, Message>> = {
  AuthenticationRequired: wrongPassword,
  AuthMissing: wrongPassword,
  InvalidToken: wrongPassword,
  ExpiredToken: wrongPassword,
  AuthFactorTokenRequired: blueskyMessage("bluesky.code_by_email"),
  AccountTakedown: blueskyMessage("bluesky.taken_down"),
  RepoTakendown: blueskyMessage("bluesky.taken_down"),
  AccountDeactivated: blueskyMessage("bluesky.deactivated"),
  RepoDeactivated: blueskyMessage("bluesky.deactivated"),
};

function isXrpcError(error: unknown): error is XrpcError {
  return error instanceof Error && typeof (error as Partial<XrpcError>).status === "number" && "error" in error;
}

/** Returns the code of a refusal, such as `InvalidSwap`, or undefined if there was no answer. */
export const refusalCode = (error: unknown): string | undefined => (isXrpcError(error) ? error.error : undefined);

/** How many points of the rate limit a post costs. */
const postCost = 2;

/**
 * Returns when the server accepts the next post, or null if it accepts one at once. If the points that are left do not
 * suffice for a post, that is when the rate limit starts again.
 */
export function blueskyRateLimitEnd(
  headers: Readonly<Record<string, string | undefined>>,
  nowMs: number,
): number | null {
  const told = new Headers(Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined));
  const remaining = told.get("ratelimit-remaining");
  if (remaining !== null && Number(remaining) < postCost) told.set("ratelimit-remaining", "0");
  return retryAfterMs(told, nowMs);
}

/**
 * Interprets an error. `isCommitting`: the request was the one that creates the post, so the server may have failed after it
 * created it. Throws an error again that is not a server's answer.
 */
export function outcomeOfError(error: unknown, nowMs: number, isCommitting: boolean): SendOutcome {
  if (!isXrpcError(error)) throw error;
  const { status, error: code, headers = {} } = error;
  const reason = plainServerMessage(error.message) || blueskyMessage("bluesky.no_reason", { status });
  // The caller sees from the cause whether anything was sent.
  if (status === 1) throw error.cause ?? error;
  if (status === 2) throw new Error("The answer does not follow the protocol");
  if (status === 429)
    return {
      outcome: "later",
      says: blueskyMessage("bluesky.rate_limit"),
      notBeforeMs: blueskyRateLimitEnd(headers, nowMs),
      limits: limitedBy(new Headers(headers)),
    };
  const stopped = stopReasons[code];
  if (stopped !== undefined) return { outcome: "stopped", says: stopped };
  const said = blueskyMessage("bluesky.failed", { reason });
  const later = { outcome: "later", says: said, notBeforeMs: blueskyRateLimitEnd(headers, nowMs) } as const;
  if (isTurnedAway(status, new Headers(headers))) return later;
  if (status === 401 || status === 403)
    return { outcome: "stopped", says: blueskyMessage("bluesky.password_rejected_because", { reason }) };
  if (status >= 500 && isCommitting) return { outcome: "maybe", says: said };
  if (status >= 500) return later;
  if (status === 404) return { outcome: "stopped", says: blueskyMessage("bluesky.not_a_server") };
  const says = blueskyMessage("bluesky.post_refused", { reason });
  return status === 413 || code === "BlobTooLarge" || (!isCommitting && saysTooLarge(textOf(reason)))
    ? { outcome: "refused", says, isTooLarge: true }
    : { outcome: "refused", says };
}
