// Interprets a server's refusal. The codes are defined by the protocol (https://atproto.com/specs/xrpc) and its lexicons.
import type { Message } from "@kit/contract";
import { retryAfterMs } from "../../../outbound/retry-after.ts";
import type { SendOutcome } from "../network.ts";
import { plainMessage } from "../plain-message.ts";
import { blueskyMessage } from "./messages.ts";

/** An error of the library. Status 1 means no answer; status 2 means an answer that does not match the lexicon. */
type XrpcError = Error & {
  readonly status: number;
  readonly error: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const wrongPassword = blueskyMessage("bluesky.password_rejected");

/** Error codes that a person has to act on. */
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
export const errorCode = (error: unknown): string | undefined => (isXrpcError(error) ? error.error : undefined);

/** Points of the rate limit that one post costs. */
const postCost = 2;

/** Returns when the server accepts the next post. The remaining points may be too few for one. */
export function rateLimitEnd(headers: Readonly<Record<string, string | undefined>>, nowMs: number): number | null {
  const told = new Headers(Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined));
  const remaining = told.get("ratelimit-remaining");
  if (remaining !== null && Number(remaining) < postCost) told.set("ratelimit-remaining", "0");
  return retryAfterMs(told, nowMs);
}

/**
 * `isCommitting` means that the answer is to the request that creates the post, so a failure may have come afterwards. Rethrows
 * errors that are not answers.
 */
export function outcomeOf(error: unknown, nowMs: number, isCommitting: boolean): SendOutcome {
  if (!isXrpcError(error)) throw error;
  const { status, error: code, headers = {} } = error;
  const reason = plainMessage(error.message);
  // The cause shows whether anything was sent.
  if (status === 1) throw error.cause ?? error;
  if (status === 2) throw new Error("The answer does not follow the protocol");
  if (status === 429)
    return { outcome: "later", says: blueskyMessage("bluesky.rate_limit"), notBeforeMs: rateLimitEnd(headers, nowMs) };
  const stopped = stopReasons[code];
  if (stopped !== undefined) return { outcome: "stopped", says: stopped };
  if (status === 401 || status === 403)
    return { outcome: "stopped", says: blueskyMessage("bluesky.password_rejected_because", { reason }) };
  const said = blueskyMessage("bluesky.failed", { reason });
  if (status >= 500 && isCommitting) return { outcome: "maybe", says: said };
  if (status >= 500) return { outcome: "later", says: said, notBeforeMs: rateLimitEnd(headers, nowMs) };
  if (status === 404) return { outcome: "stopped", says: blueskyMessage("bluesky.not_a_server") };
  return { outcome: "refused", says: blueskyMessage("bluesky.post_refused", { reason }) };
}
