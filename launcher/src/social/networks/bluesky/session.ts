// Signed-in accounts, kept in memory while the launcher runs: signing in is allowed 30 times in 5 minutes and 300 times a day.
import { createHash } from "node:crypto";
import type { Agent, CredentialSession } from "@atproto/api";
import { accountsMax } from "@kit/contract";
import { textOf } from "../../../outbound/bounded.ts";
import type { Outbound, Reaching } from "../../../outbound/outbound.ts";
import type { Access } from "../network.ts";

export type Account = {
  readonly agent: Agent;
  readonly did: string;
  readonly handle: () => string;
  /** The server that keeps the account's posts; at Bluesky another than the one where people sign in. */
  readonly server: () => URL;
  readonly emailConfirmed: () => boolean;
  /** Signed in by the password that opens everything, which is not for programs. */
  readonly isWhole: boolean;
};

const sessionsMax = 2 * accountsMax;
/** Slower than this and an upload is given up. */
const bytesPerMs = 32;
const patienceMs = 10_000;

/** How long an upload of so many bytes may take until the head of its answer is there. */
export const uploadWithinMs = (bytes: number): number => patienceMs + Math.ceil(bytes / bytesPerMs);

const nameOf = ({ service, handle, password }: Access) =>
  createHash("sha256")
    .update(JSON.stringify([service, handle, password]))
    .digest("hex");

/** What a token is for, as servers of the reference implementation write it; undefined of any other. */
function scopeOf(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString())?.scope;
  } catch {
    return undefined;
  }
}

/** The library takes every 4xx it does not know for a fault of the request; these pass. */
const passing = new Set([408, 425]);
const asKnown = (answer: Response) =>
  passing.has(answer.status) ? new Response(answer.body, { status: 503, headers: answer.headers }) : answer;

/** The answer to look at, and whether it says that the token's time is over. */
async function seen(answer: Response): Promise<{ readonly answer: Response; readonly isExpired: boolean }> {
  if (answer.status === 401) return { answer, isExpired: true };
  if (answer.status !== 400) return { answer, isExpired: false };
  const { status, headers } = answer;
  const text = await textOf(answer);
  return { answer: new Response(text, { status, headers }), isExpired: text.includes('"ExpiredToken"') };
}

/** The library's own way asks by Request objects, whose bodies cannot be told to a fetch of another kind. */
function authorised(session: CredentialSession, fetch: Reaching["fetch"], signIn: () => Promise<unknown>) {
  const ask = (path: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${session.session?.accessJwt ?? ""}`);
    const withinMs = init.body instanceof Blob ? uploadWithinMs(init.body.size) : patienceMs;
    return fetch(new URL(path, session.dispatchUrl), { ...init, headers, withinMs }).then(asKnown);
  };
  return async (path: string, init: RequestInit): Promise<Response> => {
    await session.refreshSessionPromise?.catch(() => undefined);
    if (!session.hasSession) await signIn();
    const used = session.session;
    const first = await seen(await ask(path, init));
    if (!first.isExpired) return first.answer;
    // Another request may have renewed it meanwhile.
    if (session.session === used) await session.refreshSession().catch(() => undefined);
    if (!session.hasSession) await signIn();
    return session.session === used ? first.answer : ask(path, init);
  };
}

async function signedIn({ service, handle, password }: Access, reach: Outbound): Promise<Account> {
  const { Agent, CredentialSession } = await import("@atproto/api");
  const { fetch } = reach.to(service ?? "");
  const session = new CredentialSession(new URL(service ?? ""), fetch as typeof globalThis.fetch);
  let signingIn: Promise<unknown> | undefined;
  const signIn = () => {
    signingIn ??= session.login({ identifier: handle ?? "", password: password ?? "" }).finally(() => {
      signingIn = undefined;
    });
    return signingIn;
  };
  await signIn();
  const { did, accessJwt } = session.session ?? { did: "", accessJwt: "" };
  const agent = new Agent({ did, fetchHandler: authorised(session, fetch, signIn) });
  return {
    agent,
    did,
    handle: () => session.session?.handle ?? handle ?? "",
    server: () => session.dispatchUrl,
    emailConfirmed: () => session.session?.emailConfirmed === true,
    isWhole: scopeOf(accessJwt) === "com.atproto.access",
  };
}

export type Sessions = {
  /** Rejects as the library does; a failed one is not kept. */
  open(access: Access, reach: Outbound): Promise<Account>;
};

export function createSessions(): Sessions {
  const byReach = new WeakMap<Outbound, Map<string, Promise<Account>>>();
  return {
    open(access, reach) {
      const kept = byReach.get(reach) ?? new Map<string, Promise<Account>>();
      byReach.set(reach, kept);
      const name = nameOf(access);
      const opened = kept.get(name) ?? signedIn(access, reach);
      // The one not used for longest goes first.
      kept.delete(name);
      kept.set(name, opened);
      const [oldest] = kept.keys();
      if (kept.size > sessionsMax && oldest !== undefined) kept.delete(oldest);
      opened.catch(() => kept.get(name) === opened && kept.delete(name));
      return opened;
    },
  };
}
