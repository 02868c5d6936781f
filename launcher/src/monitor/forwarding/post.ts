// One POST to a server that may be slow, huge or hostile: bounded in time and in what is read of its answer; follows nothing.
import type { RequestOptions } from "node:http";
import type { LookupFunction } from "node:net";
import { refusalOf } from "./address.ts";

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Its beginning. */
  readonly text: string;
};

export type Posting = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly signal: AbortSignal;
  readonly withinMs: number;
};

export const answerBytesMax = 64 * 1024;

/** Resolves names, and refuses where they must not lead: a literal was checked when the target was made. */
export async function createLookup(isPlain: boolean): Promise<LookupFunction> {
  const { lookup } = await import("node:dns");
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const refusal = addresses.map(({ address }) => refusalOf(address, isPlain)).find((each) => each !== undefined);
      if (refusal !== undefined) return callback(new Error(refusal), []);
      const [first] = addresses;
      if (options.all || first === undefined) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

export const headersOf = (headers: Readonly<Record<string, string | string[] | undefined>>): Answer["headers"] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );

/** Rejects when no answer came, or none in time. More of it than is read ends the connection; its head counts. */
export async function post({ url, headers, body, signal, withinMs }: Posting): Promise<Answer> {
  const isPlain = url.startsWith("http:");
  const { request } = await (isPlain ? import("node:http") : import("node:https"));
  const lookup = await createLookup(isPlain);
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
    const sent = request(url, options, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const finish = () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: headersOf(response.headers),
          text: Buffer.concat(chunks).toString("utf8", 0, answerBytesMax),
        });
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes <= answerBytesMax) return;
        finish();
        response.destroy();
      });
      response.on("end", finish);
      // The head said what it had to say.
      response.on("error", finish);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Why there was no answer, in words for a person; never the address. */
export function faultOf(error: unknown, withinMs: number): string {
  const { name, code, message, cause } = error as { name?: string; code?: string; message?: string; cause?: unknown };
  if (name === "TimeoutError" || (cause as { name?: string })?.name === "TimeoutError")
    return `The server did not answer within ${withinMs / 1_000} seconds.`;
  const words = wordsOfCode[code ?? ""];
  if (words !== undefined) return `${words} (${code}).`;
  if (code === undefined) return (message ?? "").slice(0, 200) || "The connection failed.";
  return code.startsWith("ERR_TLS") || code.includes("CERT") || code.includes("SIGNATURE")
    ? `The server's certificate cannot be trusted (${code}).`
    : `The connection failed (${code}).`;
}

const wordsOfCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: "Nobody answers at this address",
  ENOTFOUND: "There is no server of this name",
  EAI_AGAIN: "The name could not be looked up now",
  ECONNRESET: "The server ended the connection",
  EHOSTUNREACH: "The server cannot be reached",
  ENETUNREACH: "The network cannot be reached",
  ETIMEDOUT: "The server did not take the connection",
  EPROTO: "The server does not speak TLS there",
};
