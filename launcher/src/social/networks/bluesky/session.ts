// Keeps signed-in accounts in memory, because Bluesky allows 30 sign-ins in 5 minutes and 300 per day.

import { createHash } from "node:crypto";
import type { Agent, CredentialSession } from "@atproto/api";
import { accountsMax } from "@kit/contract";
import { shareRun } from "../../../async.ts";
import type { Outbound, OutboundClient } from "../../../outbound/outbound.ts";
import { readResponseText } from "../../../outbound/response.ts";
import type { Credentials } from "../network.ts";

export type BlueskyAccount = {
  readonly agent: Agent;
  readonly did: string;
  readonly handle: () => string;
  /** URL of the server that stores the account's posts. At Bluesky, it is not the server that accounts sign in to. */
  readonly server: () => URL;
  readonly emailConfirmed: () => boolean;
  /** Whether the account is signed in with its main password instead of an app password. */
  readonly hasFullAccess: boolean;
};

const sessionsMax = 2 * accountsMax;
/** An upload that is slower on average times out. */
const bytesPerMs = 32;
const patienceMs = 10_000;

/** Maximum time of an upload, until the headers of its answer arrive. */
export const uploadTimeoutMs = (bytes: number): number => patienceMs + Math.ceil(bytes / bytesPerMs);

const sessionKey = ({ service, handle, password }: Credentials) =>
  createHash("sha256")
    .update(JSON.stringify([service, handle, password]))
    .digest("hex");

/** Reads what a token permits. Only tokens of Bluesky's own server software say that; returns undefined for others. */
function tokenScope(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString())?.scope;
  } catch {
    return undefined;
  }
}

/**
 * These statuses mean a temporary failure, but the library would treat them as faults of the request. Kit hands it 503
 * instead.
 */
const temporaryStatuses = new Set([408, 425]);
const asServerError = (answer: Response) =>
  temporaryStatuses.has(answer.status) ? new Response(answer.body, { status: 503, headers: answer.headers }) : answer;

/** Returns whether the answer says that the token has expired, and the answer with a body that can still be read. */
async function detectExpiredToken(
  answer: Response,
): Promise<{ readonly answer: Response; readonly isExpired: boolean }> {
  if (answer.status === 401) return { answer, isExpired: true };
  if (answer.status !== 400) return { answer, isExpired: false };
  const { status, headers } = answer;
  const text = await readResponseText(answer);
  return { answer: new Response(text, { status, headers }), isExpired: text.includes('"ExpiredToken"') };
}

/** Takes the place of the library's fetch handler, which passes Request objects that Kit's outbound fetch does not accept. */
function createAuthorisedFetch(
  session: CredentialSession,
  fetch: OutboundClient["fetch"],
  signIn: () => Promise<unknown>,
) {
  const ask = (path: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${session.session?.accessJwt ?? ""}`);
    const withinMs = init.body instanceof Blob ? uploadTimeoutMs(init.body.size) : patienceMs;
    return fetch(new URL(path, session.dispatchUrl), { ...init, headers, withinMs }).then(asServerError);
  };
  return async (path: string, init: RequestInit): Promise<Response> => {
    await session.refreshSessionPromise?.catch(() => undefined);
    if (!session.hasSession) await signIn();
    const used = session.session;
    const first = await detectExpiredToken(await ask(path, init));
    if (!first.isExpired) return first.answer;
    // Another request may have renewed the session meanwhile.
    if (session.session === used) await session.refreshSession().catch(() => undefined);
    if (!session.hasSession) await signIn();
    return session.session === used ? first.answer : ask(path, init);
  };
}

async function signIn({ service, handle, password }: Credentials, reach: Outbound): Promise<BlueskyAccount> {
  const { Agent, CredentialSession } = await import("@atproto/api");
  const { fetch } = reach.clientFor(service ?? "");
  const session = new CredentialSession(new URL(service ?? ""), fetch as typeof globalThis.fetch);
  const { run: signIn } = shareRun(() => session.login({ identifier: handle ?? "", password: password ?? "" }));
  await signIn();
  const { did, accessJwt } = session.session ?? { did: "", accessJwt: "" };
  const agent = new Agent({ did, fetchHandler: createAuthorisedFetch(session, fetch, signIn) });
  return {
    agent,
    did,
    handle: () => session.session?.handle ?? handle ?? "",
    server: () => session.dispatchUrl,
    emailConfirmed: () => session.session?.emailConfirmed === true,
    hasFullAccess: tokenScope(accessJwt) === "com.atproto.access",
  };
}

export type BlueskySessions = {
  /**
   * Returns the account if it is signed in, otherwise signs in. Rejects with the errors of the library. A failed sign-in is
   * not remembered.
   */
  open(access: Credentials, reach: Outbound): Promise<BlueskyAccount>;
};

export function createBlueskySessions(): BlueskySessions {
  const byReach = new WeakMap<Outbound, Map<string, Promise<BlueskyAccount>>>();
  return {
    open(access, reach) {
      const kept = byReach.get(reach) ?? new Map<string, Promise<BlueskyAccount>>();
      byReach.set(reach, kept);
      const name = sessionKey(access);
      const opened = kept.get(name) ?? signIn(access, reach);
      // Keeps the sessions in the order of their use, so that the first one was unused for longest.
      kept.delete(name);
      kept.set(name, opened);
      const [oldest] = kept.keys();
      if (kept.size > sessionsMax && oldest !== undefined) kept.delete(oldest);
      opened.catch(() => kept.get(name) === opened && kept.delete(name));
      return opened;
    },
  };
}
