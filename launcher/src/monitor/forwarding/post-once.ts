// Sends one POST to a server that may be hostile, and decides what its answer means. Limits time and answer size, and follows
// no redirects.
import type { IncomingMessage, RequestOptions } from "node:http";
import type { LookupFunction } from "node:net";
import type { Message, MessageOrText } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { AddressRefused, messageOfErrorCode } from "../../outbound/failure.ts";
import { blockedTargetReason } from "./address.ts";

export type HttpAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The beginning of the body. */
  readonly text: string;
};

export type PostRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly signal: AbortSignal;
  readonly withinMs: number;
};

const answerBytesMax = 64 * 1024;

/**
 * Returns a function that resolves host names and refuses the addresses that must not be contacted. It is not called for a
 * URL with an IP address, which was checked when the target was added.
 */
export async function createTargetLookup(isPlain: boolean): Promise<LookupFunction> {
  const { lookup } = await import("node:dns");
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const refusal = addresses
        .map(({ address }) => blockedTargetReason(address, isPlain))
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
export function readHttpAnswer(response: IncomingMessage, status: number): Promise<HttpAnswer> {
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

/** Rejects if no answer arrives in time. */
export async function postOnce({ url, headers, body, signal, withinMs }: PostRequest): Promise<HttpAnswer> {
  const isPlain = url.startsWith("http:");
  const { request } = await (isPlain ? import("node:http") : import("node:https"));
  const lookup = await createTargetLookup(isPlain);
  const ended = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
  const length = { "content-length": String(Buffer.byteLength(body)) };
  const options: RequestOptions = {
    method: "POST",
    headers: { ...headers, ...length },
    agent: false,
    lookup,
    signal: ended,
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      options,
      (response) => void readHttpAnswer(response, response.statusCode ?? 0).then(resolve),
    );
    sent.on("error", reject);
    sent.end(body);
  });
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
export function verdictForAnswer({ status }: HttpAnswer): AnswerVerdict {
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
