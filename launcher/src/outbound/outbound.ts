// Requests to servers that a person named: each goes only where it may, is bounded in time and in what is read, follows nothing.
import { lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import type { Dispatcher } from "undici";
import { isOwnHost } from "./address.ts";
import { boundedAnswer } from "./bounded.ts";
import { createConnector } from "./connector.ts";
import { CutShort, Refused } from "./fault.ts";

// Sees whether a request went out whole.

/** As much of a dispatcher as fetch asks for. `onWhole`: the system took all of the request. */
function watched(dispatcher: Dispatcher, onWhole: () => void): Pick<Dispatcher, "dispatch"> {
  return {
    dispatch(options, handler) {
      const watching: Dispatcher.DispatchHandler = Object.assign(Object.create(handler), {
        onRequestSent() {
          onWhole();
          handler.onRequestSent?.();
        },
      });
      return dispatcher.dispatch(options, watching);
    },
  };
}

export type Asking = RequestInit & {
  /** Until the head of the answer is there; once more for its body. */
  readonly withinMs?: number;
  readonly bytesMax?: number;
};

export type Reaching = {
  /**
   * As fetch, but: https only (http where the server is this machine by its own name), resolved addresses checked,
   * redirects answered as they are and never followed, 10 s until the head unless `withinMs` says more, and the body ends
   * after 64 KiB, or `bytesMax` up to 1 MiB. Rejects when no answer came: `faultOf`, `sentNothing` and `sentInPart` say what
   * that means.
   */
  readonly fetch: (url: string | URL | Request, init?: Asking) => Promise<Response>;
};

export type Outbound = {
  /** `server`: the address a person gave. Only when its own host is localhost or a loopback literal may anything on this machine be reached. */
  to(server: string | URL): Reaching;
  close(): Promise<void>;
};

export type OutboundNeeds = {
  /** Resolves names; the system does when left out. */
  readonly lookup?: LookupFunction;
  /** Authorities to trust besides none other, PEM; those of Node when left out. */
  readonly ca?: string;
  readonly connectWithinMs?: number;
};

const answerWithinMs = 10_000;
const answerBytes = 64 * 1024;
const answerBytesMax = 1024 * 1024;
/** Less than until the head, so that a server which takes no connection is known to have got nothing. */
const connectMs = 7_000;
/** Since the last byte that the system took from us, which may still have megabytes to send. */
const headWithinMs = 120_000;

async function createAgent(needs: OutboundNeeds, isOwnAllowed: boolean) {
  const { lookup = systemLookup as LookupFunction, connectWithinMs = connectMs, ca } = needs;
  const { Agent, buildConnector } = await import("undici");
  return new Agent({
    connect: createConnector({
      build: buildConnector,
      lookup,
      isOwnAllowed,
      connectWithinMs,
      ...(ca === undefined ? {} : { ca }),
    }),
    allowH2: false,
    // A connection a request: one that was kept may be closed just when the next request goes out, and nobody could say whether it arrived.
    pipelining: 0,
    headersTimeout: headWithinMs,
    bodyTimeout: answerWithinMs,
    maxResponseSize: answerBytesMax,
  });
}

function checkAsked(url: string | URL | Request): void {
  const text = url instanceof Request ? url.url : String(url);
  if (!URL.canParse(text)) throw new Refused("This is no address.");
  const { protocol, username, password } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") throw new Refused("Only https is asked.");
  if (username !== "" || password !== "") throw new Refused("An address must not hold a name or a password.");
}

async function ask(url: string | URL | Request, init: Asking, dispatcher: Dispatcher): Promise<Response> {
  const { withinMs = answerWithinMs, bytesMax = answerBytes, signal, headers, ...rest } = init;
  checkAsked(url);
  const end = new AbortController();
  const giveUp = () => end.abort(new DOMException("The server did not answer in time", "TimeoutError"));
  const timer = setTimeout(giveUp, withinMs);
  let isWhole = false;
  const watching = watched(dispatcher, () => {
    isWhole = true;
  });
  const named = new Headers(headers ?? (url instanceof Request ? url.headers : {}));
  if (!named.has("user-agent")) named.set("user-agent", "kit-launcher");
  try {
    const answer = await fetch(url, {
      ...rest,
      headers: named,
      redirect: "manual",
      signal: AbortSignal.any([
        end.signal,
        ...(signal ? [signal] : []),
        ...(url instanceof Request ? [url.signal] : []),
      ]),
      dispatcher: watching,
    } as unknown as RequestInit);
    return boundedAnswer(answer, { bytesMax: Math.min(bytesMax, answerBytesMax), withinMs, giveUp });
  } catch (error) {
    throw isWhole ? error : new CutShort("not sent whole", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

export function createOutbound(needs: OutboundNeeds = {}): Outbound {
  const agents = new Map<boolean, Promise<Dispatcher>>();
  const agentFor = (isOwnAllowed: boolean) => {
    const agent = agents.get(isOwnAllowed) ?? createAgent(needs, isOwnAllowed);
    agents.set(isOwnAllowed, agent);
    return agent;
  };
  return {
    to(server) {
      const isOwnAllowed = URL.canParse(server) && isOwnHost(new URL(server).hostname);
      return { fetch: async (url, init = {}) => ask(url, init, await agentFor(isOwnAllowed)) };
    },
    async close() {
      const all = await Promise.all(agents.values());
      await Promise.all(all.map((agent) => agent.destroy()));
    },
  };
}
