// Reads the headers that admission needs from a request's raw headers, in one pass.
import type { IncomingMessage } from "node:http";

export type RequestFacts = {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly site: string | undefined;
  readonly mode: string | undefined;
  readonly dest: string | undefined;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly upgrade: string | undefined;
  readonly requestedMethod: string | undefined;
  readonly requestedHeaders: string | undefined;
  /** The first of these headers that occurs more than once. */
  readonly repeated: string | undefined;
};

const names = {
  host: "host",
  origin: "origin",
  "sec-fetch-site": "site",
  "sec-fetch-mode": "mode",
  "sec-fetch-dest": "dest",
  "content-type": "contentType",
  "content-encoding": "contentEncoding",
  upgrade: "upgrade",
  "access-control-request-method": "requestedMethod",
  "access-control-request-headers": "requestedHeaders",
} as const satisfies Record<string, keyof RequestFacts>;

type Found = Partial<Record<(typeof names)[keyof typeof names], string>>;

/** Reads the headers. Never throws; a missing header is undefined. */
export function readRequestFacts(
  request: Pick<IncomingMessage, "method" | "url" | "httpVersion" | "rawHeaders">,
): RequestFacts {
  const found: Found = {};
  let repeated: string | undefined;
  const raw = request.rawHeaders;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const header = (raw[index] ?? "").toLowerCase();
    if (!Object.hasOwn(names, header)) continue;
    const name = names[header as keyof typeof names];
    if (found[name] !== undefined) repeated ??= header;
    else found[name] = raw[index + 1] ?? "";
  }
  return {
    method: request.method ?? "",
    target: request.url ?? "",
    version: request.httpVersion,
    host: found.host,
    origin: found.origin,
    site: found.site,
    mode: found.mode,
    dest: found.dest,
    contentType: found.contentType,
    contentEncoding: found.contentEncoding,
    upgrade: found.upgrade,
    requestedMethod: found.requestedMethod,
    requestedHeaders: found.requestedHeaders,
    repeated,
  };
}
