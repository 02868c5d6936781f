// Sends requests to a server that may be hostile, and decides what its answers mean. Limits time and answer size, and follows
// no redirects.
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import type { LookupFunction, Socket, TcpNetConnectOpts } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { promisify } from "node:util";
import type { Message, MessageOrText } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { AddressRefused, messageOfErrorCode } from "../../outbound/failure.ts";
import { clockAheadByDateMs } from "../../outbound/response.ts";
import { blockedTargetReason, type TargetTransport } from "./address.ts";

export type HttpAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The beginning of the body. */
  readonly text: string;
};

type PostRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly signal: AbortSignal;
  /** Called when the server is connected, so that the request leaves this computer. */
  readonly onLeaves?: () => void;
};

export type StreamRequest = Omit<PostRequest, "body" | "onLeaves"> & {
  /** POST, if it is left out. */
  readonly method?: "POST" | "PUT" | "GET" | "HEAD" | "DELETE";
  /** Begins to read the body. Not called if nothing is sent. */
  readonly body: () => AsyncIterable<Uint8Array>;
  /** The size of the whole body. */
  readonly bytes: number;
  /** Called with the number of bytes that were passed on since the connection was made. */
  readonly onSent: (bytes: number) => void;
};

/** Sends to one server over one connection, which stays open for a while. */
export type ServerConnection = {
  /** Rejects if no answer arrives in time. */
  post(request: PostRequest): Promise<HttpAnswer>;
  /** Sends a body that is read meanwhile. Rejects if the server takes nothing, or does not answer, for `withinMs`. */
  stream(request: StreamRequest): Promise<HttpAnswer>;
  /**
   * Returns how far the server's clock is ahead of this computer's, as of its last answer; 0 if the clocks agree. Before the first answer,
   * asks for it once with an empty request. Rejects if there is no connection: a request that follows would have none either.
   */
  clockAheadMs(signal: AbortSignal): Promise<number>;
  /** How many requests it has sent, without those of `stream`. */
  readonly requests: number;
  close(): void;
};

const answerBytesMax = 64 * 1024;
/** After this time without a request, the connection is closed. */
const idleMs = 30_000;
/** A smaller body is not compressed. */
const gzipBytesMin = 1_000;
/** Smaller differences come from the way of the answer and the whole seconds of its header. */
const clockErrorMs = 10_000;
const clockWithinMs = 3_000;

/**
 * Returns a function that resolves host names and refuses the addresses that must not be contacted. It is not called for a
 * URL with an IP address, which was checked when the target was added.
 */
async function createTargetLookup(transport: TargetTransport): Promise<LookupFunction> {
  const { lookup } = await import("node:dns");
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const refusal = addresses
        .map(({ address }) => blockedTargetReason(address, transport))
        .find((each) => each !== undefined);
      if (refusal !== undefined) return callback(new AddressRefused(refusal), []);
      const [first] = addresses;
      if (options.all || first === undefined) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

const headersOf = (headers: IncomingMessage["headers"]): HttpAnswer["headers"] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );

/** Resolves to the answer, cut after `answerBytesMax`. The rest is not read: the connection is closed. */
function readHttpAnswer(response: IncomingMessage, status: number): Promise<HttpAnswer> {
  const { promise, resolve } = Promise.withResolvers<HttpAnswer>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const finish = () => {
    const text = Buffer.concat(chunks).toString("utf8", 0, answerBytesMax);
    resolve({ status, headers: headersOf(response.headers), text });
  };
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes <= answerBytesMax) return;
    finish();
    response.destroy();
  });
  response.on("end", finish);
  // Even if the body breaks off, the status and headers have arrived, and they decide what the answer means.
  response.on("error", finish);
  return promise;
}

/**
 * Resolves to the response to a request, also to one that switches protocols, whose connection is closed. Rejects if the request ends without
 * one, with `reasonOf()` if it returns something.
 */
function answerTo(sent: ClientRequest, reasonOf: () => unknown): Promise<HttpAnswer> {
  let hasAnswer = false;
  return new Promise<HttpAnswer>((resolve, reject) => {
    sent.on("response", (response) => {
      hasAnswer = true;
      void readHttpAnswer(response, response.statusCode ?? 0).then(resolve);
    });
    // Without this, Node closes the connection and says nothing.
    sent.on("upgrade", ({ statusCode = 0, headers }, socket) => {
      hasAnswer = true;
      socket.destroy();
      resolve({ status: statusCode, headers: headersOf(headers), text: "" });
    });
    const fail = (error?: Error) => {
      if (!hasAnswer) reject(reasonOf() ?? error ?? new Error("The connection ended without a response."));
    };
    sent.on("error", fail);
    sent.on("close", () => fail());
  });
}

type ServerOptions = {
  readonly withoutTls?: boolean;
  readonly certificate?: string | undefined;
  readonly url: string;
  readonly withinMs: number;
  readonly now: () => number;
};

/** Returns the authorities that may vouch for a server: Node's, the system's, and the one that a person named. */
async function trustedAuthorities(certificate: string | undefined): Promise<string[]> {
  const { getCACertificates } = await import("node:tls");
  const own = certificate === undefined ? [] : [certificate];
  return [...getCACertificates("default"), ...getCACertificates("system"), ...own];
}

type Wire = {
  /**
   * Begins a request, unless the signal is aborted. An abort resets the connection, so that what the system still keeps of the request
   * never leaves this computer.
   */
  begin(url: string, options: RequestOptions, signal: AbortSignal): ClientRequest;
  close(): void;
};

async function createWire({ url: address, withoutTls = false, certificate }: ServerOptions): Promise<Wire> {
  const isPlain = address.startsWith("http:");
  const { request, Agent: Connections } = await (isPlain ? import("node:http") : import("node:https"));
  const [{ connect }, { connect: secure }] = await Promise.all([import("node:net"), import("node:tls")]);
  const lookup = await createTargetLookup({ isPlain, withoutTls });
  const trust = isPlain ? {} : { ca: await trustedAuthorities(certificate) };
  const agent: Agent = new Connections({ keepAlive: true, maxSockets: 1, timeout: idleMs, lookup, ...trust });
  /** Below TLS, because only a TCP socket can be reset. */
  let socket: Socket | undefined;
  agent.createConnection = (options) => {
    const made = connect(options as TcpNetConnectOpts);
    socket = made;
    if (isPlain) return made;
    const secured = secure({ ...(options as ConnectionOptions), socket: made });
    made.on("error", (error) => secured.destroy(error));
    return secured;
  };
  const reset = () => {
    if (socket?.connecting === false) socket.resetAndDestroy();
  };
  return {
    begin(url, options, signal) {
      signal.throwIfAborted();
      const sent = request(url, { ...options, agent });
      const cut = () => {
        if (sent.socket !== null) reset();
        sent.destroy(signal.reason);
      };
      signal.addEventListener("abort", cut, { once: true });
      sent.once("close", () => signal.removeEventListener("abort", cut));
      return sent;
    },
    close() {
      reset();
      agent.destroy();
    },
  };
}

/** Keeps what a server's answers say of its clock. `ask` sends an empty request. */
function createServerClock(
  now: () => number,
  withinMs: number,
  ask: (signal: AbortSignal, onConnected: () => void) => Promise<HttpAnswer>,
) {
  let aheadMs = 0;
  let isKnown = false;
  /** A server that is down gets one request for each attempt, so one that did not answer is not asked again. */
  let isAsked = false;
  const note = ({ headers }: HttpAnswer) => {
    isKnown = true;
    const nowAheadMs = clockAheadByDateMs(headers.date, now()) ?? aheadMs;
    if (Math.abs(nowAheadMs - aheadMs) >= clockErrorMs) aheadMs = Math.abs(nowAheadMs) < clockErrorMs ? 0 : nowAheadMs;
  };
  return {
    note,
    async aheadMs(signal: AbortSignal): Promise<number> {
      if (isKnown || isAsked) return aheadMs;
      const late = new AbortController();
      const giveUp = () => late.abort(new DOMException("There was no answer in time.", "TimeoutError"));
      let timer = setTimeout(giveUp, withinMs);
      const onConnected = () => {
        isAsked = true;
        clearTimeout(timer);
        timer = setTimeout(giveUp, clockWithinMs);
      };
      try {
        note(await ask(AbortSignal.any([signal, late.signal]), onConnected));
      } catch (error) {
        if (signal.aborted) isAsked = false;
        // Some servers do not answer this request, but take reports.
        if (!isAsked) throw error;
      } finally {
        clearTimeout(timer);
      }
      return aheadMs;
    },
  };
}

export async function connectToServer(server: ServerOptions): Promise<ServerConnection> {
  const { url: address, withinMs, now } = server;
  const connected = address.startsWith("http:") ? "connect" : "secureConnect";
  const { begin, close } = await createWire(server);
  const gzip = promisify((await import("node:zlib")).gzip) as (body: string | Uint8Array) => Promise<Buffer>;
  let takesGzip = true;
  let unpackedGzip = false;
  let requests = 0;

  const send = async (
    url: string,
    options: RequestOptions,
    signal: AbortSignal,
    body: string | Uint8Array,
    onLeaves: () => void,
  ) => {
    const sent = begin(url, options, signal);
    requests += 1;
    sent.on("socket", (socket) => {
      if (socket.connecting) socket.once(connected, onLeaves);
      else onLeaves();
    });
    sent.end(body);
    const answer = await answerTo(sent, () => signal.reason);
    signal.throwIfAborted();
    return answer;
  };
  const clock = createServerClock(now, withinMs, (signal, onConnected) =>
    send(address, { method: "HEAD" }, signal, "", onConnected),
  );
  const post = async ({ url, headers, body, signal, onLeaves = () => undefined }: PostRequest): Promise<HttpAnswer> => {
    const ended = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
    const isZipped = takesGzip && Buffer.byteLength(body) >= gzipBytesMin;
    const bytes = isZipped ? await gzip(body) : body;
    const encoding = isZipped ? { "content-encoding": "gzip" } : {};
    const length = { "content-length": String(Buffer.byteLength(bytes)) };
    const options = { method: "POST", headers: { ...headers, ...encoding, ...length } };
    const answer = await send(url, options, ended, bytes, onLeaves);
    clock.note(answer);
    unpackedGzip ||= isZipped && answer.status >= 200 && answer.status < 300;
    // Some receivers answer 400, not 415, to what they cannot unpack.
    const isUnread = answer.status === 415 || (answer.status === 400 && !unpackedGzip);
    if (!isZipped || !isUnread) return answer;
    takesGzip = false;
    const plain = await post({ url, headers, body, signal, onLeaves });
    // If it is refused without compression too, the compression was not the reason.
    takesGzip = plain.status === 400;
    return plain;
  };
  const stream = async (given: StreamRequest): Promise<HttpAnswer> => {
    const { method = "POST", url, headers, body, bytes, signal, onSent } = given;
    const { pipeline } = await import("node:stream/promises");
    const stalled = new AbortController();
    const length = bytes > 0 || method === "POST" || method === "PUT" ? { "content-length": String(bytes) } : {};
    const ended = AbortSignal.any([signal, stalled.signal]);
    const sent = begin(url, { method, headers: { ...headers, ...length } }, ended);
    const timer = setTimeout(() => stalled.abort(new DOMException("It stalled.", "TimeoutError")), withinMs);
    async function* counted() {
      let passed = 0;
      for await (const chunk of body()) {
        yield chunk;
        timer.refresh();
        passed += chunk.length;
        if (sent.socket?.connecting === false) onSent(passed);
      }
      if (passed !== bytes) throw new Error("The file changed while it was sent.");
    }
    const answered = answerTo(sent, () => ended.reason);
    try {
      // If this fails, the request ends too. A server may answer before it has read everything. Then the answer counts.
      pipeline(counted(), sent).catch(() => undefined);
      const answer = await answered;
      clock.note(answer);
      return answer;
    } finally {
      clearTimeout(timer);
      if (!sent.writableFinished) stalled.abort();
    }
  };
  return {
    post,
    stream,
    get requests() {
      return requests;
    },
    clockAheadMs: clock.aheadMs,
    close,
  };
}

/** Says why there was no answer. Never contains the address of the target. */
export function noAnswerMessage(error: unknown, withinMs: number): Message {
  const failed = error as { name?: string; code?: string; message?: string; detail?: MessageOrText; cause?: unknown };
  if (failed.name === "TimeoutError" || (failed.cause as { name?: string })?.name === "TimeoutError")
    return message("target.no_answer_in_time", { seconds: withinMs / 1_000 });
  if (typeof failed.detail === "object") return failed.detail;
  const { code } = failed;
  const known = messageOfErrorCode(code ?? "");
  if (known !== undefined) return known;
  if (code !== undefined) return message("connection.failed_code", { code });
  const problem = (failed.message ?? "").slice(0, 200);
  return problem === "" ? message("connection.failed") : message("connection.other", { problem });
}

/** The server stored the reports, except for `rejected` of them, which it will never accept. `says` is its reason. */
export type AcceptedBatch = { readonly rejected: number; readonly says: Message | null };

export type AnswerVerdict =
  | (AcceptedBatch & { readonly outcome: "sent" })
  /** `refused`: the server does not accept these reports, but may accept others. `stopped`: a person has to do something. */
  | { readonly outcome: "later" | "refused" | "stopped"; readonly says: Message };

const stopReasons: Readonly<Record<number, Message>> = {
  400: message("target.unreadable_report"),
  401: message("target.key_rejected"),
  403: message("target.key_refused"),
  404: message("target.nothing_there"),
  405: message("target.takes_no_reports"),
  407: message("target.proxy_password"),
  410: message("target.project_gone"),
};

/** Decides what a server's answer means: sent, retry later, drop this report, or stop until a person acts. */
export function verdictForAnswer({ status, text }: HttpAnswer): AnswerVerdict {
  // The sign-in page of a network answers every request with 200 and a web page.
  if (status >= 200 && status < 300 && text.trimStart().startsWith("<"))
    return { outcome: "later", says: message("target.web_page") };
  if (status >= 200 && status < 300) return { outcome: "sent", rejected: 0, says: null };
  if (status >= 300 && status < 400)
    return {
      outcome: "stopped",
      says: message("target.redirected", { status }),
    };
  if (status === 413) return { outcome: "refused", says: message("target.large_report") };
  if (status === 422) return { outcome: "refused", says: message("target.invalid_report") };
  const stop = stopReasons[status];
  if (stop !== undefined) return { outcome: "stopped", says: stop };
  if (status === 429) return { outcome: "later", says: message("target.rate_limit") };
  return { outcome: "later", says: message("target.failed", { status }) };
}
