// What a server's no means for a post. The codes are the protocol's (https://atproto.com/specs/xrpc) and its lexicons'.
import { restUntilMs } from "../../../outbound/retry-after.ts";
import type { Outcome } from "../network.ts";
import { wordsOf } from "../words.ts";

/** As the library throws it. `status` 1: nothing came; 2: what came is not what the lexicon says. */
type No = Error & {
  readonly status: number;
  readonly error: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const newPassword =
  "Make a new app password in Bluesky (Settings, Privacy and security, App passwords), give it to the account here and test it";
const wrong = `Bluesky does not take the app password of this account. ${newPassword}.`;

const elsewhere =
  "The server does not answer as one of Bluesky's does, or sends elsewhere. Look at its address, then test the account.";

/** What a person has to do something about. */
const stopping: Readonly<Record<string, string>> = {
  AuthenticationRequired: wrong,
  AuthMissing: wrong,
  InvalidToken: wrong,
  ExpiredToken: wrong,
  AuthFactorTokenRequired: `Bluesky asks for a code it sent by mail, as it does for the account's own password. ${newPassword}.`,
  AccountTakedown: "Bluesky has taken this account down. Sign in at Bluesky to see why, then test the account here.",
  RepoTakendown: "Bluesky has taken this account down. Sign in at Bluesky to see why, then test the account here.",
  AccountDeactivated: "This account is deactivated. Sign in at Bluesky to activate it, then test the account here.",
  RepoDeactivated: "This account is deactivated. Sign in at Bluesky to activate it, then test the account here.",
};

function isNo(error: unknown): error is No {
  return error instanceof Error && typeof (error as Partial<No>).status === "number" && "error" in error;
}

/** The code of a no, such as `InvalidSwap`; undefined when there was no answer. */
export const codeOf = (error: unknown): string | undefined => (isNo(error) ? error.error : undefined);

/** How many points of the rate limit one post costs. */
const cost = 2;

/** When the server wants the next request. What remains may be too little for one more post. */
export function restAfter(headers: Readonly<Record<string, string | undefined>>, nowMs: number): number | null {
  const told = new Headers(Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined));
  const remaining = told.get("ratelimit-remaining");
  if (remaining !== null && Number(remaining) < cost) told.set("ratelimit-remaining", "0");
  return restUntilMs(told, nowMs);
}

/**
 * `isCommitting`: it answered the request that makes the post, so that a failure on the way may have come after the deed.
 * Throws again what is no answer.
 */
export function outcomeOf(error: unknown, nowMs: number, isCommitting: boolean): Outcome {
  if (!isNo(error)) throw error;
  const { status, error: code, headers = {}, message } = error;
  // What lies beneath says whether anything was sent.
  if (status === 1) throw error.cause ?? error;
  if (status === 2) throw new Error("The answer is not what the protocol says");
  if (status === 429)
    return { outcome: "later", says: "Bluesky has a rate limit.", notBeforeMs: restAfter(headers, nowMs) };
  const stopped = stopping[code];
  if (stopped !== undefined) return { outcome: "stopped", says: stopped };
  if (status === 401 || status === 403) return { outcome: "stopped", says: `${wrong} It says: ${wordsOf(message)}` };
  const said = `Bluesky could not do it: ${wordsOf(message)}`;
  if (status >= 500 && isCommitting) return { outcome: "maybe", says: said };
  if (status >= 500) return { outcome: "later", says: said, notBeforeMs: restAfter(headers, nowMs) };
  if (status === 404) return { outcome: "stopped", says: elsewhere };
  return { outcome: "refused", says: `Bluesky does not take this post: ${wordsOf(message)}` };
}
