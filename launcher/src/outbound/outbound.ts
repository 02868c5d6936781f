// Sends requests to servers that a person named: only to allowed addresses, with limits for time and size, without redirects.
import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { message } from "@kit/contract/messages";
import type { buildConnector, Dispatcher } from "undici";
import { blockedReason, isLocalHost } from "./address.ts";
import { AddressRefused, RequestCutShort, ServerNotReached } from "./failure.ts";
import { limitResponse } from "./response.ts";

/**
 * Makes connections go to exactly the resolved addresses that were checked. Refuses a name with any forbidden address, because
 * the system chooses among the addresses.
 */
function checkedLookup(lookup: LookupFunction, mayBeOwn: (host: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = found as LookupAddress[];
      const refusal = addresses
        .map(({ address }) => blockedReason(address, mayBeOwn(hostname)))
        .find((each) => each !== undefined);
      if (refusal !== undefined) return callback(new AddressRefused(refusal), []);
      const [first] = addresses;
      if (first === undefined) return callback(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), []);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

type ConnectorDeps = {
  readonly build: typeof buildConnector;
  readonly lookup: LookupFunction;
  /** Whether this computer may be contacted as localhost. */
  readonly isOwnAllowed: boolean;
  /** Certificate authorities of test servers. */
  readonly ca?: string;
  readonly connectWithinMs: number;
};

/** Creates a connector to allowed addresses only. Its error is `ServerNotReached` if no connection is made. */
export function createConnector({
  build,
  lookup,
  isOwnAllowed,
  ca,
  connectWithinMs,
}: ConnectorDeps): buildConnector.connector {
  const mayBeOwn = (host: string) => isOwnAllowed && isLocalHost(host);
  const connect = build({
    timeout: connectWithinMs,
    allowH2: false,
    lookup: checkedLookup(lookup, mayBeOwn),
    ...(ca === undefined ? {} : { ca }),
  });
  return (options, callback) => {
    const { hostname, protocol } = options;
    if (protocol !== "https:" && !(protocol === "http:" && mayBeOwn(hostname)))
      return callback(new AddressRefused(message("address.needs_https")), null);
    // An IP address is not looked up, so it is checked here.
    const refusal = isIP(hostname) === 0 ? undefined : blockedReason(hostname, mayBeOwn(hostname));
    if (refusal !== undefined) return callback(new AddressRefused(refusal), null);
    return connect(options, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(new ServerNotReached("no connection", { cause: error }), null);
    });
  };
}

/** Wraps the part of a dispatcher that fetch uses. Calls `onWhole` when the system has accepted the whole request. */
function watchSent(dispatcher: Dispatcher, onWhole: () => void): Pick<Dispatcher, "dispatch"> {
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

export type OutboundRequest = RequestInit & {
  /** Maximum time to wait for the headers, and then for the body. */
  readonly withinMs?: number;
  readonly bytesMax?: number;
};

export type OutboundClient = {
  /**
   * Like fetch, but: https only (http for this machine), checks resolved addresses, returns redirects without following them,
   * waits 10 s for the headers unless `withinMs` allows more, and ends the body after 64 KiB, or `bytesMax` up to 1 MiB.
   * Rejects if there is no answer; `failureMessage`, `isNothingSent` and `isRequestCutShort` explain the error.
   */
  readonly fetch: (url: string | URL | Request, init?: OutboundRequest) => Promise<Response>;
};

export type Outbound = {
  /** `server` is the URL that a person gave. Only if its host is localhost or a loopback address may this machine be contacted. */
  clientFor(server: string | URL): OutboundClient;
  close(): Promise<void>;
};

export type OutboundDeps = {
  /** Resolves names. Defaults to the system. */
  readonly lookup?: LookupFunction;
  /** The only trusted certificate authorities, as PEM. Defaults to Node's. */
  readonly ca?: string;
  readonly connectWithinMs?: number;
};

const answerWithinMs = 10_000;
const answerBytes = 64 * 1024;
const answerBytesMax = 1024 * 1024;
/** Maximum time to connect. Shorter than the time for the headers, so that a connection timeout proves that nothing was sent. */
const connectMs = 7_000;
/**
 * Maximum time between the last byte that the system accepted and the headers of the answer. Long, because the system may
 * still have megabytes to send.
 */
const headWithinMs = 120_000;

async function createAgent(needs: OutboundDeps, isOwnAllowed: boolean) {
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
    // One connection per request: a reused connection may close while a request is sent, and its fate would be unknown.
    pipelining: 0,
    headersTimeout: headWithinMs,
    bodyTimeout: answerWithinMs,
    maxResponseSize: answerBytesMax,
  });
}

function checkUrl(url: string | URL | Request): void {
  const text = url instanceof Request ? url.url : String(url);
  if (!URL.canParse(text)) throw new AddressRefused(message("address.not_a_url"));
  const { protocol, username, password } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") throw new AddressRefused(message("address.only_https"));
  if (username !== "" || password !== "") throw new AddressRefused(message("address.credentials"));
}

async function request(url: string | URL | Request, init: OutboundRequest, dispatcher: Dispatcher): Promise<Response> {
  const { withinMs = answerWithinMs, bytesMax = answerBytes, signal, headers, ...rest } = init;
  checkUrl(url);
  const end = new AbortController();
  const giveUp = () => end.abort(new DOMException("The server did not answer in time", "TimeoutError"));
  const timer = setTimeout(giveUp, withinMs);
  let isWhole = false;
  const watching = watchSent(dispatcher, () => {
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
    return limitResponse(answer, { bytesMax: Math.min(bytesMax, answerBytesMax), withinMs, giveUp });
  } catch (error) {
    throw isWhole ? error : new RequestCutShort("not sent whole", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

export function createOutbound(needs: OutboundDeps = {}): Outbound {
  const agents = new Map<boolean, Promise<Dispatcher>>();
  const agentFor = (isOwnAllowed: boolean) => {
    const agent = agents.get(isOwnAllowed) ?? createAgent(needs, isOwnAllowed);
    agents.set(isOwnAllowed, agent);
    return agent;
  };
  return {
    clientFor(server) {
      const isOwnAllowed = URL.canParse(server) && isLocalHost(new URL(server).hostname);
      return { fetch: async (url, init = {}) => request(url, init, await agentFor(isOwnAllowed)) };
    },
    async close() {
      const all = await Promise.all(agents.values());
      await Promise.all(all.map((agent) => agent.destroy()));
    },
  };
}
